"""Random Lark grammars and texts, for comparisons with `lark`."""

from random import Random

ALPHABET = "abc1 "


class Grammars:
    """A generator of grammars with recursion, overlapping terminals and ignored text."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def grammar(self) -> str:
        """A grammar of at least three rules. Lark may refuse it."""
        random = self.random
        self.operators = 0
        self.terminals = [f"T{i}" for i in range(random.randint(1, 3))]
        self.rules = ["start", *(f"r{i}" for i in range(random.randint(2, 3)))]
        self.template = random.random() < 0.25
        lines = [
            f"{self.modifier(rule)}{rule}{self.priority()}: {self.rule_body(2)}"
            for rule in self.rules
        ]
        for index, terminal in enumerate(self.terminals):
            lines.append(f"{terminal}{self.priority()}: {self.terminal_body(index)}")
        if self.template:
            lines.append(
                f"t{{x, y}}: {random.choice(['x y', 'x (y x)*', '[x] y', 'x | y t{y, x}', 'y x+'])}"
            )
        if random.random() < 0.65:
            ignored = ['" "', "/ +/", "/ +?/", '"  " | " "', "T0", '"b"', "/ b?/", "/[ 1]+/"]
            lines.append(f"%ignore {random.choice(ignored)}")
        if random.random() < 0.15:
            lines.append(f"%extend {random.choice(self.rules)}: {self.rule_body(1)}")
        if random.random() < 0.1:
            rule = random.choice(self.rules)
            lines.append(f"%override {rule}: {self.rule_body(1)}")
        return "\n".join(lines)

    def modifier(self, rule: str) -> str:
        return self.random.choice(["", "", "", "?", "!", "!?", "?!"])

    def priority(self) -> str:
        return self.random.choice(["", "", "", ".2", ".-1"])

    def rule_body(self, depth: int) -> str:
        # Lark writes all ways of optional and repeated parts out.
        self.operators = 5
        count = self.random.choice([1, 1, 2, 2, 3])
        alternatives = [self.sequence(depth) for _ in range(count)]
        if self.random.random() < 0.1:
            alternatives.append("")
        return self.random.choice([" | ", "\n  | "]).join(alternatives)

    def sequence(self, depth: int) -> str:
        return " ".join(self.item(depth) for _ in range(self.random.choice([1, 1, 2, 2, 3])))

    def item(self, depth: int) -> str:
        random = self.random
        kind = random.random()
        if depth and kind < 0.15 and self.operators > 1:
            self.operators -= 2
            inner = " | ".join(self.sequence(depth - 1) for _ in range(random.choice([1, 2])))
            brackets = random.choice(["()", "()", "[]"])
            return brackets[0] + inner + brackets[1] + (self.operator() if brackets == "()" else "")
        return self.value() + (self.operator() if random.random() < 0.25 else "")

    def operator(self) -> str:
        if self.operators < 1:
            return ""
        self.operators -= 1
        return self.random.choice(["", "?", "*", "+", "~2", "~1..3", "~0..2"])

    def value(self) -> str:
        random = self.random
        kind = random.random()
        if kind < 0.3:
            return random.choice(self.rules[1:])
        if kind < 0.55:
            return random.choice(self.terminals)
        if kind < 0.8:
            return self.string()
        if kind < 0.86:
            return random.choice(['"a".."b"', '"1".."a"'])
        if self.template and kind < 0.94:
            return f"t{{{self.argument()}, {self.argument()}}}"
        return self.regex()

    def argument(self) -> str:
        return self.random.choice([*self.terminals, *self.rules[1:], self.string(), self.regex()])

    def string(self) -> str:
        text = "".join(self.random.choice(ALPHABET) for _ in range(self.random.choice([1, 1, 2])))
        return f'"{text}"' + ("i" if self.random.random() < 0.1 else "")

    def terminal_body(self, index: int) -> str:
        random = self.random
        parts = []
        for _ in range(random.choice([1, 1, 2])):
            options = []
            for _ in range(random.choice([1, 1, 2])):
                piece = random.choice([self.string(), self.regex(), self.string()])
                if index and random.random() < 0.2:
                    piece = f"T{random.randrange(index)}"
                options.append(piece + random.choice(["", "", "", "+", "?", "*", "~1..2"]))
            parts.append(" ".join(options))
        return " | ".join(parts)

    def regex(self) -> str:
        flags = self.random.choice(["", "", "", "", "i", "s"])
        return f"/{self.pattern(2)}/{flags}"

    def pattern(self, depth: int) -> str:
        random = self.random
        atoms = ["a", "b", "c", "1", "[ab]", "[^a]", ".", r"\w", r"\d", "ab", "[a-c]"]
        parts = []
        for _ in range(random.choice([1, 1, 2])):
            atom = random.choice(atoms)
            if depth and random.random() < 0.3:
                choices = [self.pattern(depth - 1) for _ in range(2)]
                atom = f"({random.choice(['', '?:'])}{'|'.join(choices)})"
            elif len(atom) == 2 and atom.isalpha():
                atom = f"({atom})"
            parts.append(
                atom + random.choice(["", "", "", "+", "*", "?", "+?", "*?", "??", "{1,2}"])
            )
        return "".join(parts)


def text(random: Random, longest: int = 8) -> str:
    """A random text over the alphabet."""
    return "".join(random.choice(ALPHABET) for _ in range(random.randint(0, longest)))


def mutated(random: Random, given: str) -> str:
    """A text one edit away."""
    at = random.randint(0, len(given))
    character = random.choice(ALPHABET)
    return random.choice(
        [
            given[:at] + given[at + 1 :],
            given[:at] + character + given[at:],
            given[:at] + character + given[at + 1 :],
        ]
    )
