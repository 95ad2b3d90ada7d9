"""Tests of grammars made from JSON Schema, and the oracle that judges them."""
