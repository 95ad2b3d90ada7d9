//! URIs and IRIs, and templates for them: RFC 3986, RFC 3987, RFC 6570.

use super::network;
use crate::json::parts::{class, concat, either, optional, plus, repeat, set, star, text, times};
use crate::pattern::{CharSet, Pattern};

/// `ucschar` of RFC 3987 section 2.2.
const UCSCHAR: &str = "\u{A0}\u{D7FF}\u{F900}\u{FDCF}\u{FDF0}\u{FFEF}\
    \u{10000}\u{1FFFD}\u{20000}\u{2FFFD}\u{30000}\u{3FFFD}\u{40000}\u{4FFFD}\u{50000}\u{5FFFD}\
    \u{60000}\u{6FFFD}\u{70000}\u{7FFFD}\u{80000}\u{8FFFD}\u{90000}\u{9FFFD}\u{A0000}\u{AFFFD}\
    \u{B0000}\u{BFFFD}\u{C0000}\u{CFFFD}\u{D0000}\u{DFFFD}\u{E1000}\u{EFFFD}";

/// `iprivate` of RFC 3987 section 2.2.
const IPRIVATE: &str = "\u{E000}\u{F8FF}\u{F0000}\u{FFFFD}\u{100000}\u{10FFFD}";

/// `unreserved` of RFC 3986 section 2.3, and `sub-delims` of section 2.2.
const UNRESERVED: &str = "azAZ09--..__~~";
const SUB_DELIMS: &str = "!!$$&,;;==";

/// `URI` of RFC 3986, appendix A.
pub(super) fn uri() -> Pattern {
    Syntax::URI.absolute()
}

/// `URI-reference` of RFC 3986, appendix A.
pub(super) fn uri_reference() -> Pattern {
    either([Syntax::URI.absolute(), Syntax::URI.relative()])
}

/// `IRI` of RFC 3987 section 2.2.
pub(super) fn iri() -> Pattern {
    Syntax::IRI.absolute()
}

/// `IRI-reference` of RFC 3987 section 2.2.
pub(super) fn iri_reference() -> Pattern {
    either([Syntax::IRI.absolute(), Syntax::IRI.relative()])
}

/// What the two kinds of identifiers differ in.
struct Syntax {
    /// More unreserved characters.
    more: &'static str,
    /// More characters of queries.
    private: &'static str,
}

impl Syntax {
    const URI: Self = Self { more: "", private: "" };
    const IRI: Self = Self { more: UCSCHAR, private: IPRIVATE };

    /// One unreserved character, one of `sub-delims`, one of `also`, or an encoded octet.
    fn character(&self, also: &str) -> Pattern {
        either([Pattern::Class(self.characters().union(&set(also))), encoded()])
    }

    fn characters(&self) -> CharSet {
        set(UNRESERVED).union(&set(SUB_DELIMS)).union(&set(self.more))
    }

    fn absolute(&self) -> Pattern {
        let scheme = concat([class("azAZ"), star(class("azAZ09++--.."))]);
        let rootless = concat([plus(self.pchar()), self.segments()]);
        let hierarchy = either([
            concat([text("//"), self.authority(), self.segments()]),
            self.path_absolute(),
            rootless,
            Pattern::Empty,
        ]);
        concat([scheme, text(":"), hierarchy, self.tail()])
    }

    fn relative(&self) -> Pattern {
        let no_scheme = concat([plus(self.character("@@")), self.segments()]);
        let part = either([
            concat([text("//"), self.authority(), self.segments()]),
            self.path_absolute(),
            no_scheme,
            Pattern::Empty,
        ]);
        concat([part, self.tail()])
    }

    fn pchar(&self) -> Pattern {
        self.character("::@@")
    }

    /// `path-abempty`.
    fn segments(&self) -> Pattern {
        star(concat([text("/"), star(self.pchar())]))
    }

    fn path_absolute(&self) -> Pattern {
        let first = concat([plus(self.pchar()), self.segments()]);
        concat([text("/"), optional(first)])
    }

    /// The query and the fragment.
    fn tail(&self) -> Pattern {
        let query = either([self.character("::@@//??"), class(self.private)]);
        let fragment = self.character("::@@//??");
        concat([
            optional(concat([text("?"), star(query)])),
            optional(concat([text("#"), star(fragment)])),
        ])
    }

    /// A name may be any IPv4 address too.
    fn authority(&self) -> Pattern {
        let user = concat([star(self.character("::")), text("@")]);
        let future = concat([
            class("VVvv"),
            plus(class("09AFaf")),
            text("."),
            plus(Pattern::Class(set(UNRESERVED).union(&set(SUB_DELIMS)).union(&set("::")))),
        ]);
        let literal = concat([text("["), either([network::ipv6(), future]), text("]")]);
        let host = either([literal, star(self.character(""))]);
        let port = concat([text(":"), star(class("09"))]);
        concat([optional(user), host, optional(port)])
    }
}

/// `pct-encoded`.
fn encoded() -> Pattern {
    concat([text("%"), times(class("09AFaf"), 2)])
}

/// RFC 6570 section 2. An apostrophe is a literal, as its erratum 6937 says.
pub(super) fn uri_template() -> Pattern {
    let plain = set("!!#$&;==?[]]__az~~").union(&set(UCSCHAR)).union(&set(IPRIVATE));
    let literal = either([Pattern::Class(plain), encoded()]);
    let character = || either([class("azAZ09__"), encoded()]);
    let name = concat([character(), star(concat([optional(text(".")), character()]))]);
    let length = concat([class("19"), repeat(class("09"), 0, Some(3))]);
    let variable = concat([name, optional(either([text("*"), concat([text(":"), length])]))]);
    let list = concat([variable.clone(), star(concat([text(","), variable]))]);
    let operator = optional(class("++##..//;;??&&==,,!!@@||"));
    star(either([literal, concat([text("{"), operator, list, text("}")])]))
}
