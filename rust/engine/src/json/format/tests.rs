//! Formats against examples, and against the official suite where it is at hand.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::*;

/// Where matches end that start at one of these places.
fn ends(pattern: &Pattern, text: &str, starts: &BTreeSet<usize>) -> BTreeSet<usize> {
    let after = |bytes: &[u8]| {
        let here = |&s: &usize| text.as_bytes()[s..].starts_with(bytes).then_some(s + bytes.len());
        starts.iter().filter_map(here).collect::<BTreeSet<_>>()
    };
    match pattern {
        Pattern::Empty => starts.clone(),
        Pattern::Bytes(bytes) => after(bytes),
        Pattern::Strings(strings) => strings.iter().flat_map(|bytes| after(bytes)).collect(),
        Pattern::Class(set) => {
            let next = |&s: &usize| {
                text[s..].chars().next().filter(|&c| set.contains(c)).map(|c| s + c.len_utf8())
            };
            starts.iter().filter_map(next).collect()
        }
        Pattern::Concat(parts) => {
            parts.iter().fold(starts.clone(), |starts, part| ends(part, text, &starts))
        }
        Pattern::Alt(parts) => parts.iter().flat_map(|part| ends(part, text, starts)).collect(),
        Pattern::Automaton(automaton) => starts
            .iter()
            .flat_map(|&s| {
                (s..=text.len()).filter(move |&e| automaton.matches(&text.as_bytes()[s..e]))
            })
            .collect(),
        Pattern::Repeat { body, min, max, .. } => {
            let mut now = starts.clone();
            for _ in 0..*min {
                now = ends(body, text, &now);
            }
            let (mut all, mut rounds) = (now.clone(), *min);
            while !now.is_empty() && max.is_none_or(|max| rounds < max) {
                now = ends(body, text, &now).difference(&all).copied().collect();
                all.extend(&now);
                rounds += 1;
            }
            all
        }
        Pattern::Look(look) if !look.behind && !look.open => {
            let holds = |&&s: &&usize| ends(&look.body, text, &[s].into()).contains(&text.len());
            starts.iter().filter(|s| holds(s) != look.negative).copied().collect()
        }
        other => panic!("no format has {other:?}"),
    }
}

fn holds(name: &str, text: &str) -> bool {
    let format = format(name).unwrap_or_else(|| panic!("{name}"));
    let pattern = format.pattern().unwrap_or_else(|| panic!("{name} has no pattern"));
    ends(pattern, text, &[0].into()).contains(&text.len())
}

fn check(name: &str, yes: &[&str], no: &[&str]) {
    for text in yes {
        assert!(holds(name, text), "{name} has to hold {text:?}");
    }
    for text in no {
        assert!(!holds(name, text), "{name} must not hold {text:?}");
    }
}

#[test]
fn dates() {
    check(
        "date",
        &["2024-02-29", "2000-02-29", "0000-02-29", "1999-12-31", "2023-04-30"],
        &[
            "2023-02-29",
            "1900-02-29",
            "2023-04-31",
            "2023-00-10",
            "2023-13-01",
            "2023-1-01",
            "2023-01-00",
            "2023-01-32",
            "20230101",
            "2023-01-01 ",
        ],
    );
    let mut days = 0;
    for year in [1900, 2000, 2023, 2024] {
        for month in 0..14 {
            for day in 0..40 {
                days += usize::from(holds("date", &format!("{year}-{month:02}-{day:02}")));
            }
        }
    }
    assert_eq!(days, 365 + 366 + 365 + 366);
}

#[test]
fn times() {
    check(
        "time",
        &[
            "00:00:00Z",
            "23:59:59.5z",
            "12:00:00+23:59",
            "23:59:60Z",
            "23:59:60.25-00:00",
            "01:29:60+01:30",
            "15:59:60-08:00",
            "05:44:60+05:45",
        ],
        &[
            "24:00:00Z",
            "00:60:00Z",
            "00:00:61Z",
            "12:00:00",
            "12:00:00.Z",
            "22:59:60Z",
            "23:59:60+01:00",
            "00:59:60Z",
            "12:00:00+24:00",
            "12:00:00+1:00",
            "12:00Z",
        ],
    );
    check(
        "date-time",
        &["2024-02-29T12:00:00Z", "2024-02-29t12:00:00.123+05:30", "2016-12-31T23:59:60Z"],
        &["2024-02-30T12:00:00Z", "2024-02-29 12:00:00Z", "2024-02-29T12:00:00", "2024-02-29"],
    );
}

#[test]
fn leap_seconds_are_those_of_utc() {
    for hour in 0..24 {
        for minute in [14, 29, 44, 59] {
            for ahead in (-1425..=1425i32).step_by(15) {
                let utc = (hour * 60 + minute - ahead).rem_euclid(1440);
                let sign = if ahead < 0 { '-' } else { '+' };
                let (hours, minutes) = (ahead.abs() / 60, ahead.abs() % 60);
                let text = format!("{hour:02}:{minute:02}:60{sign}{hours:02}:{minutes:02}");
                assert_eq!(holds("time", &text), utc == 23 * 60 + 59, "{text}");
            }
        }
    }
}

#[test]
fn durations() {
    check(
        "duration",
        &["P1Y", "P1Y2M3DT4H5M6S", "PT36H", "P2W", "P1DT1S", "PT1M1S", "P0D", "P007D"],
        &[
            "P", "PT", "P1", "P1YT", "P1Y1D", "PT1H1S", "P1W1D", "PT1D", "P1.5D", "1D", "P1D1M",
            "p1d",
        ],
    );
}

#[test]
fn addresses_of_hosts() {
    check(
        "ipv4",
        &["0.0.0.0", "255.255.255.255", "1.20.100.249"],
        &["256.0.0.1", "1.2.3", "1.2.3.4.5", "01.2.3.4", "1.2.3.", "1..2.3", "1.2.3.4/8"],
    );
    check(
        "ipv6",
        &[
            "::",
            "::1",
            "1::",
            "1:2:3:4:5:6:7:8",
            "1::8",
            "1:2:3:4:5:6:7::",
            "::2:3:4:5:6:7:8",
            "1:2:3:4:5:6:1.2.3.4",
            "::1.2.3.4",
            "1::1.2.3.4",
            "fe80::ABCD:0:1",
        ],
        &[
            "",
            ":",
            ":::",
            "1:2:3:4:5:6:7",
            "1:2:3:4:5:6:7:8:9",
            "1::2::3",
            "12345::",
            "1:2:3:4:5:6:7:1.2.3.4",
            "1:2:3:4:5:6:7:8::",
            "::1.2.3",
            "::1.2.3.256",
            "::1%eth0",
            "1:",
            ":1",
            "1.2.3.4",
        ],
    );
}

#[test]
fn names_of_hosts() {
    let label = "a".repeat(63);
    let long = |last: usize| format!("{label}.{label}.{label}.{}", "a".repeat(last));
    check(
        "hostname",
        &[
            "a",
            "1",
            "example.com",
            "a-b.c--d",
            "A1.b2",
            "xn.com",
            "x-n--a",
            "ab--cd",
            "xxn--a",
            &label,
            &long(61),
        ],
        &[
            "",
            ".",
            "a.",
            ".a",
            "a..b",
            "-a",
            "a-",
            "a-.b",
            "a_b",
            "a b",
            "ä",
            "xn--a",
            "b.XN--c",
            &format!("{label}a"),
            &long(62),
        ],
    );
}

#[test]
fn mailboxes() {
    check(
        "email",
        &[
            "a@b",
            "a.b+c@example.com",
            "\"a b\"@c.d",
            "\"\"@c",
            "\"\\\"\"@c",
            "a@[1.2.3.4]",
            "a@[IPv6:::1]",
            "a@[ipv6:1::2.3.4.5]",
            "a@b--c",
        ],
        &[
            "a",
            "@b",
            "a@",
            ".a@b",
            "a.@b",
            "a..b@c",
            "a b@c",
            "a@-b",
            "a@b-",
            "a@b..c",
            "a@[1.2.3]",
            "a@[IPv6:1:2:3:4:5:6:7::]",
            "a@[x:y]",
            "\"@b",
            "ä@b",
            "a@ä",
        ],
    );
    check("idn-email", &["ä@ö.ü", "\"ä\"@b", "a@b"], &["ä", "ä@", "ä@-ö", "a@b."]);
}

#[test]
fn identifiers() {
    check(
        "uri",
        &[
            "a:",
            "http://a",
            "http://a/b?c#d",
            "urn:x:y",
            "mailto:a@b",
            "http://u:p@h:80/p",
            "file:///etc",
            "http://[::1]:8/",
            "http://[v1.a:b]/",
            "a:/",
            "http://",
            "x:a//b",
            "http://a:/",
        ],
        &[
            "",
            "a",
            "//a",
            "1a:b",
            "http://a b",
            "http://ä",
            "http://a/%g0",
            "a:%1",
            "http://[1]/",
            "a:[",
            "a:b#c#d",
            "http://a:b/",
            "a:\\",
        ],
    );
    check(
        "uri-reference",
        &["", "a", "/a", "//a", "#a", "?a", "../a", "./a:b", "a/b:c", "http://a", "@", "//"],
        &["a b", "1:b", "%", "\\", "a[", "{a}", "#a#b", "ä"],
    );
    check(
        "iri",
        &["http://ä/ö?ü\u{E000}#ß", "a:"],
        &["ä", "http://a/\u{E000}", "http://a#\u{E000}", "a:\u{FFFE}", "a: "],
    );
    check("iri-reference", &["ä", "", "#ä", "//ä/b"], &["ä b", "\u{E000}", "a\\"]);
    check(
        "uri-template",
        &["", "a", "{a}", "{+a,b*}/c{?d:10,e}", "{a.b}", "{%41}", "ä'%20", "{=a}"],
        &[
            "{",
            "}",
            "{}",
            "{a",
            "{a:0}",
            "{a:10000}",
            "{a..b}",
            "{a,}",
            "a b",
            "%2",
            "<",
            "{a*:1}",
            "{{a}}",
            "{-a}",
        ],
    );
}

#[test]
fn pointers_and_uuids() {
    check("json-pointer", &["", "/", "/a~0~1", "//", "/ä\u{0}\""], &["a", "/~", "/~2", "#", "/a~"]);
    check(
        "relative-json-pointer",
        &["0", "10/a", "0#", "1/"],
        &["", "01", "-1", "/a", "0##", "0a", "0#/a"],
    );
    let uuid = "2eb8aa08-AA98-11ea-b4aa-73b441d16380";
    check(
        "uuid",
        &[uuid],
        &["", &uuid[1..], &uuid.replace('-', ""), &uuid.replace('8', "g"), &format!("{{{uuid}}}")],
    );
}

#[test]
fn what_is_no_language_says_so() {
    for name in ["idn-hostname", "regex"] {
        let format = format(name).unwrap();
        assert!(
            format.pattern().is_none() && format.unsupported().is_some() && !format.is_annotation()
        );
    }
    for name in ["color", "int32", "password"] {
        let format = format(name).unwrap();
        assert!(
            format.pattern().is_none() && format.unsupported().is_none() && format.is_annotation()
        );
    }
    for name in ["", "Date", "grid", "date-time "] {
        assert!(format(name).is_none());
    }
    let names: BTreeSet<_> = FORMATS.iter().map(|row| row.name).collect();
    assert_eq!(names.len(), FORMATS.len());
    let first = format("date").unwrap().pattern().unwrap();
    assert!(std::ptr::eq(first, format("date").unwrap().pattern().unwrap()));
}

#[test]
fn the_official_suite_agrees() {
    let Ok(corpora) = std::env::var("STACKMASK_CORPORA") else { return };
    let suite = Path::new(&corpora).join("json-schema-test-suite/tests");
    let (mut checked, mut refused) = (0, BTreeSet::new());
    for file in files(&suite) {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        let Some(format) = format(&name) else {
            assert!(["unknown", "ecmascript-regex"].contains(&&*name), "{name}");
            continue;
        };
        let groups: serde_json::Value =
            serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
        for test in groups.as_array().unwrap().iter().flat_map(|g| g["tests"].as_array().unwrap()) {
            let Some(text) = test["data"].as_str() else { continue };
            let valid = test["valid"].as_bool().unwrap();
            if format.unsupported().is_some() {
                refused.insert(name.clone());
            } else if name == "hostname" && text.to_lowercase().contains("xn--") {
                // Narrower than the RFC.
                assert!(!holds(&name, text), "{text}");
            } else {
                assert_eq!(holds(&name, text), valid, "{} {text:?}", file.display());
                checked += 1;
            }
        }
    }
    assert!(checked > 1_000, "{checked}");
    assert_eq!(refused.into_iter().collect::<Vec<_>>(), ["idn-hostname", "regex"]);
}

/// The files about formats, of all drafts.
fn files(suite: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for draft in std::fs::read_dir(suite).unwrap() {
        let folder = draft.unwrap().path().join("optional/format");
        files.extend(std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()));
    }
    files.sort();
    files
}
