"""Vocabularies of real tokenizers: the bytes of what a tokenizer encodes are the text."""

import pickle
from types import SimpleNamespace

import numpy as np
import pytest
import tokenizers
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

from stackmask import Grammar, GrammarCompiler, Vocabulary, VocabularyError
from tokenizers_of_others import GGUF, HARD_TEXTS, READERS, real

SIZES = {
    "deepseek": 129_280,
    "deepseek, transformers": 129_280,
    "qwen 151k": 151_851,
    "qwen 248k": 248_077,
    "mistral v1": 32_000,
    "mistral v3": 32_768,
    "tekken": 131_072,
    "smollm2, gguf": 49_152,
}

# The byte-level alphabet of a training corpus: what was never seen has no token.
UNSEEN = {"smollm2, gguf"}


@pytest.mark.parametrize("name", READERS)
def test_the_bytes_of_encoded_text_are_the_text(name):
    it = real(name)
    for text in HARD_TEXTS:
        ids = it.encode(text)
        if name in UNSEEN and any(byte in it.vocabulary.missing_bytes for byte in text.encode()):
            continue
        assert it.vocabulary.decode(ids) == it.normal(text).encode(), (text, ids)


@pytest.mark.parametrize("name", READERS)
def test_sizes_stops_and_single_bytes(name):
    vocabulary = real(name).vocabulary
    assert vocabulary.vocab_size == SIZES[name]
    assert vocabulary.stop_token_ids
    for token in (*vocabulary.stop_token_ids, *vocabulary.special_token_ids):
        assert vocabulary.token_bytes(token) is None
    if name not in UNSEEN:
        assert vocabulary.missing_bytes == b""


@pytest.mark.parametrize("name", READERS)
def test_text_follows_a_grammar_token_by_token(name):
    it = real(name)
    grammar = Grammar.from_regex(r" *\{[ -~中文🙂\n]*\}")
    matcher = GrammarCompiler(it.vocabulary).compile(grammar).matcher()
    for token in it.encode('{"a": [1, "中文🙂"],\n "b": null}'):
        assert matcher.is_token_allowed(token)
        assert matcher.accept_token(token)
    assert matcher.is_completed()


@pytest.mark.parametrize("name", ["deepseek", "mistral v1", "qwen 248k"])
def test_saved_vocabularies_are_the_same(name):
    vocabulary = real(name).vocabulary
    for copy in (
        Vocabulary.from_bytes(vocabulary.to_bytes()),
        pickle.loads(pickle.dumps(vocabulary)),
    ):
        assert copy.fingerprint == vocabulary.fingerprint
        assert copy.stop_token_ids == vocabulary.stop_token_ids
        assert copy.special_token_ids == vocabulary.special_token_ids


def test_damaged_bytes_are_refused():
    data = Vocabulary.byte_level().to_bytes()
    rng = np.random.default_rng(5)
    for _ in range(300):
        bad = bytearray(data)
        bad[int(rng.integers(len(bad)))] ^= int(rng.integers(1, 256))
        with pytest.raises(VocabularyError):
            Vocabulary.from_bytes(bytes(bad))
    for cut in (0, 5, 100, len(data) - 1):
        with pytest.raises(VocabularyError):
            Vocabulary.from_bytes(data[:cut])


CORPUS = [*HARD_TEXTS, *(f"word{i} ключ{i} 文{i} {i * 7919}" for i in range(300))]
SPECIAL = ["<unk>", "</s>", "<|im_end|>"]


def _trained(model, trainer, **parts):
    tokenizer = Tokenizer(model)
    for part, value in parts.items():
        setattr(tokenizer, part, value)
    tokenizer.train_from_iterator(CORPUS, trainer)
    return tokenizer


def byte_level_bpe():
    return _trained(
        models.BPE(),
        trainers.BpeTrainer(
            vocab_size=900,
            special_tokens=SPECIAL,
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
            show_progress=False,
        ),
        pre_tokenizer=pre_tokenizers.ByteLevel(add_prefix_space=False),
        decoder=decoders.ByteLevel(),
    )


BYTES = [f"<0x{byte:02X}>" for byte in range(256)]


def byte_fallback_bpe():
    trained = _trained(
        models.BPE(unk_token="<unk>", byte_fallback=True, fuse_unk=True),
        trainers.BpeTrainer(
            vocab_size=800,
            special_tokens=[*SPECIAL, *BYTES],
            limit_alphabet=60,
            show_progress=False,
        ),
        pre_tokenizer=pre_tokenizers.Metaspace(prepend_scheme="always"),
        decoder=decoders.Sequence(
            [decoders.Replace("\u2581", " "), decoders.ByteFallback(), decoders.Fuse()]
        ),
    )
    # Training flags the byte pieces as special; in real files they are pieces of the model alone.
    return _without_added(trained, BYTES)


def unigram():
    trained = _trained(
        models.Unigram(),
        trainers.UnigramTrainer(
            vocab_size=900, special_tokens=SPECIAL, unk_token="<unk>", show_progress=False
        ),
        pre_tokenizer=pre_tokenizers.Metaspace(prepend_scheme="always"),
        decoder=decoders.Metaspace(),
    )
    return trained


def _without_added(tokenizer, names):
    import json

    file = json.loads(tokenizer.to_str())
    file["added_tokens"] = [t for t in file["added_tokens"] if t["content"] not in names]
    return Tokenizer.from_str(json.dumps(file))


@pytest.mark.parametrize("make", [byte_level_bpe, byte_fallback_bpe, unigram])
def test_trained_tokenizers(make):
    tokenizer = make()
    vocabulary = Vocabulary.from_huggingface(tokenizer)
    assert set(vocabulary.stop_token_ids) == {1, 2}
    unknown = tokenizer.token_to_id("<unk>")
    for text in CORPUS:
        ids = tokenizer.encode(text, add_special_tokens=False).ids
        if unknown in ids:
            assert make is unigram
            continue
        expected = text
        if make is not byte_level_bpe:
            # Both put a space before the text, and take a space mark in it for a space.
            expected = text.replace("\u2581", " ")
            expected = expected if expected[:1] == " " else " " + expected
        assert vocabulary.decode(ids) == expected.encode(), text


def test_word_piece_is_refused():
    tokenizer = _trained(
        models.WordPiece(unk_token="<unk>"),
        trainers.WordPieceTrainer(vocab_size=200, special_tokens=SPECIAL, show_progress=False),
        pre_tokenizer=pre_tokenizers.Whitespace(),
    )
    with pytest.raises(VocabularyError, match="WordPiece"):
        Vocabulary.from_huggingface(tokenizer)


@pytest.mark.parametrize(
    ("reader", "source"),
    [
        ("from_huggingface", object()),
        ("from_tiktoken", object()),
        ("from_sentencepiece", object()),
        ("from_mistral", object()),
        ("from_llama_cpp", object()),
    ],
)
def test_what_is_no_such_tokenizer_is_named(reader, source):
    with pytest.raises(VocabularyError, match="object"):
        getattr(Vocabulary, reader)(source)


def test_files_that_are_no_gguf(tmp_path):
    with pytest.raises(OSError, match="nowhere"):
        Vocabulary.from_gguf(tmp_path / "nowhere.gguf")
    path = tmp_path / "bad.gguf"
    for data in (b"no model" * 20, GGUF.read_bytes()[:20_000]):
        path.write_bytes(data)
        with pytest.raises(VocabularyError, match=r"bad\.gguf"):
            Vocabulary.from_gguf(path)


# The pitfalls of building a token table.


def _bpe(pieces, added=(), decoder=None, merges=()):
    tokenizer = Tokenizer(models.BPE({p: i for i, p in enumerate(pieces)}, list(merges)))
    tokenizer.decoder = decoder or decoders.ByteLevel()
    if added:
        tokenizer.add_tokens(list(added))
    return tokenizer


ALPHABET = sorted(pre_tokenizers.ByteLevel.alphabet())


def test_added_tokens_are_literal_text():
    tokenizer = _bpe(
        ALPHABET, [tokenizers.AddedToken(t, normalized=False) for t in ("é", "\n\n", "  x")]
    )
    vocabulary = Vocabulary.from_huggingface(tokenizer, stop_token_ids=[0])
    for text in ("é", "\n\n", "  x"):
        assert vocabulary.token_bytes(tokenizer.token_to_id(text)) == text.encode()


def test_an_added_record_wins_over_the_piece_of_its_id():
    tokenizer = _bpe([*ALPHABET, "Ġ<mark>"])
    tokenizer.add_special_tokens(["Ġ<mark>"])
    vocabulary = Vocabulary.from_huggingface(tokenizer, stop_token_ids=[0])
    assert vocabulary.token_bytes(256) is None
    assert 256 in vocabulary.special_token_ids


def test_how_an_added_token_is_found_changes_nothing_about_its_bytes():
    added = tokenizers.AddedToken(
        "<b>", lstrip=True, rstrip=True, single_word=True, normalized=True
    )
    tokenizer = _bpe(ALPHABET, [added])
    tokenizer.normalizer = normalizers.Lowercase()
    vocabulary = Vocabulary.from_huggingface(tokenizer, stop_token_ids=[0])
    assert vocabulary.token_bytes(256) == b"<b>"


def test_tokens_are_not_decoded_one_by_one():
    vocabulary = real("mistral v1").vocabulary
    ids = real("mistral v1").encode("a b")
    assert vocabulary.decode(ids) == b" a b"
    assert vocabulary.token_bytes(ids[0]) == b" a"
    parts = real("deepseek").vocabulary
    assert any(parts.token_bytes(i) == b"\xf0\x9f" for i in range(parts.vocab_size))


def test_bytes_and_pieces_with_the_same_bytes_are_both_allowed():
    it = real("mistral v1")
    vocabulary = it.vocabulary
    same = [i for i in range(vocabulary.vocab_size) if vocabulary.token_bytes(i) == b"a"]
    assert len(same) == 2
    matcher = GrammarCompiler(vocabulary).compile(Grammar.from_choices(["a"])).matcher()
    assert matcher.allowed_token_ids().tolist() == same


def test_a_user_piece_that_looks_like_a_byte_is_text():
    pieces = {f"<0x{b:02X}>": b for b in range(256)} | {"▁": 256, "x": 257}
    tokenizer = Tokenizer(models.BPE(pieces, [], byte_fallback=True))
    tokenizer.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback()])
    tokenizer.add_tokens([tokenizers.AddedToken("<0x1F>", normalized=False)])
    vocabulary = Vocabulary.from_huggingface(tokenizer, stop_token_ids=[257])
    assert vocabulary.token_bytes(0x41) == b"A"
    assert vocabulary.token_bytes(tokenizer.token_to_id("<0x1F>")) == b"<0x1F>"


def test_the_space_mark_is_a_space_only_where_it_is_one():
    assert real("mistral v3").vocabulary.decode(real("mistral v3").encode("x y")) == b" x y"
    it = real("deepseek")
    assert it.vocabulary.decode(it.encode("\u2581")) == "\u2581".encode()


def test_the_first_space_of_sentencepiece_is_strict():
    vocabulary = real("mistral v1").vocabulary
    matcher = GrammarCompiler(vocabulary).compile(Grammar.from_choices(["Yes"])).matcher()
    texts = {vocabulary.token_bytes(int(i)) for i in matcher.allowed_token_ids()}
    assert texts == {b"Y", b"Yes"}


def test_models_wider_or_narrower_than_the_tokenizer():
    tokenizer = byte_level_bpe()
    size = tokenizer.get_vocab_size()
    wide = Vocabulary.from_huggingface(tokenizer, vocab_size=size + 50)
    matcher = GrammarCompiler(wide).compile(Grammar.json(whitespace="any")).matcher()
    assert wide.vocab_size == size + 50
    assert all(token < size for token in matcher.allowed_token_ids())
    narrow = Vocabulary.from_huggingface(tokenizer, vocab_size=size - 50)
    assert narrow.vocab_size == size - 50
    assert narrow.token_bytes(size - 51) is not None


def test_ids_with_holes_are_never_allowed():
    pieces = {p: 2 * i for i, p in enumerate(ALPHABET)}
    tokenizer = Tokenizer(models.BPE(pieces, []))
    tokenizer.decoder = decoders.ByteLevel()
    vocabulary = Vocabulary.from_huggingface(tokenizer, stop_token_ids=[0])
    assert vocabulary.vocab_size == 511
    assert all(vocabulary.token_bytes(i) is None for i in range(1, 511, 2))


def test_all_ends_are_stop_tokens():
    from transformers import PreTrainedTokenizerFast

    tokenizer = byte_level_bpe()
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="</s>")
    assert Vocabulary.from_huggingface(fast).stop_token_ids == (1, 2)
    assert Vocabulary.from_huggingface(fast, stop_token_ids=[2]).stop_token_ids == (2,)


def test_tekken_ids_and_names():
    vocabulary = real("tekken").vocabulary
    assert vocabulary.special_token_ids == tuple(range(1000))
    assert vocabulary.token_bytes(1000) == b"\x00"


def test_long_tokens():
    tokenizer = _bpe([*ALPHABET, "Ġ" * 4096, "a" * 400])
    vocabulary = Vocabulary.from_huggingface(tokenizer, stop_token_ids=[0])
    assert vocabulary.token_bytes(256) == b" " * 4096
    matcher = GrammarCompiler(vocabulary).compile(Grammar.from_regex(r" {4096}a*")).matcher()
    assert matcher.accept_token(256)
    assert matcher.accept_token(257)


def test_a_grammar_that_needs_a_missing_byte_is_refused():
    vocabulary = Vocabulary.from_huggingface(_bpe(["a", "b", "end"]), stop_token_ids=[2])
    compiler = GrammarCompiler(vocabulary)
    compiler.compile(Grammar.from_regex("[ab]+"))
    with pytest.raises(VocabularyError, match="0x63"):
        compiler.compile(Grammar.from_regex("[ab]+c"))


def test_missing_bytes_that_no_text_needs_do_no_harm():
    vocabulary = real("smollm2, gguf").vocabulary
    assert b"\xf1" in vocabulary.missing_bytes
    compiled = GrammarCompiler(vocabulary).compile(Grammar.json(whitespace="none"))
    rng = np.random.default_rng(11)
    for _ in range(20):
        matcher = compiled.matcher()
        for _ in range(40):
            allowed = matcher.allowed_token_ids()
            assert matcher.accept_token(int(rng.choice(allowed)))
            if matcher.is_terminated():
                break
            assert set(matcher.shortest_completion()).isdisjoint(vocabulary.missing_bytes)


def test_added_tokens_that_the_serialised_form_leaves_out():
    tokenizer = byte_level_bpe()
    size = tokenizer.get_vocab_size()
    record = SimpleNamespace(content="<tool>", special=True)

    class Wrapped:
        backend_tokenizer = tokenizer
        added_tokens_decoder = dict(tokenizer.get_added_tokens_decoder()) | {size: record}

        def get_vocab(self):
            return tokenizer.get_vocab() | {"<tool>": size}

    vocabulary = Vocabulary.from_huggingface(Wrapped())
    assert vocabulary.vocab_size == size + 1
    assert size in vocabulary.special_token_ids


def test_a_character_may_be_spread_over_tokens():
    it = real("deepseek")
    matcher = GrammarCompiler(it.vocabulary).compile(Grammar.from_choices(["🧿!"])).matcher()
    for token in it.encode("🧿!"):
        assert matcher.accept_token(token)
    assert matcher.is_completed()


def test_the_fingerprint_is_of_bytes_ids_specials_and_size():
    prints = {
        Vocabulary([b"a", b"b"], stop_token_ids=[1]).fingerprint,
        Vocabulary([b"b", b"a"], stop_token_ids=[1]).fingerprint,
        Vocabulary([b"a", b"b"], stop_token_ids=[0]).fingerprint,
        Vocabulary([b"a", b"b"], stop_token_ids=[1], vocab_size=3).fingerprint,
        Vocabulary([b"a", b"b", b"c"], stop_token_ids=[1]).fingerprint,
        Vocabulary([b"a", b"b", b"c"], stop_token_ids=[1], special_token_ids=[2]).fingerprint,
    }
    assert len(prints) == 6


class StandIn:
    """Behaves as llama_cpp and its Llama do, over a few tokens."""

    LLAMA_TOKEN_ATTR_UNKNOWN, LLAMA_TOKEN_ATTR_CONTROL = 1, 8
    TEXTS = (b"<unk>", b"<s>", b"</s>", b"<|im_end|>", b"a", b" " * 300, b"\xf0\x9f", b"")

    @classmethod
    def llama_token_to_piece(cls, _vocab, token, buffer, size, _lstrip, _special):
        text = cls.TEXTS[token]
        if len(text) > size:
            return -len(text)
        buffer[: len(text)] = text
        return len(text)

    @classmethod
    def llama_vocab_get_attr(cls, _vocab, token):
        return (1, 8, 8, 8, 4, 4, 4, 4)[token]

    @classmethod
    def llama_vocab_is_eog(cls, _vocab, token):
        return token in (2, 3)


def test_llama_cpp(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "llama_stand_in", StandIn)
    kind = type("Llama", (), {"__module__": "llama_stand_in.llama", "n_vocab": lambda self: 8})
    llama = kind()
    llama._model = SimpleNamespace(vocab=object())
    vocabulary = Vocabulary.from_llama_cpp(llama)
    assert vocabulary.stop_token_ids == (2, 3)
    assert vocabulary.special_token_ids == (0, 1, 2, 3)
    assert vocabulary.token_bytes(5) == b" " * 300
    assert vocabulary.token_bytes(6) == b"\xf0\x9f"
    assert vocabulary.token_bytes(7) is None
