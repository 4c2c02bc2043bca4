"""How well steps are found in many invented histories whose true steps are known.

python3 tests/history/score.py [HOW-MANY]      prints a table; the test of the change points uses the same count
"""

from __future__ import annotations

import sys
from collections import defaultdict

import support  # noqa: F401  (finds the scripts)
from synthetic import History, history

from cfdmark.history.change_points import change_points

MARGIN = 2  # points that a change may be reported too early or too late and still counts as found
LARGE = 0.05  # steps from this size on must be found


class Score:
    """Counts over many histories. A change counts as found if it is reported in its direction and within
    the margin."""

    def __init__(self):
        self.told_right = self.told_wrong = self.large = self.large_found = self.covered = 0
        self.wrong: list[str] = []

    def add(self, invented: History) -> None:
        missed = list(invented.steps)
        for reported in change_points(invented.times):
            step = self.nearest(reported, missed)
            if step is None:
                self.told_wrong += 1
                self.wrong.append(f"seed {invented.seed} ({invented.kind}): reported {reported}")
                continue
            missed.remove(step)
            self.told_right += 1
            self.covered += reported.first <= step.index <= reported.last
        self.large += sum(abs(s.size) >= LARGE for s in invented.steps)
        self.large_found += sum(abs(s.size) >= LARGE for s in invented.steps if s not in missed)

    @staticmethod
    def nearest(reported, steps):
        near = [s for s in steps if abs(s.index - reported.index) <= MARGIN and (s.size > 0) == (reported.ratio > 1)]
        return min(near, key=lambda s: abs(s.index - reported.index), default=None)

    @property
    def precision(self) -> float:
        return self.told_right / (self.told_right + self.told_wrong)

    @property
    def recall(self) -> float:
        return self.large_found / self.large


def row(name: str, score: Score) -> str:
    reported = score.told_right + score.told_wrong
    return (
        f"{name:<28} {score.precision:9.3f} {reported:6d} {score.recall:9.3f} {score.large:6d}"
        f" {score.covered / score.told_right:9.3f}"
    )


def main(count: int) -> None:
    whole, parts = Score(), defaultdict(Score)
    for seed in range(count):
        invented = history(seed)
        for score in (whole, parts[invented.kind]):
            score.add(invented)
    print(f"{'noise, drift':<28} precision  found    recall  steps  in range")
    for name, score in sorted(parts.items()):
        print(row(name, score))
    print(row(f"all {count} histories", whole))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 400)
