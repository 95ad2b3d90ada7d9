//! Vocabularies from the `tokenizer.json` of Hugging Face.
//!
//! Tokens are never decoded by the decoder itself, which strips spaces and replaces parts of characters; it only
//! tells how pieces are spelled.

mod format;

use super::spelling::{SPACE_MARK, Spelling, byte_of_escape};
use super::{MAX_SIZE, Vocabulary, known_stops};
use crate::error::Error;
use crate::ids::TokenId;
use format::{Component, Pieces, TokenizerFile};

impl Vocabulary {
    /// The vocabulary of a `tokenizer.json`, given as its text.
    ///
    /// Without `special`, the tokens flagged as special are special. Without `stop`, those of them that are known
    /// to end a text by their name are the stop tokens. Both are used as they are where given. `vocab_size` is the
    /// width of the model's logits, see [`Vocabulary::new`]; tokens beyond it are dropped.
    ///
    /// # Errors
    /// [`Error::Vocabulary`] if the text is no such file, if it does not tell how its tokens spell bytes, if no stop
    /// token is known by name, and for what [`Vocabulary::new`] refuses.
    pub fn from_tokenizer_json(
        text: &str,
        stop: Option<&[TokenId]>,
        special: Option<&[TokenId]>,
        vocab_size: Option<usize>,
    ) -> Result<Self, Error> {
        let file: TokenizerFile = serde_json::from_str(text)
            .map_err(|e| Error::Vocabulary(format!("tokenizer.json cannot be read: {e}")))?;
        let spelling = spelling(&file)?;
        let tokens = tokens(&file, &spelling, vocab_size)?;
        let size = vocab_size.unwrap_or(tokens.len());
        let flagged = || {
            let added = file.added_tokens.iter().flatten();
            added.filter(|t| t.special && (t.id as usize) < size)
        };
        let stop = match stop {
            Some(stop) => stop.to_vec(),
            None => known_stops(flagged().map(|t| (t.id, t.content.as_str())))?,
        };
        let special = match special {
            Some(special) => special.to_vec(),
            None => flagged().map(|t| t.id).collect(),
        };
        Self::new(tokens, &stop, &special, vocab_size)
    }
}

/// The bytes of every id below `vocab_size`.
fn tokens(
    file: &TokenizerFile,
    spelling: &Spelling,
    vocab_size: Option<usize>,
) -> Result<Vec<Option<Vec<u8>>>, Error> {
    let limit = vocab_size.unwrap_or(MAX_SIZE);
    let mut tokens: Vec<Option<Vec<u8>>> = Vec::new();
    let mut put = |id: TokenId, bytes: Vec<u8>| {
        let index = id as usize;
        if index >= limit {
            if vocab_size.is_some() {
                return Ok(true);
            }
            return Err(Error::Vocabulary(format!(
                "tokenizer.json: token id {id} exceeds the {MAX_SIZE} ids supported"
            )));
        }
        if tokens.len() <= index {
            tokens.resize(index + 1, None);
        }
        let is_new = tokens[index].is_none();
        if is_new {
            tokens[index] = Some(bytes);
        }
        Ok::<_, Error>(is_new)
    };
    // An added token's text is literal however the model spells its pieces, and it wins over the piece of its id.
    let mut added: Vec<TokenId> = Vec::new();
    for token in file.added_tokens.iter().flatten() {
        put(token.id, token.content.as_bytes().to_vec())?;
        added.push(token.id);
    }
    added.sort_unstable();
    for (id, piece) in file.model.vocab.iter() {
        if !put(id, spelling.bytes(piece))? && added.binary_search(&id).is_err() {
            return Err(Error::Vocabulary(format!(
                "tokenizer.json: two pieces have the id {id}, one of them {piece:?}"
            )));
        }
    }
    Ok(tokens)
}

/// How the pieces of the model spell bytes.
fn spelling(file: &TokenizerFile) -> Result<Spelling, Error> {
    check_model(file)?;
    let mut signs = Signs::default();
    if let Some(decoder) = &file.decoder {
        signs.read_decoder(decoder)?;
    }
    if !signs.byte_level
        && signs.space.is_none()
        && let Some(component) = &file.pre_tokenizer
    {
        signs.read_pre_tokenizer(component);
    }
    let escapes = file.model.vocab.iter().filter(|(_, p)| byte_of_escape(p).is_some()).count();
    if signs.byte_level {
        if signs.space.is_some() || signs.byte_fallback || escapes >= 256 {
            return Err(undetermined("it is byte-level and SentencePiece-like at once"));
        }
        return Ok(Spelling::ByteLevel);
    }
    let byte_fallback = signs.byte_fallback || file.model.byte_fallback == Some(true);
    if signs.space.is_none() {
        if !byte_fallback {
            return Err(undetermined(
                "neither its decoder nor its pre-tokenizer is ByteLevel or Metaspace, and it has no byte fallback",
            ));
        }
        if file.model.vocab.iter().any(|(_, p)| p.contains(SPACE_MARK)) {
            return Err(undetermined(
                "it has pieces with U+2581 but no decoder that says that this is a space",
            ));
        }
    }
    Ok(Spelling::Text { space: signs.space, byte_fallback })
}

fn check_model(file: &TokenizerFile) -> Result<(), Error> {
    let model = &file.model;
    // Older files do not name the type. WordPiece models have no merges, and only Unigram models a list.
    let kind = match (&model.kind, &model.vocab) {
        (Some(kind), _) => kind.as_str(),
        (None, Pieces::List(_)) => "Unigram",
        (None, Pieces::Map(_)) if model.merges.is_some() => "BPE",
        (None, Pieces::Map(_)) => "unnamed",
    };
    if !matches!(kind, "BPE" | "Unigram") {
        return Err(undetermined(&format!(
            "models of type {kind} are not supported, only BPE and Unigram"
        )));
    }
    for (name, affix) in [
        ("continuing_subword_prefix", &model.continuing_subword_prefix),
        ("end_of_word_suffix", &model.end_of_word_suffix),
    ] {
        if let Some(affix) = affix.as_ref().filter(|a| !a.is_empty()) {
            return Err(undetermined(&format!("its model has the {name} {affix:?}")));
        }
    }
    Ok(())
}

fn undetermined(reason: &str) -> Error {
    Error::Vocabulary(format!(
        "tokenizer.json: cannot tell which bytes its tokens stand for: {reason}"
    ))
}

/// What the components of a tokenizer say about the spelling.
#[derive(Default)]
struct Signs {
    byte_level: bool,
    byte_fallback: bool,
    space: Option<String>,
}

impl Signs {
    fn read_decoder(&mut self, component: &Component) -> Result<(), Error> {
        match component.kind.as_str() {
            "ByteLevel" => self.byte_level = true,
            "ByteFallback" => self.byte_fallback = true,
            "Metaspace" => self.space = Some(component.space_mark()),
            "Replace" => {
                let (from, to) = component.replacement_of();
                if (from, to) != (Some(SPACE_MARK), Some(" ")) {
                    return Err(undetermined(
                        "its decoder replaces something other than U+2581 by a space",
                    ));
                }
                self.space = Some(SPACE_MARK.to_owned());
            }
            "Sequence" => {
                for part in component.decoders.iter().flatten() {
                    self.read_decoder(part)?;
                }
            }
            // These join and trim a whole text.
            "Fuse" | "Strip" => {}
            kind => return Err(undetermined(&format!("its decoder {kind} is not supported"))),
        }
        Ok(())
    }

    /// Reads a pre-tokenizer, which says the same as the decoder where the decoder says nothing.
    fn read_pre_tokenizer(&mut self, component: &Component) {
        match component.kind.as_str() {
            "ByteLevel" => self.byte_level = true,
            "Metaspace" => self.space = Some(component.space_mark()),
            "Sequence" => {
                component.pretokenizers.iter().flatten().for_each(|c| self.read_pre_tokenizer(c));
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests;
