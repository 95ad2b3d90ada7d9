"""Masks along drafts: as if each token had been accepted and taken back by hand."""

import numpy as np
import pytest

from stackmask import (
    Grammar,
    GrammarCompiler,
    MatcherError,
    Vocabulary,
    fill_draft_chain,
    fill_draft_tree,
)

STOP = 256
UNTOUCHED = 0x5A5A5A5A
COMPILED = GrammarCompiler(Vocabulary.byte_level()).compile(Grammar.json(whitespace="none"))


def rows(count):
    return np.full((count, 9), UNTOUCHED, dtype=np.int32)


def mask(tokens):
    matcher = COMPILED.matcher()
    assert matcher.accept_tokens(tokens) == len(tokens)
    return matcher.next_token_bitmask()


def test_chains_are_filled_up_to_the_first_refusal():
    first, second = COMPILED.matcher(), COMPILED.matcher()
    second.accept_tokens(b"[1")
    out = rows(8)
    drafts = [(first, 0, list(b'{"a')), (second, 4, [ord(","), ord("]"), ord("2")])]
    assert fill_draft_chain(drafts, out) == [4, 2]
    for at in range(4):
        assert np.array_equal(out[at], mask(list(b'{"a')[:at]))
    assert np.array_equal(out[4], mask(b"[1"))
    assert np.array_equal(out[5], mask(b"[1,"))
    assert (out[6:] == UNTOUCHED).all()
    assert (first.num_accepted, second.num_accepted) == (0, 2)


def test_drafts_do_not_share_rows():
    first, second = COMPILED.matcher(), COMPILED.matcher()
    out = rows(4)
    with pytest.raises(ValueError, match="row 1 is given twice"):
        fill_draft_chain([(first, 0, b"1"), (second, 1, b"2")], out)
    assert (out == UNTOUCHED).all()


@pytest.mark.parametrize("bad", [-1, 257, 2**40, 2**70, -(2**70)])
def test_what_is_no_token_ends_a_chain(bad):
    matcher = COMPILED.matcher()
    out = rows(4)
    assert fill_draft_chain([(matcher, 0, [ord("1"), bad, ord("2")])], out) == [2]
    assert (out[2:] == UNTOUCHED).all()
    assert matcher.num_accepted == 0


def test_nothing_follows_a_stop_token():
    matcher = COMPILED.matcher()
    out = rows(4)
    assert fill_draft_chain([(matcher, 0, [ord("1"), STOP, ord("2")])], out) == [3]
    assert out[2].view(np.uint32).tolist() == [0] * 8 + [1]
    assert not matcher.is_terminated()


def test_a_tree_is_walked_with_siblings():
    matcher = COMPILED.matcher()
    matcher.accept_token(ord("["))
    #      0: "["     1: "1"   2: ","   3: "]"   4: "x"   5: "t"   6: stop
    tokens = [0, ord("1"), ord(","), ord("]"), ord("x"), ord("t"), STOP]
    first_child = [1, 2, -1, 6, -1, -1, -1]
    sibling = [-1, 4, 3, -1, 5, -1, -1]
    out = rows(7)
    assert fill_draft_tree(matcher, first_child, sibling, tokens, out) == 6
    paths = {0: "[", 1: "[1", 2: "[1,", 3: "[1]", 5: "[t"}
    for node, text in paths.items():
        assert np.array_equal(out[node], mask(text.encode())), node
    assert (out[4] == UNTOUCHED).all()
    assert out[6].view(np.uint32).tolist() == [0] * 8 + [1]
    assert matcher.num_accepted == 1


def test_deep_and_wide_trees():
    depth = 3000
    matcher = COMPILED.matcher()
    tokens = [0, *[ord("[")] * depth]
    child = [*range(1, depth + 1), -1]
    assert fill_draft_tree(matcher, child, [-1] * (depth + 1), tokens, rows(depth + 1)) == depth + 1
    wide = [0, *range(256)]
    sibling = [-1, *range(2, 257), -1]
    allowed = len(matcher.allowed_token_ids())
    assert fill_draft_tree(matcher, [1, *[-1] * 256], sibling, wide, rows(257)) == allowed + 1


@pytest.mark.parametrize(
    ("child", "sibling", "tokens"),
    [
        ([1, 0], [-1, -1], [0, 49]),
        ([1, -1], [-1, 1], [0, 49]),
        ([5, -1], [-1, -1], [0, 49]),
        ([-2, -1], [-1, -1], [0, 49]),
        ([1], [-1, -1], [0, 49]),
        ([], [], []),
    ],
)
def test_links_that_are_no_tree_are_refused(child, sibling, tokens):
    matcher = COMPILED.matcher()
    out = rows(2)
    with pytest.raises(MatcherError):
        fill_draft_tree(matcher, child, sibling, tokens, out)
    assert (out == UNTOUCHED).all()
    assert matcher.num_accepted == 0


def test_buffers_that_are_too_small_are_refused():
    matcher = COMPILED.matcher()
    out = rows(2)
    with pytest.raises(ValueError, match="row 2"):
        fill_draft_chain([(matcher, 0, [49, 49])], out)
    with pytest.raises(ValueError, match="row 2"):
        fill_draft_tree(matcher, [1, 2, -1], [-1] * 3, [0, 49, 49], out)
    with pytest.raises(ValueError, match="words"):
        fill_draft_chain([(matcher, 0, [])], np.zeros((2, 3), np.int32))
    assert (out == UNTOUCHED).all()


@pytest.mark.parametrize("bad", [-1, 4, 2**63, 2**70, -(2**70)])
def test_a_bad_row_is_named(bad):
    out = rows(4)
    with pytest.raises(ValueError, match=f"row.*{bad}"):
        fill_draft_chain([(COMPILED.matcher(), 0, []), (COMPILED.matcher(), bad, [1])], out)
    assert (out == UNTOUCHED).all()
