"""Adapters to decoding loops, one module each. None imports its framework before it is used."""
