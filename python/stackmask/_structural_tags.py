"""Structural tags: free text until a trigger, then a grammar, then free text.

A specification becomes a tree of parts, which the engine puts together to one grammar. Read by
`Grammar.from_structural_tag`.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from stackmask._native import Grammar, GrammarError, compose

Part: TypeAlias = tuple[Any, ...]

#: Nesting of formats within formats.
DEPTH = 64
_FIELDS = {
    "const_string": {"value"},
    "json_schema": {"json_schema", "style"},
    "regex": {"pattern"},
    "grammar": {"grammar"},
    "any_text": {"excludes", "excluded_str"},
    "token": {"token"},
    "sequence": {"elements"},
    "or": {"elements"},
    "optional": {"content"},
    "plus": {"content"},
    "star": {"content"},
    "repeat": {"content", "min", "max"},
    "tag": {"begin", "content", "end"},
    "triggered_tags": {
        "triggers",
        "tags",
        "at_least_one",
        "stop_after_first",
        "excludes",
        "excluded_str",
    },
    "tags_with_separator": {"tags", "separator", "at_least_one", "stop_after_first"},
}


def grammar_of(
    spec: str | Mapping[str, Any],
    tokens: Mapping[str, int] | None,
    json_options: Mapping[str, Any] | None,
) -> Grammar:
    """See `Grammar.from_structural_tag`."""
    if isinstance(spec, str):
        try:
            spec = json.loads(spec)
        except (ValueError, RecursionError) as error:
            raise GrammarError(f"the structural tag is no JSON: {error}") from error
    if not isinstance(spec, Mapping):
        raise GrammarError("a structural tag is an object")
    reader = _Reader(
        {} if tokens is None else tokens, {"additional_properties": False, **(json_options or {})}
    )
    if spec.get("type") == "structural_tag" and "structures" in spec:
        return compose(reader.legacy(spec))
    if spec.get("type") == "structural_tag" and "format" in spec:
        _only(spec, {"type", "format"}, "the structural tag")
        spec = spec["format"]
    return compose(reader.format(spec, (), "format"))


class _Reader:
    def __init__(self, tokens: Mapping[str, int], json_options: Mapping[str, Any]) -> None:
        for name, id in tokens.items():
            if not name or isinstance(id, bool) or not isinstance(id, int):
                raise GrammarError(f"tokens map texts to ids, not {name!r} to {id!r}")
        self.tokens = tokens
        # The longest first, so that a text with several readings has one.
        self.names = sorted(tokens, key=lambda name: (-len(name), name))
        self.json_options = json_options
        self.depth = 0

    def legacy(self, spec: Mapping[str, Any]) -> Part:
        """`structures` and `triggers`, as servers took them before there were formats."""
        _only(spec, {"type", "structures", "triggers"}, "the structural tag")
        tags = []
        for at, structure in enumerate(_list(spec, "structures", "the structural tag")):
            where = f"structures/{at}"
            if not isinstance(structure, Mapping):
                raise GrammarError(f"{where} is no object")
            _only(structure, {"begin", "schema", "end"}, where)
            content = {"type": "json_schema", "json_schema": structure.get("schema") or {}}
            tags.append(
                {"begin": structure.get("begin"), "content": content, "end": structure.get("end")}
            )
        format = {"type": "triggered_tags", "triggers": spec.get("triggers"), "tags": tags}
        return self.format(format, (), "format")

    def format(self, spec: Any, ends: tuple[str, ...], where: str) -> Part:
        """A format. Free text in it does not hold any of `ends`, which end what is around it."""
        if not isinstance(spec, Mapping):
            raise GrammarError(f"{where} is no object")
        kind = spec.get("type", "tag" if "begin" in spec else None)
        if kind not in _FIELDS:
            known = ", ".join(sorted(_FIELDS))
            raise GrammarError(f"{where}: formats of type {kind!r} are not supported, only {known}")
        _only(spec, {"type", *_FIELDS[kind]}, where)
        if self.depth >= DEPTH:
            raise GrammarError(f"{where} is nested more than {DEPTH} deep")
        self.depth += 1
        part: Part = getattr(self, f"_{kind}")(spec, ends, where)
        self.depth -= 1
        return part

    def _const_string(self, spec: Mapping[str, Any], ends: tuple[str, ...], where: str) -> Part:
        return self.literal(_text(spec, "value", where))

    def _json_schema(self, spec: Mapping[str, Any], ends: tuple[str, ...], where: str) -> Part:
        if spec.get("style", "json") != "json":
            raise GrammarError(f"{where}: only schemas of style json are supported")
        if "json_schema" not in spec:
            raise GrammarError(f"{where} needs a field json_schema")
        return "grammar", Grammar.from_json_schema(spec["json_schema"], **self.json_options)

    def _regex(self, spec: Mapping[str, Any], ends: tuple[str, ...], where: str) -> Part:
        return "grammar", Grammar.from_regex(_text(spec, "pattern", where))

    def _grammar(self, spec: Mapping[str, Any], ends: tuple[str, ...], where: str) -> Part:
        text = _text(spec, "grammar", where)
        if "::=" in text:
            raise GrammarError(f"{where}: grammars in EBNF are not supported")
        return "grammar", Grammar.from_lark(text)

    def _any_text(self, spec: Mapping[str, Any], ends: tuple[str, ...], where: str) -> Part:
        return "text", [*_excluded(spec, where), *ends], None

    def _token(self, spec: Mapping[str, Any], ends: tuple[str, ...], where: str) -> Part:
        return self.token(spec, where)

    def _sequence(self, spec: Mapping[str, Any], ends: tuple[str, ...], where: str) -> Part:
        return "sequence", self.elements(spec, ends, where)

    def _or(self, spec: Mapping[str, Any], ends: tuple[str, ...], where: str) -> Part:
        return "any", self.elements(spec, ends, where)

    def _optional(self, spec: Mapping[str, Any], ends: tuple[str, ...], where: str) -> Part:
        return "repeat", self.content(spec, ends, where), 0, 1

    def _plus(self, spec: Mapping[str, Any], ends: tuple[str, ...], where: str) -> Part:
        return "repeat", self.content(spec, ends, where), 1, None

    def _star(self, spec: Mapping[str, Any], ends: tuple[str, ...], where: str) -> Part:
        return "repeat", self.content(spec, ends, where), 0, None

    def _repeat(self, spec: Mapping[str, Any], ends: tuple[str, ...], where: str) -> Part:
        least, most = spec.get("min", 0), spec.get("max")
        most = None if most == -1 else most
        for bound in (least, 0 if most is None else most):
            if isinstance(bound, bool) or not isinstance(bound, int) or not 0 <= bound < 2**32:
                raise GrammarError(f"{where}: {bound!r} is no number of repetitions")
        if most is not None and most < least:
            raise GrammarError(f"{where}: max is less than min")
        return "repeat", self.content(spec, ends, where), least, most

    def _tag(self, spec: Mapping[str, Any], ends: tuple[str, ...], where: str) -> Part:
        return self.tag(spec, ends, where, None)

    def _triggered_tags(self, spec: Mapping[str, Any], ends: tuple[str, ...], where: str) -> Part:
        triggers = _texts(spec, "triggers", where)
        tags = _list(spec, "tags", where)
        at_least_one = _flag(spec, "at_least_one", where)
        by_trigger: dict[str, list[Part]] = {trigger: [] for trigger in triggers}
        whole = []
        for at, tag in enumerate(tags):
            place = f"{where}/tags/{at}"
            begin = self.begin(tag, place)
            found = [trigger for trigger in triggers if begin.startswith(trigger)]
            if len(found) != 1:
                raise GrammarError(
                    f"{place}: the begin {begin!r} must start with one trigger, not {len(found)}"
                )
            by_trigger[found[0]].append(self.tag(tag, ends, place, found[0]))
            if at_least_one:
                whole.append(self.tag(tag, ends, place, None))
        # A trigger that is a special token, or begins with one, is seen as that token.
        leads = {trigger: self.lead(trigger) for trigger in triggers}
        stops = [leads[trigger] or trigger for trigger in triggers]
        stops += [*_excluded(spec, where), *ends]
        free: Part = ("text", stops, None)
        calls: list[Part] = []
        for trigger, rests in by_trigger.items():
            if not rests:
                continue
            if leads[trigger]:
                until: list[Part] = [free, self.literal(trigger)]
            else:
                until = [("text", stops, stops.index(trigger))]
            calls.append(("sequence", [*until, ("any", rests)]))
        call: Part = ("any", calls)
        once = _flag(spec, "stop_after_first", where)
        if at_least_one:
            first: Part = ("any", whole)
            return first if once else ("sequence", [first, ("repeat", call, 0, None), free])
        if once:
            return "any", [call, free]
        return "sequence", [("repeat", call, 0, None), free]

    def _tags_with_separator(
        self, spec: Mapping[str, Any], ends: tuple[str, ...], where: str
    ) -> Part:
        separator = _text(spec, "separator", where)
        tags = _list(spec, "tags", where)
        tag: Part = (
            "any",
            [self.format(tag, ends, f"{where}/tags/{at}") for at, tag in enumerate(tags)],
        )
        if _flag(spec, "stop_after_first", where):
            some = tag
        else:
            further: Part = ("sequence", [self.literal(separator), tag])
            some = ("sequence", [tag, ("repeat", further, 0, None)])
        if _flag(spec, "at_least_one", where):
            return some
        return "repeat", some, 0, 1

    def elements(self, spec: Mapping[str, Any], ends: tuple[str, ...], where: str) -> list[Part]:
        elements = _list(spec, "elements", where)
        return [
            self.format(element, ends, f"{where}/elements/{at}")
            for at, element in enumerate(elements)
        ]

    def content(self, spec: Mapping[str, Any], ends: tuple[str, ...], where: str) -> Part:
        if "content" not in spec:
            raise GrammarError(f"{where} needs a field content")
        return self.format(spec["content"], ends, f"{where}/content")

    def begin(self, tag: Any, where: str) -> str:
        if not isinstance(tag, Mapping) or tag.get("type", "tag") != "tag":
            raise GrammarError(f"{where} is no tag")
        begin = tag.get("begin")
        if not isinstance(begin, str):
            raise GrammarError(f"{where}: what starts with a trigger must be a text")
        return begin

    def tag(self, spec: Any, ends: tuple[str, ...], where: str, trigger: str | None) -> Part:
        """A tag, or what is left of it behind a trigger."""
        if not isinstance(spec, Mapping):
            raise GrammarError(f"{where} is no object")
        _only(spec, {"type", *_FIELDS["tag"]}, where)
        begin = spec.get("begin")
        if isinstance(begin, str):
            first = self.literal(begin if trigger is None else begin.removeprefix(trigger))
        elif isinstance(begin, Mapping) and begin.get("type") == "token":
            first = self.token(begin, f"{where}/begin")
        else:
            raise GrammarError(f"{where}/begin is neither a text nor a token")
        end = spec.get("end")
        inner: tuple[str, ...]
        if isinstance(end, Mapping) and end.get("type") == "token":
            last, inner = self.token(end, f"{where}/end"), ()
        else:
            texts = [end] if isinstance(end, str) else end
            if (
                not isinstance(texts, list)
                or not texts
                or not all(isinstance(text, str) for text in texts)
            ):
                raise GrammarError(f"{where}/end is neither a text, nor texts, nor a token")
            last = ("any", [self.literal(text) for text in texts])
            content = spec.get("content")
            if isinstance(content, Mapping) and content.get("type") == "any_text" and all(texts):
                return "sequence", [first, self.text_and_end(content, texts, f"{where}/content")]
            # A text that ends with nothing ends with what is around it.
            inner = tuple(text for text in texts if text) if all(texts) else ends
        return "sequence", [first, self.content(spec, inner, where), last]

    def text_and_end(self, spec: Mapping[str, Any], ends: Sequence[str], where: str) -> Part:
        """Free text up to the first of `ends`, with that."""
        _only(spec, {"type", *_FIELDS["any_text"]}, where)
        leads = [self.lead(end) for end in ends]
        stops = [lead or end for lead, end in zip(leads, ends, strict=True)]
        stops += _excluded(spec, where)
        endings: list[Part] = []
        for end, lead in zip(ends, leads, strict=True):
            if lead:
                endings.append(("sequence", [("text", stops, None), self.literal(end)]))
            else:
                endings.append(("text", stops, stops.index(end)))
        return "any", endings

    def token(self, spec: Mapping[str, Any], where: str) -> Part:
        _only(spec, {"type", "token"}, where)
        token = spec.get("token")
        if isinstance(token, str):
            if token not in self.tokens:
                raise GrammarError(f"{where}: the id of the token {token!r} is not given (tokens=)")
            token = self.tokens[token]
        if isinstance(token, bool) or not isinstance(token, int) or not 0 <= token < 2**32:
            raise GrammarError(f"{where}: {token!r} is no token")
        return "token", token

    def lead(self, text: str) -> str | None:
        """The special token with which a text begins."""
        return next((name for name in self.names if text.startswith(name)), None)

    def literal(self, text: str) -> Part:
        """A text, with the special tokens in it as such."""
        parts: list[Part] = []
        start = at = 0
        while at < len(text):
            name = self.lead(text[at:])
            if name is None:
                at += 1
                continue
            parts += [("literal", text[start:at]), ("token", self.tokens[name])]
            start = at = at + len(name)
        parts.append(("literal", text[start:]))
        return parts[0] if len(parts) == 1 else ("sequence", parts)


def _only(fields: Mapping[str, Any], known: set[str], where: str) -> None:
    unknown = sorted(map(str, set(fields) - known))
    if unknown:
        raise GrammarError(f"{where} has fields that are not known: {', '.join(unknown)}")


def _text(fields: Mapping[str, Any], name: str, where: str) -> str:
    text = fields.get(name)
    if not isinstance(text, str):
        raise GrammarError(f"{where}: {name} is no text")
    return text


def _list(fields: Mapping[str, Any], name: str, where: str) -> Sequence[Any]:
    items = fields.get(name)
    if not isinstance(items, Sequence) or isinstance(items, str) or not items:
        raise GrammarError(f"{where}: {name} is no list, or an empty one")
    return items


def _texts(fields: Mapping[str, Any], name: str, where: str) -> list[str]:
    texts = _list(fields, name, where)
    for text in texts:
        if not isinstance(text, str) or not text:
            raise GrammarError(f"{where}: {name} holds {text!r}, which is no text or an empty one")
    return list(dict.fromkeys(texts))


def _excluded(fields: Mapping[str, Any], where: str) -> list[str]:
    names = [name for name in ("excludes", "excluded_str") if fields.get(name)]
    return [text for name in names for text in _texts(fields, name, where)]


def _flag(fields: Mapping[str, Any], name: str, where: str) -> bool:
    flag = fields.get(name, False)
    if not isinstance(flag, bool):
        raise GrammarError(f"{where}: {name} is neither true nor false")
    return flag
