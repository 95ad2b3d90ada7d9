//! What a backslash and a character stand for.

use crate::error::Error;

use super::source::{Source, Token};

/// The code point that an escape names, inside a class or outside. It may be a surrogate.
///
/// Categories, anchors and, outside classes, references to groups are for the caller to take first.
pub(super) fn code_point(
    source: &mut Source<'_>,
    token: Token,
    in_class: bool,
) -> Result<u32, Error> {
    let point = match token.char {
        'a' => '\x07',
        'b' if in_class => '\x08',
        'f' => '\x0c',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'v' => '\x0b',
        'x' => return hexadecimal(source, token, 2),
        'u' => return hexadecimal(source, token, 4),
        'U' => return hexadecimal(source, token, 8),
        'N' => return Err(source.unsupported("named characters such as \\N{DASH} are", token.at)),
        '0'..='7' => return octal(source, token),
        c if c.is_ascii_alphanumeric() => {
            return Err(source.error(format!("bad escape \\{c}"), token.at));
        }
        c => c,
    };
    Ok(point.into())
}

/// Whether a digit after a backslash outside a class starts the three digits of an octal number.
pub(super) fn is_octal(source: &Source<'_>, token: Token) -> bool {
    let mut rest = Source::clone(source);
    token.char == '0' || (token.char.is_digit(8) && rest.digits(2, 8).len() == 2)
}

fn hexadecimal(source: &mut Source<'_>, token: Token, count: usize) -> Result<u32, Error> {
    let digits = source.digits(count, 16);
    if digits.len() < count {
        let message = format!(
            "incomplete escape {}{digits}: {count} hexadecimal digits are expected",
            token.text()
        );
        return Err(source.error(message, token.at));
    }
    match u32::from_str_radix(digits, 16) {
        Ok(point) if point <= char::MAX.into() => Ok(point),
        _ => Err(source.error(format!("bad escape \\U{digits}: no such code point"), token.at)),
    }
}

fn octal(source: &mut Source<'_>, token: Token) -> Result<u32, Error> {
    source.digits(2, 8);
    let digits = &source.since(token.at)[1..];
    match u32::from_str_radix(digits, 8) {
        Ok(point) if point <= 0o377 => Ok(point),
        _ => Err(source.error(format!("octal escape \\{digits} is above \\377"), token.at)),
    }
}
