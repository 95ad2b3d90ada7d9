//! How the pieces of a tokenizer's vocabulary spell bytes.

/// What stands for a space in SentencePiece-like vocabularies.
pub(super) const SPACE_MARK: &str = "\u{2581}";

/// How a piece is to be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// One character for each byte, by the table of GPT-2.
    ByteLevel,
    /// As text.
    Text {
        /// What stands for a space.
        space: Option<String>,
        /// Whether `<0xHH>` stands for a byte.
        byte_fallback: bool,
    },
}

impl Spelling {
    /// The bytes of a piece.
    pub fn bytes(&self, piece: &str) -> Vec<u8> {
        match self {
            // A piece with a character that spells no byte is literal text, as it is for the decoder itself.
            Self::ByteLevel => piece
                .chars()
                .map(byte_of_char)
                .collect::<Option<_>>()
                .unwrap_or_else(|| piece.as_bytes().to_vec()),
            Self::Text { space, byte_fallback } => {
                if let Some(byte) = byte_of_escape(piece).filter(|_| *byte_fallback) {
                    return vec![byte];
                }
                match space {
                    Some(mark) => piece.replace(mark.as_str(), " ").into_bytes(),
                    None => piece.as_bytes().to_vec(),
                }
            }
        }
    }
}

/// The byte of exactly `<0xHH>`.
pub(super) fn byte_of_escape(piece: &str) -> Option<u8> {
    let digits = piece.strip_prefix("<0x")?.strip_suffix('>')?;
    // The standard parser takes a sign as well.
    let is_hex = digits.len() == 2 && digits.bytes().all(|b| b.is_ascii_hexdigit());
    if is_hex { u8::from_str_radix(digits, 16).ok() } else { None }
}

/// The byte that `c` stands for in a byte-level vocabulary.
///
/// Printable characters of Latin-1 stand for themselves, U+0100 to U+0143 for the other bytes in their order.
fn byte_of_char(c: char) -> Option<u8> {
    match c {
        '!'..='~' | '¡'..='¬' | '®'..='ÿ' => Some(c as u8),
        '\u{100}'..='\u{120}' => Some((c as u32 - 0x100) as u8),
        '\u{121}'..='\u{142}' => Some((c as u32 - 0x121 + 0x7F) as u8),
        '\u{143}' => Some(0xAD),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_byte_level_table_is_a_bijection() {
        let mut bytes: Vec<u8> = ('\0'..='\u{200}').filter_map(byte_of_char).collect();
        bytes.sort_unstable();
        assert_eq!(bytes, (0..=255).collect::<Vec<u8>>());
        for (c, byte) in [('Ġ', b' '), ('Ċ', b'\n'), ('ĉ', b'\t'), ('č', b'\r'), ('a', b'a')] {
            assert_eq!(byte_of_char(c), Some(byte));
        }
    }

    #[test]
    fn only_the_exact_form_is_a_byte() {
        assert_eq!(byte_of_escape("<0x0A>"), Some(10));
        assert_eq!(byte_of_escape("<0xff>"), Some(255));
        for text in ["<0x>", "<0xA>", "<0x00A>", "<0x+A>", "<0xGG>", " <0x0A>", "<0x0A>>", "<0xé>"]
        {
            assert_eq!(byte_of_escape(text), None, "{text}");
        }
    }

    #[test]
    fn a_space_mark_is_a_space_only_where_it_is_one() {
        let text = |space: Option<&str>| Spelling::Text {
            space: space.map(str::to_owned),
            byte_fallback: true,
        };
        assert_eq!(text(Some(SPACE_MARK)).bytes("▁a▁▁"), b" a  ");
        assert_eq!(text(None).bytes("▁"), "▁".as_bytes());
        assert_eq!(Spelling::ByteLevel.bytes("▁"), "▁".as_bytes());
        assert_eq!(Spelling::ByteLevel.bytes("âĸģ"), "▁".as_bytes());
        assert_eq!(Spelling::ByteLevel.bytes("<0x0A>"), b"<0x0A>");
    }
}
