"""All schemas of MaskBench, both spellings: compiled, refused, wrong verdicts, and times.

    python benches/maskbench.py [--spelling any] [--count N] [--workers 2] [--out FILE]

Instances are replayed by bytes as `json.dumps(data, ensure_ascii=False)` writes them. Needs the
corpora (`STACKMASK_CORPORA`). Exits with status 1 if a verdict is wrong.
"""

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from multiprocessing import Pool
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "python"))

from json_schema.maskbench import Case, Outcome, cases, replay


def outcome(task: tuple[Case, str]) -> tuple[bool, Outcome]:
    case, spelling = task
    return bool(case.tests), replay(case, spelling)


def quantile(values: list[int], share: float) -> float:
    """In ms."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))] / 1e6 if values else 0.0


def report(spelling: str, results: list[tuple[bool, Outcome]]) -> dict[str, object]:
    tested = [result for has_tests, result in results if has_tests]
    every = [result for _, result in results]
    passed = sum(result.passed for result in tested)
    print(f"{spelling}: {passed} of {len(tested)} schemas with instances pass", end=" ")
    print(f"({100 * passed / max(1, len(tested)):.2f} %), {len(every)} compiled or refused")
    kinds = Counter(result.refused.split(":")[0] for result in every if result.refused)
    for why, count in kinds.most_common():
        print(f"  refused, {why}: {count}")
    for title, names in (
        ("wrong accept", [result.name for result in tested if result.wrong_accepts]),
        ("wrong reject", [result.name for result in tested if result.wrong_rejects]),
        ("other key order or 1.0", [result.name for result in tested if result.spelled_otherwise]),
    ):
        print(f"  {title}: {len(names)} schemas {names[:20]}")
    for what, times in (
        ("make", [result.make for result in every if result.make]),
        ("compile", [result.compile for result in every if result.make]),
        ("both", [result.make + result.compile for result in every if result.make]),
    ):
        p50, p99, most = (quantile(times, share) for share in (0.5, 0.99, 1))
        print(f"  {what}: p50 {p50:.3f} ms, p99 {p99:.3f} ms, max {most:.1f} ms")
    return {"spelling": spelling, "passed": passed, "tested": len(tested), "refused": dict(kinds)}


def tasks(corpora: Path, spelling: str, count: int | None) -> Iterator[tuple[Case, str]]:
    return ((case, spelling) for case in islice(cases(corpora), count))


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--corpora", type=Path, default=os.environ.get("STACKMASK_CORPORA"))
    options.add_argument("--spelling", choices=("canonical", "any"))
    options.add_argument("--count", type=int)
    options.add_argument("--workers", type=int, default=2)
    options.add_argument("--out", type=Path)
    args = options.parse_args()
    if not args.corpora:
        options.error("no corpora: give --corpora or set STACKMASK_CORPORA")
    wrong, summary = False, []
    for spelling in [args.spelling] if args.spelling else ["any", "canonical"]:
        with Pool(args.workers) as pool:
            results = list(pool.imap(outcome, tasks(args.corpora, spelling, args.count), 20))
        faults = [vars(result) for _, result in results if not result.passed]
        summary.append(report(spelling, results) | {"faults": faults})
        wrong |= any(result.wrong_accepts or result.wrong_rejects for _, result in results)
    if args.out:
        args.out.write_text(json.dumps(summary, indent=1, ensure_ascii=False), encoding="utf-8")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
