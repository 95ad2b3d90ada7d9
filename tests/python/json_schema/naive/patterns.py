"""Patterns of ECMA-262 in Unicode mode, as patterns of Python's `re`.

Not covered, and raised as `PatternNotCovered`: look-behind of varying width, scripts
(`\\p{Script=...}`), and flags inside groups. What Unicode mode refuses but the older mode takes
(`\\-` outside of a class) is read as the older mode does. Malformed patterns raise `re.error`.
"""

import re
import sys
import unicodedata
from functools import cache, lru_cache

Ranges = list[tuple[int, int]]

DIGIT: Ranges = [(48, 57)]
WORD: Ranges = [(48, 57), (65, 90), (95, 95), (97, 122)]
SPACE: Ranges = [
    *((9, 13), (32, 32), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A)),
    *((0x2028, 0x2029), (0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000), (0xFEFF, 0xFEFF)),
]
LINE_ENDS: Ranges = [(10, 10), (13, 13), (0x2028, 0x2029)]
CONTROLS = {"f": 12, "n": 10, "r": 13, "t": 9, "v": 11}
CATEGORIES = {
    "Letter": "L",
    "Lowercase_Letter": "Ll",
    "Uppercase_Letter": "Lu",
    "Titlecase_Letter": "Lt",
    "Modifier_Letter": "Lm",
    "Other_Letter": "Lo",
    "Mark": "M",
    "Number": "N",
    "Decimal_Number": "Nd",
    "digit": "Nd",
    "Letter_Number": "Nl",
    "Other_Number": "No",
    "Punctuation": "P",
    "punct": "P",
    "Symbol": "S",
    "Currency_Symbol": "Sc",
    "Separator": "Z",
    "Space_Separator": "Zs",
    "Other": "C",
    "Control": "Cc",
    "cntrl": "Cc",
}
WORD_AFTER, WORD_BEFORE = "(?=[0-9A-Za-z_])", "(?<=[0-9A-Za-z_])"
NO_WORD_AFTER, NO_WORD_BEFORE = "(?![0-9A-Za-z_])", "(?<![0-9A-Za-z_])"
BOUNDARY = f"(?:{WORD_BEFORE}{NO_WORD_AFTER}|{NO_WORD_BEFORE}{WORD_AFTER})"
NO_BOUNDARY = f"(?:{WORD_BEFORE}{WORD_AFTER}|{NO_WORD_BEFORE}{NO_WORD_AFTER})"


class PatternNotCovered(ValueError):
    """A pattern that this oracle gives no verdict on."""


def found(source: str, text: str) -> bool:
    """Whether the pattern matches anywhere in the text."""
    by_category = "\\p" in source or "\\P" in source
    if by_category and any(unicodedata.category(character) == "Cn" for character in text):
        raise PatternNotCovered("a character that this Python's Unicode does not know")
    return compiled(source).search(text) is not None


@lru_cache(maxsize=2000)
def compiled(source: str) -> re.Pattern[str]:
    try:
        return re.compile(Translation(source).whole())
    except re.error as error:
        if "fixed-width" in str(error):
            raise PatternNotCovered(source) from None
        raise


def complement(ranges: Ranges) -> Ranges:
    gaps, start = [], 0
    for low, high in sorted(ranges):
        if low > start:
            gaps.append((start, low - 1))
        start = max(start, high + 1)
    return [*gaps, (start, sys.maxunicode)] if start <= sys.maxunicode else gaps


def written(ranges: Ranges) -> str:
    """A class of these ranges in Python's notation; no range at all matches nothing."""
    if not ranges:
        return "(?!)"
    return "[" + "".join(f"\\U{low:08x}-\\U{high:08x}" for low, high in ranges) + "]"


@cache
def with_property(name: str) -> tuple[tuple[int, int], ...]:
    key, _, value = name.partition("=")
    if value and key not in ("General_Category", "gc"):
        raise PatternNotCovered(f"the property {name}")
    name = value or name
    if name == "Any":
        return ((0, sys.maxunicode),)
    if name == "ASCII":
        return ((0, 127),)
    short = CATEGORIES.get(name, name)
    if not re.fullmatch("[LMNPSZC][a-z]?", short):
        raise PatternNotCovered(f"the property {name}")
    ranges: Ranges = []
    for code in range(sys.maxunicode + 1):
        if unicodedata.category(chr(code)).startswith(short):
            if ranges and ranges[-1][1] == code - 1:
                ranges[-1] = (ranges[-1][0], code)
            else:
                ranges.append((code, code))
    return tuple(ranges)


class Translation:
    """Reads a pattern from left to right and writes Python's."""

    def __init__(self, source: str) -> None:
        self.source, self.at = source, 0

    def fail(self, message: str) -> re.error:
        return re.error(message, self.source, self.at)

    def next(self) -> str:
        if self.at >= len(self.source):
            raise self.fail("the pattern ends too early")
        self.at += 1
        return self.source[self.at - 1]

    def take(self, expected: str) -> re.Match[str] | None:
        match = re.compile(expected).match(self.source, self.at)
        if match:
            self.at = match.end()
        return match

    def whole(self) -> str:
        parts = []
        while self.at < len(self.source):
            parts.append(self.part())
        return "".join(parts)

    def part(self) -> str:
        if self.take(r"\(\?<(?![=!])"):
            name = self.take("[A-Za-z_$][A-Za-z0-9_$]*>")
            if not name:
                raise self.fail("no name")
            return f"(?P<{name[0].replace('$', '_')}"
        if prefix := self.take(r"\(\?(?:[:=!]|<[=!])"):
            return prefix[0]
        if self.take(r"\(\?"):
            raise PatternNotCovered(self.source)
        if count := self.take(r"\{[0-9]+(?:,[0-9]*)?\}\??"):
            return count[0]
        if repeat := self.take(r"[*+?]\??"):
            if self.take(r"\+"):
                raise self.fail("nothing to repeat")
            return repeat[0]
        character = self.next()
        match character:
            case "^":
                return "^"
            case "$":
                return r"\Z"
            case ".":
                return written(complement(LINE_ENDS))
            case "(" | ")" | "|":
                return character
            case "[":
                return self.class_()
            case "\\":
                return self.escape()
            case _:
                return re.escape(character)

    def escape(self) -> str:
        if self.take("b"):
            return BOUNDARY
        if self.take("B"):
            return NO_BOUNDARY
        if back := self.take("k<([A-Za-z_][A-Za-z0-9_]*)>"):
            return f"(?P={back[1]})"
        if back := self.take("[1-9][0-9]*"):
            return f"(?:\\{back[0]})"
        return written(self.escaped())

    def escaped(self) -> Ranges:
        """What a backslash and what follows it stand for, inside a class or outside."""
        if name := self.take(r"[pP]\{([^}]*)\}"):
            ranges = list(with_property(name[1]))
            return complement(ranges) if name[0][0] == "P" else ranges
        if pair := self.take("u([dD][89abAB][0-9a-fA-F]{2})\\\\u([dD][c-fC-F][0-9a-fA-F]{2})"):
            high, low = int(pair[1], 16), int(pair[2], 16)
            return single(0x10000 + ((high - 0xD800) << 10) + low - 0xDC00)
        for form in (r"u\{([0-9a-fA-F]+)\}", "u([0-9a-fA-F]{4})", "x([0-9a-fA-F]{2})"):
            if match := self.take(form):
                return single(int(match[1], 16))
        if match := self.take("c([A-Za-z])"):
            return single(ord(match[1]) % 32)
        if self.take("0(?![0-9])"):
            return single(0)
        character = self.next()
        if character in "dws":
            return {"d": DIGIT, "w": WORD, "s": SPACE}[character]
        if character in "DWS":
            return complement({"D": DIGIT, "W": WORD, "S": SPACE}[character])
        if character in CONTROLS:
            return single(CONTROLS[character])
        if character in "ux" or character.isdigit():
            raise self.fail("a malformed escape")
        return single(ord(character))

    def class_(self) -> str:
        negated = self.take(r"\^") is not None
        ranges: Ranges = []
        while not self.take(r"\]"):
            low = self.class_atom()
            if self.take(r"-(?!\])"):
                high = self.class_atom()
                if is_single(low) and is_single(high):
                    if low[0][0] > high[0][0]:
                        raise self.fail("a range in the wrong order")
                    ranges.append((low[0][0], high[0][0]))
                    continue
                ranges += [*high, (45, 45)]
            ranges += low
        return written(complement(ranges) if negated else ranges)

    def class_atom(self) -> Ranges:
        if self.take(r"\\b"):
            return single(8)
        if self.take(r"\\"):
            return self.escaped()
        return single(ord(self.next()))


def single(code: int) -> Ranges:
    return [(code, code)]


def is_single(ranges: Ranges) -> bool:
    return len(ranges) == 1 and ranges[0][0] == ranges[0][1]
