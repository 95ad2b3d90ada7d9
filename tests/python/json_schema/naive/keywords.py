"""What each keyword asks of a value: one function a keyword.

A function takes where it stands and the keyword's own value, and answers whether the value is
valid. Those that apply subschemas also note which keys and items were evaluated. The order of
definition is that of reading, so that `unevaluated*` come last.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from json_schema.naive.documents import Place
from json_schema.naive.patterns import found
from json_schema.naive.values import equal, identity, is_number, is_type

if TYPE_CHECKING:
    from json_schema.naive.validator import Here

Function = Callable[["Here", Any], bool]


@dataclass(frozen=True)
class Keyword:
    name: str
    function: Function
    first: int
    last: int
    vocabulary: str


KEYWORDS: list[Keyword] = []


def keyword(
    name: str, first: int = 4, last: int = 2020, vocabulary: str = "validation"
) -> Callable[[Function], Function]:
    def register(function: Function) -> Function:
        KEYWORDS.append(Keyword(name, function, first, last, vocabulary))
        return function

    return register


def of(place: Place) -> list[Keyword]:
    """The keywords of a schema that mean something in its draft."""
    schema, year = place.schema, place.draft.year
    if place.draft.ref_hides_siblings and "$ref" in schema:
        return [known for known in KEYWORDS if known.name == "$ref" and known.first <= year]
    return [
        known
        for known in KEYWORDS
        if known.name in schema
        and known.first <= year <= known.last
        and (place.vocabularies is None or known.vocabulary in place.vocabularies)
    ]


# Any type


@keyword("type")
def type_(here: "Here", names: Any) -> bool:
    names = [names] if isinstance(names, str) else names
    return any(is_type(here.value, name, here.year) for name in names)


@keyword("enum")
def enum(here: "Here", values: Any) -> bool:
    return any(equal(here.value, value) for value in values)


@keyword("const", 6)
def const(here: "Here", value: Any) -> bool:
    return equal(here.value, value)


# Numbers


@keyword("multipleOf")
def multiple_of(here: "Here", step: Any) -> bool:
    return not is_number(here.value) or Fraction(here.value) % Fraction(step) == 0


@keyword("maximum")
def maximum(here: "Here", bound: Any) -> bool:
    if here.year == 4 and here.schema.get("exclusiveMaximum") is True:
        return exclusive_maximum(here, bound)
    return not is_number(here.value) or here.value <= bound


@keyword("minimum")
def minimum(here: "Here", bound: Any) -> bool:
    if here.year == 4 and here.schema.get("exclusiveMinimum") is True:
        return exclusive_minimum(here, bound)
    return not is_number(here.value) or here.value >= bound


@keyword("exclusiveMaximum", 6)
def exclusive_maximum(here: "Here", bound: Any) -> bool:
    return not is_number(here.value) or here.value < bound


@keyword("exclusiveMinimum", 6)
def exclusive_minimum(here: "Here", bound: Any) -> bool:
    return not is_number(here.value) or here.value > bound


# Strings


@keyword("maxLength")
def max_length(here: "Here", bound: Any) -> bool:
    return not isinstance(here.value, str) or len(here.value) <= bound


@keyword("minLength")
def min_length(here: "Here", bound: Any) -> bool:
    return not isinstance(here.value, str) or len(here.value) >= bound


@keyword("pattern")
def pattern(here: "Here", source: Any) -> bool:
    return not isinstance(here.value, str) or found(source, here.value)


@keyword("format", vocabulary="format-annotation")
def format_(here: "Here", name: Any) -> bool:
    return not isinstance(here.value, str) or here.format_holds(name, here.value)


# Sizes


@keyword("maxItems")
def max_items(here: "Here", bound: Any) -> bool:
    return not isinstance(here.value, list) or len(here.value) <= bound


@keyword("minItems")
def min_items(here: "Here", bound: Any) -> bool:
    return not isinstance(here.value, list) or len(here.value) >= bound


@keyword("uniqueItems")
def unique_items(here: "Here", asked: Any) -> bool:
    if not asked or not isinstance(here.value, list):
        return True
    return len({identity(item) for item in here.value}) == len(here.value)


@keyword("maxProperties")
def max_properties(here: "Here", bound: Any) -> bool:
    return not isinstance(here.value, dict) or len(here.value) <= bound


@keyword("minProperties")
def min_properties(here: "Here", bound: Any) -> bool:
    return not isinstance(here.value, dict) or len(here.value) >= bound


@keyword("required")
def required(here: "Here", names: Any) -> bool:
    return not isinstance(here.value, dict) or all(name in here.value for name in names)


@keyword("dependentRequired", 2019)
def dependent_required(here: "Here", table: Any) -> bool:
    if not isinstance(here.value, dict):
        return True
    return all(
        name in here.value for key, names in table.items() if key in here.value for name in names
    )


# References


@keyword("$ref", vocabulary="core")
def ref(here: "Here", reference: Any) -> bool:
    return here.at(here.resolve(reference))


@keyword("$recursiveRef", 2019, 2019, vocabulary="core")
def recursive_ref(here: "Here", reference: Any) -> bool:
    place = here.resolve(reference)
    if place.schema is True or place.schema is False or not place.schema.get("$recursiveAnchor"):
        return here.at(place)
    for base in here.scope:
        outer = here.validator.documents.resources.get(base)
        if outer and isinstance(outer.schema, dict) and outer.schema.get("$recursiveAnchor"):
            return here.at(outer)
    return here.at(place)


@keyword("$dynamicRef", 2020, vocabulary="core")
def dynamic_ref(here: "Here", reference: Any) -> bool:
    documents, place = here.validator.documents, here.resolve(reference)
    name = reference.partition("#")[2]
    if documents.dynamic.get((place.base, name)) is not place:
        return here.at(place)
    for base in here.scope:
        if (base, name) in documents.dynamic:
            return here.at(documents.dynamic[base, name])
    return here.at(place)


# Boolean combinations


@keyword("allOf", vocabulary="applicator")
def all_of(here: "Here", schemas: Any) -> bool:
    return all(here.in_place(schema) for schema in schemas)


@keyword("anyOf", vocabulary="applicator")
def any_of(here: "Here", schemas: Any) -> bool:
    # All are applied: each one that holds counts for what is evaluated.
    verdicts = [here.in_place(schema) for schema in schemas]
    return any(verdicts)


@keyword("oneOf", vocabulary="applicator")
def one_of(here: "Here", schemas: Any) -> bool:
    return sum([here.in_place(schema) for schema in schemas]) == 1


@keyword("not", vocabulary="applicator")
def not_(here: "Here", schema: Any) -> bool:
    return not here.child(schema, here.value)


@keyword("if", 7, vocabulary="applicator")
def if_(here: "Here", schema: Any) -> bool:
    branch = "then" if here.in_place(schema) else "else"
    return branch not in here.schema or here.in_place(here.schema[branch])


# Objects


@keyword("properties", vocabulary="applicator")
def properties(here: "Here", table: Any) -> bool:
    if not isinstance(here.value, dict):
        return True
    present = [key for key in table if key in here.value]
    here.keys.update(present)
    return all(here.child(table[key], here.value[key]) for key in present)


@keyword("patternProperties", vocabulary="applicator")
def pattern_properties(here: "Here", table: Any) -> bool:
    if not isinstance(here.value, dict):
        return True
    hits = [(key, source) for source in table for key in here.value if found(source, key)]
    here.keys.update(key for key, _ in hits)
    return all(here.child(table[source], here.value[key]) for key, source in hits)


@keyword("additionalProperties", vocabulary="applicator")
def additional_properties(here: "Here", schema: Any) -> bool:
    if not isinstance(here.value, dict):
        return True
    named, patterns = here.schema.get("properties", {}), here.schema.get("patternProperties", {})
    rest = [
        key
        for key in here.value
        if key not in named and not any(found(source, key) for source in patterns)
    ]
    here.keys.update(rest)
    return all(here.child(schema, here.value[key]) for key in rest)


@keyword("propertyNames", 6, vocabulary="applicator")
def property_names(here: "Here", schema: Any) -> bool:
    if not isinstance(here.value, dict):
        return True
    return all(here.child(schema, key) for key in here.value)


@keyword("dependentSchemas", 2019, vocabulary="applicator")
def dependent_schemas(here: "Here", table: Any) -> bool:
    if not isinstance(here.value, dict):
        return True
    return all(here.in_place(schema) for key, schema in table.items() if key in here.value)


@keyword("dependencies", last=7)
def dependencies(here: "Here", table: Any) -> bool:
    if not isinstance(here.value, dict):
        return True
    return all(
        all(name in here.value for name in asked)
        if isinstance(asked, list)
        else here.in_place(asked)
        for key, asked in table.items()
        if key in here.value
    )


# Arrays


def items_from(here: "Here", start: int, schema: Any) -> bool:
    rest = range(start, len(here.value))
    here.items.update(rest)
    return all(here.child(schema, here.value[index]) for index in rest)


def tuple_of(here: "Here", schemas: Any) -> bool:
    pairs = list(zip(schemas, here.value, strict=False))
    here.items.update(range(len(pairs)))
    return all(here.child(schema, item) for schema, item in pairs)


@keyword("prefixItems", 2020, vocabulary="applicator")
def prefix_items(here: "Here", schemas: Any) -> bool:
    return not isinstance(here.value, list) or tuple_of(here, schemas)


@keyword("items", vocabulary="applicator")
def items(here: "Here", schema: Any) -> bool:
    if not isinstance(here.value, list):
        return True
    if here.year < 2020 and isinstance(schema, list):
        return tuple_of(here, schema)
    start = len(here.schema.get("prefixItems", [])) if here.year >= 2020 else 0
    return items_from(here, start, schema)


@keyword("additionalItems", last=2019, vocabulary="applicator")
def additional_items(here: "Here", schema: Any) -> bool:
    before = here.schema.get("items")
    if not isinstance(here.value, list) or not isinstance(before, list):
        return True
    return items_from(here, len(before), schema)


@keyword("contains", 6, vocabulary="applicator")
def contains(here: "Here", schema: Any) -> bool:
    if not isinstance(here.value, list):
        return True
    hits = [index for index, item in enumerate(here.value) if here.child(schema, item)]
    if here.year >= 2020:
        here.items.update(hits)
    least, most = 1, len(here.value)
    if here.year >= 2019 and validates(here):
        least = here.schema.get("minContains", 1)
        most = here.schema.get("maxContains", most)
    return bool(least <= len(hits) <= most)


def validates(here: "Here") -> bool:
    return here.place.vocabularies is None or "validation" in here.place.vocabularies


# What nothing else evaluated


@keyword("unevaluatedItems", 2019, vocabulary="unevaluated")
def unevaluated_items(here: "Here", schema: Any) -> bool:
    if not isinstance(here.value, list):
        return True
    rest = [index for index in range(len(here.value)) if index not in here.items]
    here.items.update(rest)
    return all(here.child(schema, here.value[index]) for index in rest)


@keyword("unevaluatedProperties", 2019, vocabulary="unevaluated")
def unevaluated_properties(here: "Here", schema: Any) -> bool:
    if not isinstance(here.value, dict):
        return True
    rest = [key for key in here.value if key not in here.keys]
    here.keys.update(rest)
    return all(here.child(schema, here.value[key]) for key in rest)
