"""Checks the suite against the programs that define its languages: lark, re, json, and for schemas
the naive validator of the tests.

    python tests/suite/verify.py [FILE ...]

Needs Python 3.11 and the package `lark`. Without arguments every file beside this one is checked,
but for GBNF, which nothing in Python defines.
Prints each case whose verdict differs; exits with status 1 if there was one.
"""

import json
import re
import sys
import tomllib
from pathlib import Path

import lark

SUITE = Path(__file__).resolve().parent
ROOT = SUITE.parent.parent
SCHEMAS = SUITE / "json_schema"
sys.path.insert(0, str(ROOT / "tests" / "python"))

from json_schema import suite_cases  # noqa: E402

KINDS = ("lark", "lark_text", "json", "regex", "choices")


def lark_recognizer(text, lexer):
    parser = lark.Lark(text, parser="earley", lexer=lexer, start="start")

    def accepts(candidate):
        try:
            parser.parse(candidate)
        except lark.exceptions.UnexpectedInput:
            return False
        return True

    return accepts


STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*"')
LONE_SURROGATE = re.compile(r"[\ud800-\udfff]")
GAPS = {"any": r"[ \t\r\n]*", "bounded": r"(?:[ \t]{0,8}|\r?\n[ \t]{0,256})", "none": ""}


def json_recognizer(whitespace):
    gap = re.compile(GAPS[whitespace])

    def refuse_constant(name):
        raise ValueError(name)

    def accepts(candidate):
        try:
            value = json.loads(candidate, parse_constant=refuse_constant)
        except ValueError:
            return False
        # A lone surrogate is what the engine adds to json.loads' rules.
        if LONE_SURROGATE.search(json.dumps(value, ensure_ascii=False)):
            return False
        return all(
            gap.fullmatch(part)
            for part in re.split(r"[\[\]{}:,]|[^\s\[\]{}:,]+", STRING.sub("0", candidate))
        )

    return accepts


def recognizer(grammar, lexer):
    [(kind, value)] = grammar.items()
    if kind == "lark":
        return lark_recognizer((ROOT / value).read_text(encoding="utf-8"), lexer)
    if kind == "lark_text":
        return lark_recognizer(value, lexer)
    if kind == "json":
        return json_recognizer(value)
    if kind == "regex":
        return lambda candidate: re.fullmatch(value, candidate) is not None
    return lambda candidate: candidate in value


def cases(path):
    document = tomllib.loads(path.read_text(encoding="utf-8"))
    if "grammar" in document:
        yield path.stem, document["grammar"], document
    for number, case in enumerate(document.get("case", []), 1):
        grammar = {kind: case[kind] for kind in KINDS if kind in case}
        assert len(grammar) == 1, f"{path}: case {number} needs exactly one of {KINDS}"
        yield case.get("name", str(number)), grammar, case


def main(paths):
    wrong = counted = 0
    for case in suite_cases.cases([path for path in paths if path.parent == SCHEMAS]):
        counted += sum(len(case.texts(key)) for key in suite_cases.TEXTS)
        for difference in suite_cases.disagreements(case):
            wrong += 1
            print(difference)
    for path in (path for path in paths if path.parent != SCHEMAS):
        for name, grammar, case in cases(path):
            unknown = set(case) - {"name", "grammar", "lexer", "accepts", "rejects", *KINDS}
            assert not unknown, f"{path}, {name}: unknown keys {sorted(unknown)}"
            assert not set(case["accepts"]) & set(case["rejects"]), (
                f"{path}, {name}: a text on both sides"
            )
            for lexer in [case["lexer"]] if "lexer" in case else ["dynamic", "dynamic_complete"]:
                if not {"lark", "lark_text"} & set(grammar) and lexer != "dynamic":
                    continue
                if "lark" in grammar and lexer != "dynamic":
                    continue
                try:
                    accepts = recognizer(grammar, lexer)
                except (lark.exceptions.LarkError, re.error) as error:
                    wrong += 1
                    print(f"{path.name}, {name}, {lexer}: does not load: {error}")
                    continue
                for verdict, texts in ((True, case["accepts"]), (False, case["rejects"])):
                    for text in texts:
                        counted += 1
                        if accepts(text) != verdict:
                            wrong += 1
                            print(
                                f"{path.name}, {name}, {lexer}: "
                                f"{'accepts' if verdict else 'rejects'} {text!r}"
                            )
    print(f"{counted} verdicts, {wrong} differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    files = [Path(argument).resolve() for argument in sys.argv[1:]] or sorted(
        set(SUITE.rglob("*.toml")) - {SUITE / "gbnf.toml"}
    )
    sys.exit(main(files))
