"""What distinguishes the drafts: their names, their keywords, where their subschemas stand."""

from dataclasses import dataclass, field

# How the value of a keyword holds subschemas. Where there are two ways, the type tells.
ONE, LIST, NAMED = "one", "list", "named"

_SUBSCHEMAS_4 = {
    "additionalItems": (ONE,),
    "additionalProperties": (ONE,),
    "allOf": (LIST,),
    "anyOf": (LIST,),
    "definitions": (NAMED,),
    "dependencies": (NAMED,),
    "items": (ONE, LIST),
    "not": (ONE,),
    "oneOf": (LIST,),
    "patternProperties": (NAMED,),
    "properties": (NAMED,),
}
_SUBSCHEMAS_6 = _SUBSCHEMAS_4 | {"contains": (ONE,), "propertyNames": (ONE,)}
_SUBSCHEMAS_7 = _SUBSCHEMAS_6 | {"if": (ONE,), "then": (ONE,), "else": (ONE,)}
_SUBSCHEMAS_2019 = _SUBSCHEMAS_7 | {
    "$defs": (NAMED,),
    "dependentSchemas": (NAMED,),
    "unevaluatedItems": (ONE,),
    "unevaluatedProperties": (ONE,),
    "contentSchema": (ONE,),
}
_SUBSCHEMAS_2020 = {
    key: shape for key, shape in _SUBSCHEMAS_2019.items() if key != "additionalItems"
} | {"prefixItems": (LIST,), "items": (ONE,)}


@dataclass(frozen=True)
class Draft:
    name: str
    uri: str
    year: int
    subschemas: dict[str, tuple[str, ...]] = field(hash=False, compare=False)

    @property
    def id_keyword(self) -> str:
        return "id" if self.year == 4 else "$id"

    @property
    def ref_hides_siblings(self) -> bool:
        return self.year <= 7


DRAFTS = {
    draft.name: draft
    for draft in (
        Draft("4", "http://json-schema.org/draft-04/schema", 4, _SUBSCHEMAS_4),
        Draft("6", "http://json-schema.org/draft-06/schema", 6, _SUBSCHEMAS_6),
        Draft("7", "http://json-schema.org/draft-07/schema", 7, _SUBSCHEMAS_7),
        Draft("2019-09", "https://json-schema.org/draft/2019-09/schema", 2019, _SUBSCHEMAS_2019),
        Draft("2020-12", "https://json-schema.org/draft/2020-12/schema", 2020, _SUBSCHEMAS_2020),
    )
}
BY_URI = {draft.uri: draft for draft in DRAFTS.values()}
