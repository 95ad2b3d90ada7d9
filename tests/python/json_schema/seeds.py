"""The seed of a random test: new for each run, printed, repeated by `STACKMASK_SEED`."""

import os
import random


def seed() -> int:
    chosen = int(os.environ.get("STACKMASK_SEED") or random.SystemRandom().randrange(1 << 32))
    print(f"STACKMASK_SEED={chosen}")
    return chosen
