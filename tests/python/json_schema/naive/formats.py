"""The formats of JSON Schema, each by its own document. Unknown names hold for every string.

`hostname`, `idn-hostname` and `idn-email` are checked for their shape alone, without the tables
of IDNA, also where labels are written in Punycode.
"""

import re
from calendar import monthrange
from collections.abc import Callable

from json_schema.naive.patterns import Translation

CHECKS: dict[str, Callable[[str], bool]] = {}


def holds(name: str, value: str) -> bool:
    check = CHECKS.get(name)
    return check is None or check(value)


def check(name: str) -> Callable[[Callable[[str], bool]], Callable[[str], bool]]:
    def register(function: Callable[[str], bool]) -> Callable[[str], bool]:
        CHECKS[name] = function
        return function

    return register


def by_pattern(name: str, pattern: str) -> None:
    compiled = re.compile(pattern)
    CHECKS[name] = lambda value: compiled.fullmatch(value) is not None


# RFC 3339


@check("date")
def date(value: str) -> bool:
    match = re.fullmatch("([0-9]{4})-([0-9]{2})-([0-9]{2})", value)
    if not match:
        return False
    year, month, day = map(int, match.groups())
    # The year 0 is a leap year; Python's calendar starts at 1.
    return 1 <= month <= 12 and 1 <= day <= monthrange(year or 2000, month)[1]


@check("time")
def time(value: str) -> bool:
    match = re.fullmatch(
        r"([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.[0-9]+)?(?:[zZ]|([+-])([0-9]{2}):([0-9]{2}))", value
    )
    if not match:
        return False
    hour, minute, second = (int(part) for part in match.group(1, 2, 3))
    east = -1 if match[4] == "-" else 1
    off_hour, off_minute = int(match[5] or 0), int(match[6] or 0)
    if hour > 23 or minute > 59 or off_hour > 23 or off_minute > 59:
        return False
    if second == 60:
        # Leap seconds come at 23:59:60 UTC.
        return (hour * 60 + minute - east * (off_hour * 60 + off_minute)) % 1440 == 1439
    return second < 60


@check("date-time")
def date_time(value: str) -> bool:
    return len(value) > 10 and value[10] in "tT" and date(value[:10]) and time(value[11:])


by_pattern(
    "duration",
    "P(?:[0-9]+W|(?=[0-9]|T[0-9])"
    "(?:[0-9]+Y(?:[0-9]+M(?:[0-9]+D)?)?|[0-9]+M(?:[0-9]+D)?|[0-9]+D)?"
    "(?:T(?:[0-9]+H(?:[0-9]+M(?:[0-9]+S)?)?|[0-9]+M(?:[0-9]+S)?|[0-9]+S))?)",
)

# Names of hosts and mailboxes


@check("hostname")
def hostname(value: str) -> bool:
    labels = value.split(".")
    if len(value) > 253:
        return False
    return all(
        re.fullmatch("[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?", part) for part in labels
    )


@check("idn-hostname")
def idn_hostname(value: str) -> bool:
    labels = re.split("[.\u3002\uff0e\uff61]", value)
    return all(
        0 < len(part) <= 63 and not re.search(r"^-|-$|[\s!-,/:-@\[-`{-~]", part) for part in labels
    )


ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
QUOTED = r'"(?:[ !#-\[\]-~]|\\[ -~])*"'


def mailbox(value: str, atom: str, quoted: str, domain: Callable[[str], bool]) -> bool:
    local, at, host = value.rpartition("@")
    if not at or not re.fullmatch(rf"{atom}(?:\.{atom})*|{quoted}", local):
        return False
    if host.startswith("[") and host.endswith("]"):
        literal = host[1:-1]
        return ipv4(literal) or (literal[:5].lower() == "ipv6:" and ipv6(literal[5:]))
    return domain(host)


@check("email")
def email(value: str) -> bool:
    return mailbox(value, ATOM, QUOTED, hostname)


@check("idn-email")
def idn_email(value: str) -> bool:
    atom, quoted = ATOM[:-3] + "\x80-\U0010ffff-]+", QUOTED.replace("-~]", "-~\x80-\U0010ffff]")
    return mailbox(value, atom, quoted, lambda host: idn_hostname(host) or hostname(host))


@check("ipv4")
def ipv4(value: str) -> bool:
    parts = value.split(".")
    return len(parts) == 4 and all(
        re.fullmatch("0|[1-9][0-9]{0,2}", part) and int(part) < 256 for part in parts
    )


@check("ipv6")
def ipv6(value: str) -> bool:
    head, double, tail = value.partition("::")
    if "::" in tail:
        return False
    left = head.split(":") if head else []
    right = tail.split(":") if tail else []
    groups = left + right
    if groups and "." in groups[-1] and (right or not double):
        if not ipv4(groups[-1]):
            return False
        groups[-1:] = ["0", "0"]
    if not all(re.fullmatch("[0-9A-Fa-f]{1,4}", group) for group in groups):
        return False
    return len(groups) <= 7 if double else len(groups) == 8


by_pattern("uuid", "[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}")

# RFC 3986 and 3987

UCS = (
    "\xa0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef"
    + "".join(f"{chr(plane << 16)}-{chr((plane << 16) + 0xFFFD)}" for plane in range(1, 14))
    + "\U000e1000-\U000efffd"
)
PRIVATE = "\ue000-\uf8ff\U000f0000-\U000ffffd\U00100000-\U0010fffd"


def reference(value: str, wide: bool, relative: bool) -> bool:
    more, private = (UCS, PRIVATE) if wide else ("", "")
    unreserved = f"A-Za-z0-9._~{more}\\-"
    escape = "%[0-9A-Fa-f]{2}"
    plain = f"(?:[{unreserved}!$&'()*+,;=:@]|{escape})"
    match = re.fullmatch(
        r"(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?",
        value,
        re.S,
    )
    if not match:
        return False
    scheme, authority, path, query, fragment = match.groups()
    if scheme is None and not relative:
        return False
    if not re.fullmatch(f"(?:{plain}|/)*", path):
        return False
    if not re.fullmatch(f"(?:{plain}|[/?{private}])*", query or ""):
        return False
    if not re.fullmatch(f"(?:{plain}|[/?])*", fragment or ""):
        return False
    if authority is None:
        # Without a scheme the first segment holds no colon, or it would be read as one.
        return not path.startswith("//") and (
            scheme is not None or ":" not in path.partition("/")[0]
        )
    user, at, host_port = authority.rpartition("@")
    if at and not re.fullmatch(f"(?:[{unreserved}!$&'()*+,;=:]|{escape})*", user):
        return False
    host = re.fullmatch(r"(\[.*\]|[^:\[\]]*)(?::[0-9]*)?", host_port)
    if not host or (path and not path.startswith("/")):
        return False
    if host[1].startswith("["):
        literal = host[1][1:-1]
        future = r"[vV][0-9A-Fa-f]+\.[A-Za-z0-9._~!$&'()*+,;=:-]+"
        return ipv6(literal) or re.fullmatch(future, literal) is not None
    return re.fullmatch(f"(?:[{unreserved}!$&'()*+,;=]|{escape})*", host[1]) is not None


CHECKS["uri"] = lambda value: reference(value, False, False)
CHECKS["uri-reference"] = lambda value: reference(value, False, True)
CHECKS["iri"] = lambda value: reference(value, True, False)
CHECKS["iri-reference"] = lambda value: reference(value, True, True)

_VARIABLE = "(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})"
_SPEC = rf"{_VARIABLE}(?:\.?{_VARIABLE})*(?::[1-9][0-9]{{0,3}}|\*)?"
by_pattern(
    "uri-template",
    rf"(?:[!#$&'(-;=?-\[\]_a-z~{UCS}{PRIVATE}]|%[0-9A-Fa-f]{{2}}"
    rf"|\{{[+#./;?&=,!@|]?{_SPEC}(?:,{_SPEC})*\}})*",
)

# Pointers and patterns

by_pattern("json-pointer", r"(?s:(?:/(?:[^~/]|~[01])*)*)")
by_pattern("relative-json-pointer", r"(?s:(?:0|[1-9][0-9]*)(?:#|(?:/(?:[^~/]|~[01])*)*))")


@check("regex")
def regex(value: str) -> bool:
    """ECMA-262 in Unicode mode: a letter is not escaped without a reason."""
    if re.search(r"(?<!\\)(?:\\\\)*\\[ace-jl-moqyzAC-OQ-RT-VX-Z]", value) and not re.search(
        r"\\c[A-Za-z]", value
    ):
        return False
    # Python takes no look-behind of varying width; its content is checked as that of a group.
    value = re.sub(r"\(\?<[=!]", "(?:", value)
    try:
        re.compile(Translation(value).whole())
    except (re.error, ValueError):
        return False
    return True
