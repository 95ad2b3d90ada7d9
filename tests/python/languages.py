"""What the tests ask of a matcher over single bytes."""

from stackmask import GrammarMatcher


def accepts(matcher: GrammarMatcher, data: bytes) -> bool:
    """Whether `data` as a whole is in the language. The matcher is put back to the start."""
    matcher.reset()
    whole = matcher.accept_bytes(data) == len(data) and matcher.is_completed()
    matcher.reset()
    return whole


def allowed(matcher: GrammarMatcher) -> list[int]:
    return [int(token) for token in matcher.allowed_token_ids()]
