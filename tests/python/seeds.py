"""The seed of a random test: `STACKMASK_SEED`, else new for each run; printed."""

import os
import random


def seed() -> int:
    chosen = int(os.environ.get("STACKMASK_SEED") or random.SystemRandom().randrange(1 << 32))
    print(f"STACKMASK_SEED={chosen}")
    return chosen
