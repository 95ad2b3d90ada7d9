"""Other texts of the same value: orders of keys, gaps, escapes, and forms of numbers."""

import json
import random
from fractions import Fraction
from itertools import islice, permutations, product
from typing import Any

from json_schema.naive.values import decimal, dump

Value = Any
GAPS = ["", "", " ", "\n", "\t", "\r\n  ", "   "]


class Speller:
    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def any(self, value: Value) -> str:
        """Some RFC 8259 text of the value."""
        text = dump(
            self.shuffled(value),
            number=self.number,
            string=self.string,
            item=self.gap() + "," + self.gap(),
            colon=self.gap() + ":" + self.gap(),
        )
        return self.gap() + text + self.gap()

    def gap(self) -> str:
        return self.rng.choice(GAPS)

    def shuffled(self, value: Value) -> Value:
        if isinstance(value, list):
            return [self.shuffled(item) for item in value]
        if isinstance(value, dict):
            keys = list(value)
            self.rng.shuffle(keys)
            return {key: self.shuffled(value[key]) for key in keys}
        return value

    def string(self, text: str) -> str:
        style = self.rng.randrange(4)
        if style == 0:
            return json.dumps(text)
        if style == 1:
            return '"' + "".join(self.escaped(character) for character in text) + '"'
        return json.dumps(text, ensure_ascii=False)

    def escaped(self, character: str) -> str:
        if self.rng.random() < 0.5:
            return json.dumps(character, ensure_ascii=False)[1:-1]
        units = character.encode("utf-16-be")
        form = self.rng.choice(["\\u%02x%02x", "\\u%02X%02X"])
        return "".join(form % (units[at], units[at + 1]) for at in range(0, len(units), 2))

    def number(self, value: Fraction) -> str:
        rng, text = self.rng, decimal(value)
        match rng.randrange(6):
            case 0:
                return text + ("0" * rng.randrange(3) if "." in text else ".0")
            case 1:
                shift = rng.randint(-6, 6)
                exponent = rng.choice(["e", "E"]) + rng.choice(["", "+"] if shift >= 0 else [""])
                return decimal(value / Fraction(10) ** shift) + exponent + str(shift)
            case 2:
                return text + rng.choice(["e0", "E+00", "e-0", "E000"])
            case 3 if value == 0:
                return "-" + text
        return text


def orders(value: Value, limit: int) -> list[Value]:
    """The value with the keys of its objects in every order; at most `limit` of them."""

    def of(value: Value) -> list[Value]:
        if isinstance(value, list):
            return [list(items) for items in islice(product(*map(of, value)), limit)]
        if isinstance(value, dict):
            found = []
            for keys in permutations(value):
                for members in product(*(of(value[key]) for key in keys)):
                    found.append(dict(zip(keys, members, strict=True)))
                    if len(found) >= limit:
                        return found
            return found
        return [value]

    return of(value)
