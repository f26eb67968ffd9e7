"""Compares change points with those of third-party programs, for patterns with a known truth.

usage: change_points.py series FILE       writes the series of otava-test-data's patterns
       change_points.py compare FILE OURS  reads what `batchmark` finds in them, asks Otava, asv and ruptures, prints a table

Fails where a level step with at least ten points a side is missed, or a pattern without one raises an alarm, as far as
Documentation/Validation.md promises it.
"""
import json
import math
import sys
import warnings

warnings.filterwarnings("ignore")

SEEDS = range(20)
LENGTH = 50
LEVELS = {"step", "regression_start", "regression_end"}


def patterns():
    """Return names, whether every step must be found, whether alarms are forbidden, and functions that make the series."""
    from otava_test_data.generators import advanced, basic

    n = LENGTH
    return [
        ("constant", False, True, lambda s: basic.constant(n)),
        ("noise, normal", False, True, lambda s: basic.noise_normal(n, seed=s)),
        ("noise, uniform", False, True, lambda s: basic.noise_uniform(n, seed=s)),
        ("outlier", False, True, lambda s: basic.outlier(n)),
        ("outlier in noise", False, True, lambda s: basic.outlier(n, sigma=5, seed=s)),
        ("three outliers in noise", False, True, lambda s: advanced.multiple_outliers(n, sigma=5, seed=s)),
        ("banding", False, False, lambda s: advanced.banding(n, sigma=2, seed=s)),
        ("step of 20 %", True, False, lambda s: basic.step_function(n)),
        ("step of 20 % in noise of 5", True, False, lambda s: basic.step_function(n, sigma=5, seed=s)),
        ("step of 5 % in noise of 2", False, False, lambda s: basic.step_function(n, value_after=105, sigma=2, seed=s)),
        ("step down in noise of 5", True, False,
         lambda s: basic.step_function(n, value_before=120, value_after=100, sigma=5, seed=s)),
        ("undone after 10 points", True, False, lambda s: basic.regression_fix(n)),
        ("undone after 10, noise of 5", True, False, lambda s: basic.regression_fix(n, sigma=5, seed=s)),
        ("undone after 5, noise of 5", False, False,
         lambda s: basic.regression_fix(n, regression_duration=5, sigma=5, seed=s)),
        ("three steps of 12 points", True, False, lambda s: advanced.multiple_changes(n)),
        ("three steps, noise of 5", False, False, lambda s: advanced.multiple_changes(n, sigma=5, seed=s)),
        ("variance, 2 to 10", False, False, lambda s: advanced.variance_change(n, seed=s)),
        ("phase", False, False, lambda s: advanced.phase_change(n)),
    ]


def series():
    found = []
    for name, _, _, make in patterns():
        for seed in SEEDS:
            made = make(seed)
            truth = [point.index for point in made.change_points if point.change_type in LEVELS]
            found.append({"pattern": name, "values": [float(value) for value in made.data], "truth": truth})
    return found


def otava(values):
    from otava.series import AnalysisOptions, Metric, Series

    one = Series("test", None, list(range(len(values))), {"m": Metric()}, {"m": values}, {})
    return [point.index for point in one.analyze(AnalysisOptions()).change_points["m"]]


def asv(values):
    from asv.step_detect import detect_steps

    return [step[0] for step in detect_steps(values)[1:]]


def pelt(values):
    import numpy
    import ruptures

    data = numpy.array(values)
    # A penalty of 3 log n in units of the noise, which is estimated from differences of neighbors.
    noise = numpy.median(numpy.abs(numpy.diff(data))) / 0.6745 / math.sqrt(2)
    if noise > 0:
        data = data / noise
    return ruptures.Pelt(model="l2", min_size=5).fit(data).predict(pen=3 * math.log(len(values)))[:-1]


def score(found, truth):
    hits = all(any(abs(index - place) <= 2 for index in found) for place in truth)
    wrong = any(all(abs(index - place) > 2 for place in truth) for index in found)
    return hits, wrong


def compare(cases, ours):
    programs = [("batchmark", None), ("Otava", otava), ("asv", asv), ("PELT", pelt)]
    print("| pattern | " + " | ".join(name for name, _ in programs) + " |")
    print("| :-- |" + " --: |" * len(programs))
    failures = []
    for name, must_find, must_be_quiet, _ in patterns():
        own = [(case, found) for case, found in zip(cases, ours) if case["pattern"] == name]
        cells = []
        for program, detect in programs:
            scores = [
                score(found if detect is None else detect(case["values"]), case["truth"]) for case, found in own
            ]
            hits, wrong = (sum(part) for part in zip(*scores))
            cells.append((f"{hits}, " if own[0][0]["truth"] else "") + f"{wrong}")
            if detect is None and must_find and hits < 0.95 * len(own):
                failures.append(f"{name}: steps found in {hits} of {len(own)}")
            if detect is None and must_be_quiet and wrong > 0:
                failures.append(f"{name}: {wrong} of {len(own)} raise an alarm")
        print(f"| {name} | " + " | ".join(cells) + " |")
    for failure in failures:
        print(failure, file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    if sys.argv[1] == "series":
        with open(sys.argv[2], "w") as file:
            json.dump(series(), file)
    else:
        cases, ours = (json.load(open(path)) for path in sys.argv[2:4])
        sys.exit(compare(cases, ours))
