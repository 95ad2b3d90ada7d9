//! What the bytes of a JSON string stand for, one byte at a time.
//!
//! A character may be written as itself or by an escape; both come out as the same bytes of UTF-8. Half of a
//! surrogate pair that stands alone comes out as three bytes of its own, so that it equals nothing but itself.

/// Where an escape stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum Escape {
    /// Between characters, or within the bytes of one.
    #[default]
    None,
    /// After a backslash. `high` is the first half of a pair before it, or 0.
    Slash { high: u16 },
    /// Within the digits of `\u`.
    Hex { high: u16, digits: u8, value: u16 },
    /// After the first half of a pair.
    High(u16),
}

/// A few bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Decoded {
    bytes: [u8; 8],
    len: u8,
}

/// What a byte did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Read {
    /// The string goes on.
    On(Escape, Decoded),
    /// It was the closing quotation mark.
    End(Decoded),
}

impl Decoded {
    pub(crate) fn as_slice(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }

    fn push(&mut self, byte: u8) {
        self.bytes[usize::from(self.len)] = byte;
        self.len += 1;
    }

    fn char(&mut self, char: char) {
        let mut buffer = [0; 4];
        char.encode_utf8(&mut buffer).bytes().for_each(|b| self.push(b));
    }

    /// A code unit that is no half of a pair, or one that has lost the other.
    fn unit(&mut self, unit: u16) {
        match char::from_u32(u32::from(unit)) {
            Some(char) => self.char(char),
            None => {
                let [high, low] = [unit >> 6 & 0x3f, unit & 0x3f].map(|bits| 0x80 | bits as u8);
                for byte in [0xed, high, low] {
                    self.push(byte);
                }
            }
        }
    }
}

impl Escape {
    /// Takes a byte of the string behind its opening quotation mark.
    pub(crate) fn read(self, byte: u8) -> Read {
        let mut out = Decoded::default();
        match self {
            Self::None | Self::High(_) => {
                let high = if let Self::High(high) = self { high } else { 0 };
                if byte == b'\\' {
                    return Read::On(Self::Slash { high }, out);
                }
                if high != 0 {
                    out.unit(high);
                }
                if byte == b'"' {
                    return Read::End(out);
                }
                out.push(byte);
                Read::On(Self::None, out)
            }
            Self::Slash { high } if byte == b'u' => {
                Read::On(Self::Hex { high, digits: 0, value: 0 }, out)
            }
            Self::Slash { high } => {
                if high != 0 {
                    out.unit(high);
                }
                out.push(match byte {
                    b'b' => 8,
                    b'f' => 12,
                    b'n' => b'\n',
                    b'r' => b'\r',
                    b't' => b'\t',
                    other => other,
                });
                Read::On(Self::None, out)
            }
            Self::Hex { high, digits, value } => {
                let digit = char::from(byte).to_digit(16).unwrap_or(0) as u16;
                let value = value << 4 | digit;
                if digits < 3 {
                    return Read::On(Self::Hex { high, digits: digits + 1, value }, out);
                }
                let low = (0xdc00..0xe000).contains(&value);
                if high != 0 && low {
                    let pair = char::decode_utf16([high, value]).next();
                    if let Some(Ok(char)) = pair {
                        out.char(char);
                    }
                    return Read::On(Self::None, out);
                }
                if high != 0 {
                    out.unit(high);
                }
                if (0xd800..0xdc00).contains(&value) {
                    return Read::On(Self::High(value), out);
                }
                out.unit(value);
                Read::On(Self::None, out)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Escape, Read};

    fn decode(text: &str) -> Vec<u8> {
        let mut escape = Escape::None;
        let mut out = Vec::new();
        for byte in text.bytes() {
            match escape.read(byte) {
                Read::On(next, decoded) => {
                    escape = next;
                    out.extend(decoded.as_slice());
                }
                Read::End(decoded) => {
                    out.extend(decoded.as_slice());
                    return out;
                }
            }
        }
        panic!("no end: {text}");
    }

    #[test]
    fn spellings_of_a_text_come_out_alike() {
        let spellings = ["é\"", "\\u00e9\"", "\\u00E9\""];
        assert!(spellings.iter().all(|s| decode(s) == "é".as_bytes()));
        assert_eq!(decode("\\\"\\\\\\/\\b\\f\\n\\r\\t\""), b"\"\\/\x08\x0c\n\r\t");
        assert_eq!(decode("\\ud83d\\uDE00\""), "😀".as_bytes());
        assert_eq!(decode("😀\""), "😀".as_bytes());
        assert_eq!(decode("\\u0000a\""), b"\0a");
    }

    #[test]
    fn halves_of_pairs_equal_nothing_but_themselves() {
        let all = ["\\ud83d\"", "\\ude00\"", "\\ud83d\\ud83d\"", "\\ude00\\ud83d\"", "\\ud83dx\""];
        let all = all.map(decode);
        for (at, one) in all.iter().enumerate() {
            assert_eq!(one, &all[at]);
            assert!(all[..at].iter().all(|other| other != one));
            assert!(std::str::from_utf8(one).is_err());
        }
        assert_eq!(decode("\\ud83d\\n\""), [0xed, 0xa0, 0xbd, b'\n']);
    }
}
