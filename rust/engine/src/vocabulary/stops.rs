//! Tokens that end a text, by their names.

use crate::error::Error;
use crate::ids::TokenId;

/// What models call the end of a text, of a message or of a turn.
const NAMES: &[&str] = &[
    "<|endoftext|>",
    "<|end_of_text|>",
    "<|end_of_turn|>",
    "<|endofturn|>",
    "<|eot_id|>",
    "<|eom_id|>",
    "<|eot|>",
    "<|eom|>",
    "<|EOT|>",
    "<|im_end|>",
    "<|end|>",
    "<|return|>",
    "<|call|>",
    "<|eos|>",
    "<|END_OF_TURN_TOKEN|>",
    "<|end_of_sentence|>",
    "<|end▁of▁sentence|>",
    "<｜end▁of▁sentence｜>",
    "</s>",
    "<eos>",
    "<EOT>",
    "<end_of_turn>",
    "<end_of_utterance>",
    "[EOS]",
];

/// The ids of those tokens that are known to end a text by their name.
///
/// # Errors
/// [`Error::Vocabulary`] if none is.
pub fn known_stops<'a>(
    special: impl Iterator<Item = (TokenId, &'a str)>,
) -> Result<Vec<TokenId>, Error> {
    let ids: Vec<_> = special.filter(|(_, name)| NAMES.contains(name)).map(|(id, _)| id).collect();
    if ids.is_empty() {
        return Err(Error::Vocabulary(
            "no special token is known to end a text by its name: give stop_token_ids".into(),
        ));
    }
    Ok(ids)
}
