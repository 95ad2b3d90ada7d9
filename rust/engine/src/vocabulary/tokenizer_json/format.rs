//! The parts of a `tokenizer.json` that say what its tokens are.

use crate::ids::TokenId;
use crate::vocabulary::spelling::SPACE_MARK;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, de};
use serde_json::Value;
use std::fmt;

#[derive(Deserialize)]
pub(super) struct TokenizerFile {
    pub(super) added_tokens: Option<Vec<AddedToken>>,
    pub(super) pre_tokenizer: Option<Component>,
    pub(super) decoder: Option<Component>,
    pub(super) model: Model,
}

/// A token beside those of the model. How it is found in a text (`lstrip`, `normalized` and so on) changes nothing
/// about its bytes.
#[derive(Deserialize)]
pub(super) struct AddedToken {
    pub(super) id: TokenId,
    pub(super) content: String,
    #[serde(default)]
    pub(super) special: bool,
}

#[derive(Deserialize)]
pub(super) struct Model {
    #[serde(rename = "type")]
    pub(super) kind: Option<String>,
    pub(super) vocab: Pieces,
    pub(super) merges: Option<IgnoredAny>,
    pub(super) byte_fallback: Option<bool>,
    pub(super) continuing_subword_prefix: Option<String>,
    pub(super) end_of_word_suffix: Option<String>,
}

/// A decoder or a pre-tokenizer, with the fields of all kinds of them that matter.
#[derive(Deserialize)]
pub(super) struct Component {
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) decoders: Option<Vec<Component>>,
    pub(super) pretokenizers: Option<Vec<Component>>,
    pattern: Option<Value>,
    content: Option<Value>,
    replacement: Option<Value>,
}

impl Component {
    /// What a Metaspace takes for a space.
    pub(super) fn space_mark(&self) -> String {
        let mark = self.replacement.as_ref().and_then(Value::as_str).filter(|m| !m.is_empty());
        mark.unwrap_or(SPACE_MARK).to_owned()
    }

    /// What a Replace replaces, if that is a fixed string, and by what.
    pub(super) fn replacement_of(&self) -> (Option<&str>, Option<&str>) {
        let from = self.pattern.as_ref().and_then(|p| p.get("String")).and_then(Value::as_str);
        (from, self.content.as_ref().and_then(Value::as_str))
    }
}

/// The pieces of a model.
pub(super) enum Pieces {
    /// With their ids.
    Map(Vec<(String, TokenId)>),
    /// Each with its index as its id.
    List(Vec<String>),
}

impl Pieces {
    pub(super) fn iter(&self) -> impl Iterator<Item = (TokenId, &str)> {
        let (map, list) = match self {
            Self::Map(map) => (map.as_slice(), &[][..]),
            Self::List(list) => (&[][..], list.as_slice()),
        };
        let listed = (0..).zip(list).map(|(id, piece)| (id, piece.as_str()));
        map.iter().map(|(piece, id)| (*id, piece.as_str())).chain(listed)
    }
}

impl<'de> Deserialize<'de> for Pieces {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct PiecesVisitor;

        impl<'de> Visitor<'de> for PiecesVisitor {
            type Value = Pieces;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of pieces and ids or a list of pieces and scores")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Pieces, A::Error> {
                let mut pieces = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    pieces.push(entry);
                }
                Ok(Pieces::Map(pieces))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Pieces, A::Error> {
                let mut pieces = Vec::new();
                while let Some((piece, _)) = list.next_element::<(String, IgnoredAny)>()? {
                    if u32::try_from(pieces.len()).is_err() {
                        return Err(de::Error::custom("too many pieces"));
                    }
                    pieces.push(piece);
                }
                Ok(Pieces::List(pieces))
            }
        }

        deserializer.deserialize_any(PiecesVisitor)
    }
}
