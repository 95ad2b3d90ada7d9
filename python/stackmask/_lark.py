"""Reads `lark.Lark` objects: their grammar's source and options, without importing `lark`."""

import os
import re
import sys
from typing import Any

from stackmask._native import GrammarError

# Options that change which texts are accepted, or how, with the values that are understood.
_ENFORCED: dict[str, tuple[object, ...]] = {
    "parser": ("earley",),
    "lexer": ("dynamic", "dynamic_complete"),
    "postlex": (None,),
    "edit_terminals": (None,),
    "use_bytes": (False,),
    "regex": (False, True),
    "_plugins": ({}, None),
}
_MENDS = {
    "parser": 'build it with parser="earley"',
    "lexer": 'build it with lexer="dynamic" or "dynamic_complete"',
    "postlex": "give the grammar's text, and indenter=... if it is an Indenter",
    "edit_terminals": "edit the grammar's text",
}
# What the module `regex` reads where `re` reads plain characters.
_FUZZY = re.compile(r"\{[^{}]*[<=][^{}]*\}|\[\[:")
_FLAGS = {re.I: "i", re.M: "m", re.S: "s", re.X: "x", re.A: "a", re.U: ""}


def read(parser: Any, start: str | None) -> dict[str, Any] | None:
    """What is needed of a parser to read its grammar; None if it is no `lark.Lark`.

    Raises:
        GrammarError: It has an option that cannot be enforced, named with its value.
    """
    options: Any = getattr(parser, "options", None)
    if not hasattr(options, "parser") or not hasattr(parser, "source_path"):
        return None
    for name, allowed in _ENFORCED.items():
        value = getattr(options, name)
        if value not in allowed:
            mend = f": {_MENDS[name]}" if name in _MENDS else ""
            raise GrammarError(f"a Lark object with {name}={value!r} is not supported{mend}")
    if options.regex:
        _check_regexes(parser)
    text = getattr(parser, "source_grammar", None)
    if not isinstance(text, str):
        raise GrammarError("a Lark object that was not built from a text is not supported")
    paths = options.import_paths
    for path in paths:
        if not isinstance(path, str | os.PathLike):
            raise GrammarError(f"import paths must be folders, not {path!r}")
    named = parser.source_path != "<string>"
    return {
        "text": text,
        "file": parser.source_path if named else None,
        "folder": _folder(),
        "start": _start(options.start, start),
        "lexer": options.lexer,
        "import_paths": paths,
        "flags": _flags(options.g_regex_flags),
    }


def indenter(value: Any) -> Any:
    """The indenter that an object is, or that a class makes.

    Raises:
        GrammarError: It does more than its attributes say.
    """
    made = value() if isinstance(value, type) else value
    for name in ("process", "_process", "handle_NL"):
        method = getattr(type(made), name, None)
        if method is not None and method.__module__ != "lark.indenter":
            raise GrammarError(
                f"an indenter with {name}() of its own is not supported: only what its attributes "
                "say is enforced"
            )
    return made


def _check_regexes(parser: Any) -> None:
    """Of what the module `regex` knows more than `re`, properties of characters are read."""
    for terminal in parser.terminals:
        if terminal.pattern.type == "re" and _FUZZY.search(terminal.pattern.value):
            raise GrammarError(
                f"terminal {terminal.name}: fuzzy matches and POSIX classes of the module regex "
                "are not supported"
            )


def _start(starts: list[str], chosen: str | None) -> str:
    if chosen is None:
        if len(starts) != 1:
            raise GrammarError(f"the Lark object has several start rules: choose one of {starts}")
        return starts[0]
    if chosen not in starts:
        raise GrammarError(f"the Lark object starts at one of {starts}, not at {chosen!r}")
    return chosen


def _flags(value: int) -> str:
    letters, left = "", int(value)
    for flag, letter in _FLAGS.items():
        if left & flag:
            letters += letter
            left &= ~int(flag)
    if left:
        raise GrammarError(f"a Lark object with g_regex_flags={int(value)} is not supported")
    return letters


def _folder() -> str:
    """Where Lark looks for relative imports of a grammar without a file: beside the script."""
    script = getattr(sys.modules["__main__"], "__file__", None)
    return os.path.dirname(os.path.abspath(script)) if script else os.path.abspath(os.curdir)
