"""Random walks through the masks: what a model without sense would write."""

import random

from stackmask import CompiledGrammar

CLOSING = frozenset(b'"]},:')
USUAL = frozenset(b"abcx019-.eE \\n")


class DeadEnd(AssertionError):
    """A place without a token, or a mask that does not keep its word."""


class Walker:
    def __init__(self, rng: random.Random, compiled: CompiledGrammar) -> None:
        self.rng, self.matcher = rng, compiled.matcher()
        vocabulary = compiled.vocabulary
        self.stop = vocabulary.stop_token_ids[0]
        tokens = range(vocabulary.vocab_size)
        self.bytes = [vocabulary.token_bytes(token) or b"" for token in tokens]

    def walk(self, guide: bytes, budget: int) -> bytes:
        """A whole text. It follows `guide` as far as the mask lets it, then goes at random."""
        matcher = self.matcher
        matcher.reset()
        text = guide[: matcher.accept_bytes(guide)]
        for _ in range(budget):
            token = self.choose()
            if not matcher.accept_token(token):
                raise DeadEnd(f"after {text!r} the mask allows token {token}, accept refuses it")
            if token == self.stop:
                return text
            text += self.bytes[token]
            if self.rng.random() < 0.03:
                # What was undone must leave no trace in the masks that follow.
                matcher.rollback(1)
                text = text[: -len(self.bytes[token])]
        return text + self.finish(text)

    def choose(self) -> int:
        rng, allowed = self.rng, [int(token) for token in self.matcher.allowed_token_ids()]
        if not allowed:
            raise DeadEnd("no token is allowed")
        chance = rng.random()
        if chance < 0.35:
            if self.stop in allowed and rng.random() < 0.5:
                return self.stop
            closing = [token for token in allowed if CLOSING.intersection(self.bytes[token])]
            return rng.choice(closing or allowed)
        if chance < 0.8:
            usual = [token for token in allowed if USUAL.intersection(self.bytes[token])]
            return rng.choice(usual or allowed)
        return rng.choice(allowed)

    def finish(self, text: bytes) -> bytes:
        completion: bytes = self.matcher.shortest_completion()
        if self.matcher.accept_bytes(completion) < len(completion):
            raise DeadEnd(f"after {text!r} the shortest completion {completion!r} is refused")
        if not self.matcher.is_completed():
            raise DeadEnd(f"after {text!r} the completion {completion!r} completes nothing")
        if not self.matcher.accept_token(self.stop):
            raise DeadEnd(f"after {text + completion!r} the stop token is refused")
        return completion

    def check_mask(self, guide: bytes) -> None:
        """The mask somewhere along the guide equals asking for each token by itself."""
        matcher = self.matcher
        matcher.reset()
        taken = matcher.accept_bytes(guide)
        mask = {int(token) for token in matcher.allowed_token_ids()}
        each = {token for token in range(len(self.bytes)) if matcher.validate_tokens([token]) == 1}
        if mask != each:
            differ = [self.bytes[token] for token in sorted(mask ^ each)][:5]
            raise DeadEnd(f"after {guide[:taken]!r} mask and accept differ in {differ}")
