"""Properties over random walks, by hypothesis."""

from functools import cache

from hypothesis import given
from hypothesis import strategies as st

from languages import allowed
from stackmask import CompiledGrammar, Grammar, GrammarCompiler, GrammarMatcher, Vocabulary

AMBIGUOUS = """
start: e
e: e "+" e | e "*" e | "(" e ")" | NUMBER | NAME
NUMBER: /[0-9]+/
NAME: /[a-z]+/ | "12ab"
%ignore /[ ]+/
"""
WORDS = [
    b"++",
    b"+1",
    b"(1",
    b"ab",
    b"abc",
    b"12",
    b"12a",
    b"2ab",
    b")*",
    b" +",
    b"  ",
    b"{}",
    b'{"',
    b'":',
    b'"a',
    b'a"',
    b"[[",
    b"]]",
    b"],",
    b"tr",
    b"true",
    b"ue",
    b"\xc3\xa9",
    b"\xa9",
    b'","',
]


@cache
def compiled(name: str) -> CompiledGrammar:
    tokens = [bytes([byte]) for byte in range(256)] + WORDS + [b"<stop>"]
    stop = len(tokens) - 1
    vocabulary = Vocabulary(tokens, stop_token_ids=[stop], special_token_ids=[stop])
    grammar = {
        "json": Grammar.json,
        "ambiguous": lambda: Grammar.from_lark(AMBIGUOUS),
        "complete": lambda: Grammar.from_lark(AMBIGUOUS, lexer="dynamic_complete"),
        "regex": lambda: Grammar.from_regex("(?:é|[a-c]{2,5}|true|1+2)*\\{?[^x]{0,3}"),
    }[name]()
    return GrammarCompiler(vocabulary).compile(grammar)


grammars = st.sampled_from(["json", "ambiguous", "complete", "regex"])
walks = st.lists(st.integers(0, 2**16), max_size=25)


def walk(matcher: GrammarMatcher, choices: list[int]) -> list[int]:
    """Takes an allowed token for each choice; which one depends on the mask alone."""
    taken = []
    for choice in choices:
        if matcher.is_terminated():
            break
        tokens = allowed(matcher)
        assert tokens, "a dead end"
        # The upper half of a choice prefers the words, which single bytes would outnumber.
        words = [token for token in tokens if token >= 256]
        pick = words if words and choice >= 2**15 else tokens
        token = pick[choice % len(pick)]
        assert matcher.accept_token(token)
        taken.append(token)
    return taken


@given(grammars, walks, walks, walks)
def test_accept_then_rollback_is_identity_also_before_a_different_continuation(
    name: str, prefix: list[int], one: list[int], two: list[int]
) -> None:
    matcher = compiled(name).matcher()
    taken = walk(matcher, prefix)
    before, completed, ended = allowed(matcher), matcher.is_completed(), matcher.is_terminated()
    matcher.rollback(len(walk(matcher, one)))
    assert allowed(matcher) == before
    assert (matcher.is_completed(), matcher.is_terminated()) == (completed, ended)
    taken += walk(matcher, two)
    fresh = compiled(name).matcher()
    assert fresh.accept_tokens(taken) == len(taken)
    assert allowed(fresh) == allowed(matcher)
    assert fresh.is_completed() == matcher.is_completed()


@given(grammars, walks, walks)
def test_fork_equals_replay(name: str, prefix: list[int], rest: list[int]) -> None:
    matcher = compiled(name).matcher()
    tokens = walk(matcher, prefix)
    fork = matcher.fork()
    tokens += walk(fork, rest)
    replay = compiled(name).matcher()
    assert replay.accept_tokens(tokens) == len(tokens)
    assert allowed(fork) == allowed(replay)
    assert fork.num_accepted == replay.num_accepted == len(tokens)
    assert matcher.num_accepted <= len(tokens)


@given(grammars, walks, st.data())
def test_the_same_bytes_by_any_tokens_give_the_same_mask(
    name: str, choices: list[int], data: st.DataObject
) -> None:
    grammar = compiled(name)
    matcher = grammar.matcher()
    tokens = [
        token for token in walk(matcher, choices) if token not in grammar.vocabulary.stop_token_ids
    ]
    text = grammar.vocabulary.decode(tokens)
    expected = grammar.matcher()
    assert expected.accept_bytes(text) == len(text)
    other = grammar.matcher()
    at = 0
    while at < len(text):
        fitting = [256 + n for n, word in enumerate(WORDS) if text.startswith(word, at)]
        token = data.draw(st.sampled_from([text[at], *fitting]))
        assert other.accept_token(token)
        at += len(grammar.vocabulary.token_bytes(token) or b"")
    assert allowed(other) == allowed(expected)
    assert other.is_completed() == expected.is_completed()


@given(grammars, walks)
def test_completions_complete_and_forced_bytes_are_forced(name: str, choices: list[int]) -> None:
    matcher = compiled(name).matcher()
    walk(matcher, choices)
    if matcher.is_terminated():
        return
    forced = matcher.forced_bytes()
    fork = matcher.fork()
    for byte in forced:
        first = {(matcher_byte(token)) for token in allowed(fork)}
        assert first == {byte}
        assert fork.accept_bytes(bytes([byte])) == 1
    completion = matcher.shortest_completion()
    assert completion.startswith(forced[: len(completion)])
    fork = matcher.fork()
    assert fork.accept_bytes(completion) == len(completion)
    assert fork.is_completed()
    tokens = matcher.shortest_completion_tokens()
    assert matcher.accept_tokens(tokens) == len(tokens)
    assert matcher.is_completed()


def matcher_byte(token: int) -> int:
    """The first byte of a token; 256 for the stop token."""
    return (compiled("json").vocabulary.token_bytes(token) or [256])[0]
