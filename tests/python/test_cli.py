"""The command `stackmask`, and the page that shows it."""

import io
import json
import re
import shlex
import subprocess
import sys

import pytest

from conftest import ROOT
from stackmask.cli import main
from tokenizers_of_others import DEEPSEEK, GGUF

SQL = str(ROOT / "grammars" / "sql_select.lark")


@pytest.fixture
def run(capsys, monkeypatch):
    def call(*arguments, stdin=""):
        data = stdin if isinstance(stdin, bytes) else stdin.encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))
        status = main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return call


def test_generated_documents_fit_their_grammar(run):
    status, out, _ = run("generate", "--json", "-n", 8, "--max-tokens", 60)
    assert status == 0
    for line in out.split("\n")[:-1]:
        json.loads(line)
    status, out, _ = run("generate", "--regex", "[a-c]{3}-[0-9]", "-n", 20)
    assert status == 0
    assert all(re.fullmatch("[a-c]{3}-[0-9]", line) for line in out.splitlines())


def test_the_seed_decides(run):
    first = run("generate", "--json", "--seed", 3)
    assert run("generate", "--json", "--seed", 3) == first
    assert run("generate", "--json", "--seed", 4) != first


def test_gbnf(run, tmp_path):
    file = tmp_path / "grammar.gbnf"
    file.write_text('root ::= "é" [ab]+', encoding="utf-8")
    assert run("check", "--gbnf", file, stdin="éab")[0] == 0
    assert run("check", "--gbnf", file, stdin="éa|")[0] == 1
    file.write_text("root ::= a", encoding="utf-8")
    status, _, err = run("check", "--gbnf", file, stdin="")
    assert (status, "line 1, column 10" in err) == (2, True)


def test_choices_take_words_up_to_the_next_option(run):
    status, out, _ = run("generate", "--choices", "yes", "no", "-n", 12)
    assert status == 0
    assert set(out.split()) == {"yes", "no"}
    _, out, _ = run("generate", "--choices=-n", "-n", 1)
    assert out == "-n\n"


@pytest.mark.parametrize("vocabulary", [DEEPSEEK, GGUF], ids=["tokenizer.json", "gguf"])
def test_real_vocabularies(run, vocabulary):
    status, out, err = run(
        "generate", "--regex", "[ab]{2,9}", "--vocab", vocabulary, "-n", 3, "--seed", 1
    )
    assert (status, err) == (0, "")
    assert all(re.fullmatch("[ab]{2,9}", line) for line in out.splitlines())


def test_check_accepts(run, tmp_path):
    assert run("check", "--json", stdin='{"a": [1]}\n') == (0, "accepted: 10 bytes\n", "")
    path = tmp_path / "query.sql"
    path.write_text("SELECT a FROM t")
    assert run("check", "--lark", SQL, path)[0] == 0
    assert run("check", "--regex", r"a\n", "--keep-newline", stdin="a\n")[0] == 0
    assert run("check", "--regex", r"a\n", stdin="a\n")[0] == 1


def test_check_shows_the_place_and_what_could_follow(run):
    status, out, _ = run("check", "--json", "--whitespace", "any", stdin='{"ä": 1,\n\t"b" 2}')
    assert status == 1
    assert out.splitlines() == [
        "standard input, line 2, column 6 (byte 15): refused",
        '    \t"b" 2}',
        "    \t    ^",
        "could follow: \\t \\n \\r space :",
    ]
    status, out, _ = run("check", "--regex", "ab|abc", stdin="abx")
    assert out.splitlines()[-1] == "could follow: c, or the end of the text"
    status, out, _ = run("check", "--choices", "yes", stdin="ye")
    assert "ends too early" in out
    assert status == 1


def test_choices_end_before_a_file(run, tmp_path):
    path = tmp_path / "answer"
    path.write_text("no")
    assert run("check", path, "--choices", "yes", "no")[0] == 0
    assert run("check", "--choices", "yes", "no", "--", path)[0] == 0
    assert run("check", "--choices", "yes", "--start", "start", path)[0] == 1


def test_a_refused_prefix(run):
    status, out, err = run("mask", "--choices", "a", "--prefix", "b")
    assert (status, out) == (1, "")
    assert "refused at byte 0" in err


def test_check_of_bytes_that_are_no_text(run):
    status, out, _ = run("check", "--json", stdin=b'"\xff"')
    assert status == 1
    assert "byte 1" in out


def test_mask_lists_the_tokens(run):
    status, out, _ = run("mask", "--choices", "yes", "you", "--prefix", "y")
    assert status == 0
    assert out.splitlines() == [
        "2 of 257 tokens may follow",
        " id  bytes  text",
        '101     65  "e"',
        '111     6f  "o"',
    ]
    _, out, _ = run("mask", "--choices", "y", "--prefix", "y")
    assert out.splitlines()[-1] == "256         end of the text"


def test_mask_for_other_programs(run):
    _, out, _ = run("mask", "--choices", "yes", "you", "--prefix", "y", "--as-json")
    answer = json.loads(out)
    assert answer["tokens"] == [{"id": 101, "bytes": "65"}, {"id": 111, "bytes": "6f"}]
    assert (answer["allowed"], answer["completed"], answer["vocab_size"]) == (2, False, 257)


def test_a_trace_follows_the_text(run):
    status, out, _ = run(
        "mask", "--json", "--vocab", DEEPSEEK, "--prefix", '{"a": 1', "--trace", "--as-json"
    )
    steps = json.loads(out)["steps"]
    assert status == 0
    assert steps[0]["at"] == 0
    assert steps[-1]["at"] == 7
    assert all(step["allowed"] > 0 for step in steps)
    status, out, _ = run("mask", "--json", "--prefix", "[]]", "--trace", "--as-json")
    assert status == 1
    assert json.loads(out)["refused"] == 2


def test_long_lists_are_cut(run):
    _, out, _ = run("mask", "--regex", "[a-z]", "--limit", 5)
    assert out.splitlines()[-1] == "... and 21 more (--limit 0 shows all)"
    _, out, _ = run("mask", "--regex", "[a-z]", "--limit", 0)
    assert len(out.splitlines()) == 28


def test_info(run):
    _, out, _ = run("info", "--lark", SQL, "--as-json")
    figures = json.loads(out)
    assert figures["rules"] > 10
    assert figures["terminals"] > 10
    assert figures["states"] > 0
    assert figures["memory_bytes"] > 0
    assert figures["warnings"] == []
    status, out, _ = run("info", "--json")
    assert status == 0
    assert "memory bytes" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["generate"], "name one grammar"),
        (["generate", "--json", "--regex", "a"], "name one grammar"),
        (["check", "--lark", "nowhere.lark"], "nowhere.lark"),
        (["check", "--json", "nowhere.txt"], "nowhere.txt"),
        (["mask", "--regex", "[a"], "line 1, column 1"),
        (["mask", "--json", "--vocab", "nowhere.json"], "nowhere.json"),
        (["generate", "--json", "-n", "-1"], "-n"),
        (["nothing"], "nothing"),
        (["mask", "--json", "--whitespace", "some"], "some"),
    ],
)
def test_errors_go_to_standard_error_with_status_2(run, arguments, message):
    status, out, err = run(*arguments)
    assert status == 2
    assert out == ""
    assert message in err
    assert "Traceback" not in err


LINTED = """
start: "if" NAME body | loop WS
body: /[^!]+/ "x"
loop: " "* "a"
NAME: /[a-z]+/
WS: /[ \\n]+/
%ignore /[ \\t]+/
UNUSED: "u"
"""


def test_lint(run, tmp_path):
    path = tmp_path / "g.lark"
    path.write_text(LINTED)
    status, out, err = run("lint", path)
    assert (status, err) == (1, "")
    for message in (
        'terminal "UNUSED" is unused',
        'rule "body" can never end',
        'terminal "NAME" also matches "if", "x", "a"',
        'terminal "WS" matches blanks without end',
        'terminal "__IGNORE_0" is ignored',
        'rule "loop" repeats blanks without end',
    ):
        assert message in out, out
    path.write_text('start: "a" MISSING')
    status, out, _ = run("lint", path)
    assert status == 1
    assert "`MISSING` is used but not defined" in out
    path.write_text('start: "a" b\nb: b "c"')
    assert "can produce no finite text" in run("lint", path)[1]
    path.write_text('start: "a" /[0-9]+/')
    assert run("lint", path) == (0, f"{path}: nothing to remark\n", "")


@pytest.mark.parametrize("command", ["generate", "check", "mask", "info", "lint"])
def test_help_has_an_example_that_runs(run, command, monkeypatch):
    status, out, _ = run(command, "--help")
    assert status == 0
    example = re.search(r"Example:(.*)", out, re.S).group(1)
    words = shlex.split(" ".join(example.split()))
    words = words[words.index("stackmask") + 1 :]
    assert words[0] == command
    monkeypatch.chdir(ROOT)
    status, _, err = run(*words, stdin='{"a": 1,}\n')
    assert status == (1 if command in ("check", "lint") else 0)
    assert err == ""


PAGE = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
SESSIONS = re.findall(r"^```console\n\$ (.*?)\n(.*?)^```", PAGE, re.M | re.S)


@pytest.mark.parametrize(("line", "expected"), SESSIONS)
def test_the_page_shows_what_happens(run, line, expected, monkeypatch):
    monkeypatch.chdir(ROOT)
    echo, _, command = line.rpartition(" | ")
    stdin = shlex.split(echo)[1] + "\n" if echo else ""
    name, *arguments = shlex.split(command)
    assert name == "stackmask"
    _, out, err = run(*arguments, stdin=stdin)
    assert out + err == expected


@pytest.mark.parametrize(
    ("closed", "words", "why"),
    [
        ("stdin", ["check", "--json"], "standard input is closed"),
        ("stdout", ["generate", "--json"], "standard output is closed"),
    ],
)
def test_closed_streams_are_errors(run, monkeypatch, capsys, closed, words, why) -> None:
    # What Python makes of a stream that the caller closed.
    monkeypatch.setattr(sys, closed, None)
    assert main(words) == 2
    assert why in capsys.readouterr().err


def test_a_reader_that_leaves_is_no_refusal() -> None:
    command = [sys.executable, "-m", "stackmask", "generate", "--regex", "a{1000}", "-n", "2000"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.read(10)
        process.stdout.close()
    assert process.returncode == 2


def test_the_empty_pattern_is_a_grammar(run) -> None:
    assert run("check", "--regex", "", stdin="") == (0, "accepted: 0 bytes\n", "")
    assert run("check", "--regex", "", stdin="a")[0] == 1
    assert run("check", "--json", "--regex", "", stdin="")[0] == 2


@pytest.mark.parametrize("option", ["--schema", "--gbnf", "--vocab"])
def test_files_that_are_no_text_are_named(run, tmp_path, option) -> None:
    file = tmp_path / "bytes"
    file.write_bytes(b"ab\xff")
    more = ["--json"] if option == "--vocab" else []
    command = "check" if option != "--vocab" else "mask"
    status, _, err = run(command, *more, option, file, stdin="")
    assert status == 2
    assert f"{file}: no text in UTF-8 at byte 2" in err


def test_a_negative_seed_is_named(run) -> None:
    status, _, err = run("generate", "--json", "--seed", "-1")
    assert status == 2
    assert "--seed" in err
