//! Masks as lists of bits.

use stackmask::{Error, Matcher, TokenId};

/// The mask, a bool for each token. Checks what holds of every mask on the way.
pub(crate) fn try_mask(matcher: &mut Matcher) -> Result<Vec<bool>, Error> {
    let size = matcher.vocabulary().vocab_size();
    // One word too many, and all bits set: the engine must clear what lies behind the vocabulary.
    let mut words = vec![u32::MAX; size.div_ceil(32) + 1];
    let masked = matcher.fill_mask(&mut words)?;
    let bit = |i: usize| words[i / 32] >> (i % 32) & 1 == 1;
    assert!((size..words.len() * 32).all(|i| !bit(i)), "bits behind the vocabulary");
    let bits: Vec<bool> = (0..size).map(bit).collect();
    assert_eq!(masked, bits.contains(&false), "fill_mask says whether anything is masked");
    Ok(bits)
}

/// The mask of a matcher within its limits.
pub(crate) fn mask(matcher: &mut Matcher) -> Vec<bool> {
    try_mask(matcher).expect("a mask within the limits")
}

/// The ids that the mask allows.
pub(crate) fn allowed(matcher: &mut Matcher) -> Vec<TokenId> {
    let bits = mask(matcher);
    (0..bits.len()).filter(|&i| bits[i]).map(|i| i as TokenId).collect()
}

/// The first token whose bit is not what accepting it would answer.
pub(crate) fn unlike_its_trial(matcher: &Matcher, mask: &[bool]) -> Result<Option<usize>, String> {
    for (id, &allowed) in mask.iter().enumerate() {
        let taken = matcher.validate_tokens(&[id as TokenId]).map_err(|e| e.to_string())?;
        if (taken == 1) != allowed {
            return Ok(Some(id));
        }
    }
    Ok(None)
}
