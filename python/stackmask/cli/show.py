"""How bytes and places are shown to a person."""

import json


def shown(data: bytes) -> str:
    """Bytes as a quoted text; what is no UTF-8 as `\\xHH`."""
    try:
        return json.dumps(data.decode(), ensure_ascii=False)
    except UnicodeDecodeError:
        inner = "".join(chr(b) if 32 <= b < 127 and b != 34 else f"\\x{b:02x}" for b in data)
        return f'"{inner}"'


def place(text: bytes, at: int) -> tuple[int, int, str, str]:
    """Line and column of byte `at`, from 1, and that line with a caret below it."""
    start = text.rfind(b"\n", 0, at) + 1
    end = text.find(b"\n", at)
    line = text[start : len(text) if end < 0 else end].decode(errors="replace").rstrip("\r")
    before = text[start:at].decode(errors="replace")
    number = text.count(b"\n", 0, at) + 1
    pad = "".join("\t" if character == "\t" else " " for character in before)
    return number, len(before) + 1, line, f"{pad}^"


def ranges(followers: bytes) -> str:
    """A set of bytes in words: runs of neighbours as `a-z`."""
    if len(followers) == 256:
        return "any byte"
    parts = []
    values = sorted(followers)
    while values:
        first = last = values.pop(0)
        while values and values[0] == last + 1 and _kind(values[0]) == _kind(first):
            last = values.pop(0)
        names = [_name(first)] if first == last else [_name(first), _name(last)]
        parts.append(("-" if last - first > 1 else " ").join(names))
    return " ".join(parts)


def _kind(byte: int) -> str:
    character = chr(byte)
    if byte >= 0x80:
        return "beyond ASCII"
    for kind in ("isdigit", "isupper", "islower"):
        if getattr(character, kind)():
            return kind
    return "other" if character.isprintable() else "control"


def _name(byte: int) -> str:
    names = {9: "\\t", 10: "\\n", 13: "\\r", 32: "space"}
    if byte in names:
        return names[byte]
    return chr(byte) if 33 <= byte < 127 else f"\\x{byte:02x}"
