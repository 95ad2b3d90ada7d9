"""A slow validator of JSON Schema that shares nothing with the engine.

One function stands for each keyword, in the words of the specification. Numbers are fractions read
from the text, strings are code points, and every draft from 4 to 2020-12 keeps its own rules. It is
what the tests of `Grammar.from_json_schema` compare with; its own tests compare it with the
official suite and two libraries.
"""

from json_schema.naive.documents import Documents, UnresolvableReference
from json_schema.naive.drafts import DRAFTS, Draft
from json_schema.naive.patterns import PatternNotCovered
from json_schema.naive.validator import EndlessReference, Validator
from json_schema.naive.values import InvalidText, NumberNotCovered, dump, parse, plain

__all__ = [
    "DRAFTS",
    "Documents",
    "Draft",
    "EndlessReference",
    "InvalidText",
    "NumberNotCovered",
    "PatternNotCovered",
    "UnresolvableReference",
    "Validator",
    "dump",
    "parse",
    "plain",
]
