"""Promises that are not kept yet: tests by name, each with the reason. They run, and may fail."""

SHORTFALLS: dict[str, str] = {}


def reason(name: str) -> str | None:
    """Why the test of this name may fail."""
    for part, why in SHORTFALLS.items():
        if part in name:
            return why
    return None
