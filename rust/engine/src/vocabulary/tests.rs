use super::*;

fn tokens(texts: &[&str]) -> Vec<Option<Vec<u8>>> {
    texts.iter().map(|t| Some(t.as_bytes().to_vec())).collect()
}

fn message(result: Result<Vocabulary, Error>) -> String {
    match result {
        Err(Error::Vocabulary(message)) => message,
        other => panic!("expected a vocabulary error, not {other:?}"),
    }
}

#[test]
fn is_shared_between_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Vocabulary>();
}

#[test]
fn special_stop_and_empty_tokens_are_not_text() {
    let vocabulary =
        Vocabulary::new(tokens(&["a", "<s>", "", "b", "</s>"]), &[4], &[1], None).unwrap();
    let texts: Vec<_> = (0..6).map(|id| vocabulary.token_bytes(id)).collect();
    assert_eq!(texts, [Some(&b"a"[..]), None, None, Some(b"b"), None, None]);
    assert_eq!(vocabulary.token_bytes(u32::MAX), None);
    assert_eq!(vocabulary.vocab_size(), 5);
    assert_eq!(vocabulary.stop_token_ids(), [4]);
    assert_eq!(vocabulary.special_token_ids(), [1]);
}

#[test]
fn the_size_of_the_model_decides() {
    let padded = Vocabulary::new(tokens(&["a", "b", "</s>"]), &[2], &[], Some(8)).unwrap();
    assert_eq!(padded.vocab_size(), 8);
    assert_eq!(padded.token_bytes(7), None);
    let cut = Vocabulary::new(tokens(&["a", "</s>", "b"]), &[1], &[], Some(2)).unwrap();
    assert_eq!(cut.vocab_size(), 2);
    assert_eq!(cut.token_bytes(2), None);
    // A stop token may lie among the ids that the tokenizer does not have.
    assert!(Vocabulary::new(tokens(&["a"]), &[5], &[], Some(8)).is_ok());
}

#[test]
fn several_ids_may_have_the_same_bytes() {
    let vocabulary = Vocabulary::new(tokens(&["\n", "\n", ""]), &[2], &[], None).unwrap();
    assert_eq!(vocabulary.token_bytes(0), vocabulary.token_bytes(1));
}

#[test]
fn errors_name_the_value() {
    assert!(message(Vocabulary::new(Vec::new(), &[0], &[], None)).contains("size is 0"));
    assert!(
        message(Vocabulary::new(vec![None, None], &[0], &[], None)).contains("no token of the 2")
    );
    assert!(message(Vocabulary::new(tokens(&["a"]), &[], &[], None)).contains("no stop token id"));
    assert!(message(Vocabulary::new(tokens(&["a"]), &[7], &[], None)).contains("stop id 7"));
    assert!(message(Vocabulary::new(tokens(&["a"]), &[0], &[9], None)).contains("special id 9"));
    let size = usize::MAX;
    assert!(message(Vocabulary::new(tokens(&["a"]), &[0], &[], Some(size))).contains("exceeds"));
}

#[test]
fn missing_bytes_are_those_without_a_token_of_their_own() {
    assert!(Vocabulary::byte_level().missing_bytes().is_empty());
    let vocabulary = Vocabulary::new(tokens(&["a", "bc", "b"]), &[2], &[], None).unwrap();
    assert_eq!(vocabulary.missing_bytes().len(), 255);
    assert!(!vocabulary.missing_bytes().contains(&b'a'));
    assert!(vocabulary.missing_bytes().contains(&b'b'));
}

#[test]
fn byte_level_has_every_byte_and_a_stop_token() {
    let vocabulary = Vocabulary::byte_level();
    assert_eq!(vocabulary.vocab_size(), 257);
    assert_eq!(vocabulary.stop_token_ids(), [256]);
    assert_eq!(vocabulary.token_bytes(256), None);
    assert_eq!(vocabulary.decode(&[0xC3, 0xA9, 256]).unwrap(), "é".as_bytes());
    assert!(vocabulary.decode(&[257]).unwrap_err().to_string().contains("token id 257"));
}

#[test]
fn the_fingerprint_tells_everything_apart() {
    let of = |texts: &[&str], stop: &[u32], special: &[u32], size| {
        let vocabulary = Vocabulary::new(tokens(texts), stop, special, size).unwrap();
        vocabulary.fingerprint().to_owned()
    };
    let base = of(&["ab", "c", "x"], &[2], &[], None);
    assert_eq!(base.len(), 64);
    assert_eq!(base, of(&["ab", "c", "y"], &[2, 2], &[], Some(3)));
    for other in [
        of(&["a", "bc", "x"], &[2], &[], None),
        of(&["ab", "c", "x"], &[2], &[2], None),
        of(&["ab", "c", "x"], &[2], &[], Some(4)),
        of(&["ab", "c", "", "x"], &[2], &[], Some(4)),
        of(&["ab", "c", "", "x"], &[3], &[], None),
    ] {
        assert_ne!(base, other);
    }
}
