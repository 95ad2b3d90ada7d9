"""Matchers for loops that show whole sequences of token ids instead of single steps.

Such loops permute rows (beams), shorten them (a draft that was refused) and call more than once for
the same prefix. So a matcher is found by the ids it has read, never by how often it was asked.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stackmask._native import CompiledGrammar, GrammarMatcher

Ids = npt.NDArray[np.int64]


@dataclass(slots=True)
class Row:
    """A matcher and how many ids of its row it has read."""

    compiled: CompiledGrammar
    matcher: GrammarMatcher
    read: int = 0

    def extend(self, ids: Ids) -> None:
        """Read more ids, up to the end of the text or to one that the grammar refuses."""
        size = self.compiled.vocabulary.vocab_size
        # What a model pads with may be no token at all: it fits no grammar.
        outside = np.flatnonzero((ids < 0) | (ids >= size))
        inside = ids[: outside[0]] if len(outside) else ids
        self.read += self.matcher.accept_tokens(inside.tolist())

    def step(self, token: int) -> None:
        """Read one more id."""
        if 0 <= token < self.compiled.vocabulary.vocab_size:
            self.read += self.matcher.accept_token(token)


class Prefixes:
    """The rows of a batch as the loop showed them last."""

    def __init__(self) -> None:
        self._ids: Ids = np.empty((0, 0), dtype=np.int64)
        self._rows: list[Row] = []

    def find(self, ids: Ids, grammars: Sequence[CompiledGrammar]) -> list[Row]:
        """A row for each row of `ids`, `(rows, length)`, under the grammar of the same index."""
        grown = ids.shape[1] - 1
        if self._ids.shape == (len(ids), grown) and (self._ids == ids[:, :-1]).all():
            last = ids[:, -1].tolist()
            for row, grammar, token in zip(self._rows, grammars, last, strict=True):
                if row.compiled is not grammar:
                    break
                if row.read == grown:
                    row.step(token)
            else:
                self._ids = ids.copy()
                return self._rows
            # Rows before the one of another grammar have read one id more than is noted.
            self._ids, self._rows = np.empty((0, 0), dtype=np.int64), []
        self._rows = self._search(ids, grammars)
        self._ids = ids.copy()
        return self._rows

    def _search(self, ids: Ids, grammars: Sequence[CompiledGrammar]) -> list[Row]:
        parents = [self._closest(row, grammar) for row, grammar in zip(ids, grammars, strict=True)]
        # A matcher that several rows come from is forked for all of them but the last.
        last_use = {parent: at for at, (parent, _) in enumerate(parents)}
        rows = []
        for at, (wanted, grammar) in enumerate(zip(ids, grammars, strict=True)):
            parent, common = parents[at]
            if parent < 0:
                row = Row(grammar, grammar.matcher())
            else:
                known = self._rows[parent]
                matcher = known.matcher if last_use[parent] == at else known.matcher.fork()
                matcher.rollback(matcher.num_accepted - common)
                row = Row(grammar, matcher, common)
            row.extend(wanted[common:])
            rows.append(row)
        return rows

    def _closest(self, ids: Ids, grammar: CompiledGrammar) -> tuple[int, int]:
        """The known row that shares most with `ids`, and how much of that it has read."""
        best, length = -1, -1
        for at, known in enumerate(self._rows):
            if known.compiled is grammar:
                common = min(_common(self._ids[at], ids), known.read)
                if common > length:
                    best, length = at, common
        return best, max(length, 0)


def _common(a: Ids, b: Ids) -> int:
    """The length of the longest common prefix."""
    length = min(len(a), len(b))
    different = np.flatnonzero(a[:length] != b[:length])
    return int(different[0]) if len(different) else length
