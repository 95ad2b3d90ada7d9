//! References, resolved against a base by RFC 3986 section 5.2. Nothing is decoded or fetched.

/// A reference without its fragment, and the fragment without its `#`.
pub(crate) fn split(reference: &str) -> (&str, &str) {
    reference.split_once('#').unwrap_or((reference, ""))
}

/// The absolute form of a reference without fragment.
pub(crate) fn resolve(base: &str, reference: &str) -> String {
    if reference.is_empty() {
        return base.to_owned();
    }
    let (scheme, rest) = scheme(reference);
    if scheme.is_some() {
        return reference.to_owned();
    }
    let (base_scheme, base_rest) = self::scheme(base);
    let prefix = base_scheme.map_or(String::new(), |scheme| format!("{scheme}:"));
    if rest.starts_with("//") {
        return prefix + rest;
    }
    let (authority, base_path) = match base_rest.strip_prefix("//") {
        Some(after) => {
            let end = after.find(['/', '?']).unwrap_or(after.len());
            (Some(&after[..end]), &after[end..])
        }
        None => (None, base_rest),
    };
    let prefix = match authority {
        Some(authority) => format!("{prefix}//{authority}"),
        None => prefix,
    };
    let base_path = base_path.split('?').next().unwrap_or("");
    if rest.starts_with('?') {
        return format!("{prefix}{base_path}{rest}");
    }
    let (path, query) = match rest.find('?') {
        Some(at) => rest.split_at(at),
        None => (rest, ""),
    };
    let merged = if path.starts_with('/') {
        path.to_owned()
    } else if authority.is_some() && base_path.is_empty() {
        format!("/{path}")
    } else {
        let folder = base_path.rfind('/').map_or("", |end| &base_path[..=end]);
        format!("{folder}{path}")
    };
    format!("{prefix}{}{query}", without_dots(&merged))
}

/// The scheme, if there is one, and what follows its colon.
fn scheme(uri: &str) -> (Option<&str>, &str) {
    match uri.split_once(':') {
        Some((scheme, rest))
            if scheme.starts_with(|c: char| c.is_ascii_alphabetic())
                && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c)) =>
        {
            (Some(scheme), rest)
        }
        _ => (None, uri),
    }
}

fn without_dots(path: &str) -> String {
    if !path.contains('.') {
        return path.to_owned();
    }
    let mut kept: Vec<&str> = Vec::new();
    let mut steps = path.split('/').peekable();
    while let Some(step) = steps.next() {
        let last = steps.peek().is_none();
        match step {
            "." | ".." => {
                if step == ".." && kept.len() > usize::from(path.starts_with('/')) {
                    kept.pop();
                }
                if last {
                    kept.push("");
                }
            }
            _ => kept.push(step),
        }
    }
    kept.join("/")
}

/// A text with its percent escapes resolved, where that is UTF-8.
pub(crate) fn unescape(text: &str) -> Option<String> {
    if !text.contains('%') {
        return Some(text.to_owned());
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digits = rest.get(..2).and_then(|digits| std::str::from_utf8(digits).ok())?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        rest = &rest[2..];
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_resolve_as_the_standard_says() {
        let base = "http://a/b/c/d;p?q";
        let cases = [
            ("g:h", "g:h"),
            ("g", "http://a/b/c/g"),
            ("./g", "http://a/b/c/g"),
            ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"),
            ("//g", "http://g"),
            ("?y", "http://a/b/c/d;p?y"),
            ("g?y", "http://a/b/c/g?y"),
            ("", "http://a/b/c/d;p?q"),
            (".", "http://a/b/c/"),
            ("..", "http://a/b/"),
            ("../g", "http://a/b/g"),
            ("../../g", "http://a/g"),
            ("../../../g", "http://a/g"),
            ("g..", "http://a/b/c/g.."),
            ("./g/.", "http://a/b/c/g/"),
        ];
        for (reference, expected) in cases {
            assert_eq!(resolve(base, reference), expected, "{reference}");
        }
        assert_eq!(resolve("", "item.json"), "item.json");
        assert_eq!(resolve("http://host", "item.json"), "http://host/item.json");
        assert_eq!(resolve("urn:uuid:1", ""), "urn:uuid:1");
        assert_eq!(unescape("a%25b%22").as_deref(), Some("a%b\""));
        assert_eq!(unescape("a%2"), None);
    }
}
