"""A tiny model with random weights, and a vocabulary trained for it."""

import pytest
import torch
import transformers
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

from stackmask import Grammar, GrammarCompiler, Vocabulary

TEXTS = [
    '{"name": "value", "list": [1, 2, 3]}',
    "SELECT a FROM b WHERE c = 1",
    "yes no maybe 🙂é中",
]


@pytest.fixture(scope="session")
def tokenizer():
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=420,
        special_tokens=["<pad>", "<s>", "</s>"],
        initial_alphabet=alphabet,
        show_progress=False,
    )
    tokenizer.train_from_iterator(TEXTS * 50, trainer)
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token="<pad>",
        bos_token="<s>",
        eos_token="</s>",
        padding_side="left",
    )


def make_model(seed, size):
    torch.manual_seed(seed)
    config = transformers.LlamaConfig(
        vocab_size=size,
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=2,
        max_position_embeddings=512,
        pad_token_id=0,
        bos_token_id=1,
        eos_token_id=2,
    )
    return transformers.LlamaForCausalLM(config).eval()


# Wider than the tokenizer, as models are.
WIDTH = 448


@pytest.fixture(scope="session")
def model():
    return make_model(1, WIDTH)


@pytest.fixture(scope="session")
def assistant():
    return make_model(2, WIDTH)


@pytest.fixture(scope="session")
def vocabulary(tokenizer):
    return Vocabulary.from_huggingface(tokenizer, vocab_size=WIDTH)


@pytest.fixture(scope="session")
def compiler(vocabulary):
    return GrammarCompiler(vocabulary)


GRAMMARS = {
    "json": Grammar.json(whitespace="none"),
    "regex": Grammar.from_regex(r"[a-f]{4,12}(-[0-9]{2,6})*!"),
    "choices": Grammar.from_choices(["yes", "no", "maybe 🙂", "中"]),
}


@pytest.fixture(scope="session")
def compiled(compiler):
    return {name: compiler.compile(grammar) for name, grammar in GRAMMARS.items()}
