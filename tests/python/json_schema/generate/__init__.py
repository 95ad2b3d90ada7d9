"""Random schemas, values near the edges of what they say, and spellings of those values."""

from json_schema.generate.instances import Instances
from json_schema.generate.schemas import Schemas
from json_schema.generate.spellings import Speller

__all__ = ["Instances", "Schemas", "Speller"]
