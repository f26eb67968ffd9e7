"""Reads the exports of a run with third-party readers, or with their published schemas.

usage: exchange.py FOLDER [COMPARE]

FOLDER has files named FORMAT.NAME, each of them the export of a run. OpenMetrics is read by prometheus_client, JUnit by
junitparser, Google Benchmark's JSON by its own compare.py, whose path is COMPARE, where there is one; Bencher's by the schema
that it publishes, hyperfine's and github-action-benchmark's by schemas after their documentation. Numbers that a format has
twice must agree.
"""
import json
import math
import pathlib
import statistics
import subprocess
import sys

import jsonschema
import junitparser
from prometheus_client.openmetrics.parser import text_string_to_metric_families

# https://bencher.dev/docs/reference/bencher-metric-format
BENCHER = {
    "type": "object",
    "patternProperties": {
        ".+": {
            "type": "object",
            "patternProperties": {
                ".+": {
                    "type": "object",
                    "properties": {name: {"type": "number"} for name in ["value", "lower_value", "upper_value"]},
                    "required": ["value"],
                    "additionalProperties": False,
                }
            },
        }
    },
}

# https://github.com/benchmark-action/github-action-benchmark, on custom benchmarks.
GITHUB = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "unit": {"type": "string"},
            "value": {"type": "number"},
            "range": {"type": "string"},
            "extra": {"type": "string"},
        },
        "required": ["name", "unit", "value"],
        "additionalProperties": False,
    },
}

# https://github.com/sharkdp/hyperfine, benchmark_result.rs.
SECONDS = {"type": "number", "minimum": 0}
HYPERFINE = {
    "type": "object",
    "required": ["results"],
    "additionalProperties": False,
    "properties": {
        "results": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["command", "mean", "stddev", "median", "user", "system", "min", "max", "exit_codes"],
                "additionalProperties": False,
                "properties": {
                    "command": {"type": "string"},
                    "stddev": {"type": ["number", "null"]},
                    "times": {"type": "array", "items": SECONDS},
                    "exit_codes": {"type": "array", "items": {"type": ["integer", "null"]}},
                    "memory_usage_byte": {"type": "array", "items": {"type": "integer"}},
                    "parameters": {"type": "object", "additionalProperties": {"type": "string"}},
                    **{name: SECONDS for name in ["mean", "median", "user", "system", "min", "max"]},
                },
            },
        }
    },
}


def bencher(path):
    benchmarks = json.loads(path.read_text())
    jsonschema.Draft7Validator(BENCHER).validate(benchmarks)
    for measures in benchmarks.values():
        for metric in measures.values():
            assert metric.get("lower_value", metric["value"]) <= metric["value"] <= metric.get("upper_value", metric["value"])
    return len(benchmarks)


def github_action_benchmark(path):
    entries = json.loads(path.read_text())
    jsonschema.Draft7Validator(GITHUB).validate(entries)
    assert len({entry["name"] for entry in entries}) == len(entries)
    return len(entries)


def hyperfine(path):
    results = json.loads(path.read_text())
    jsonschema.Draft7Validator(HYPERFINE).validate(results)
    for result in results["results"]:
        times = result["times"]
        assert len(times) == len(result["exit_codes"])
        for name, expected in [
            ("mean", statistics.fmean(times)), ("median", statistics.median(times)), ("min", min(times)), ("max", max(times)),
            ("stddev", statistics.stdev(times) if len(times) > 1 else None),
        ]:
            found = result[name]
            assert found is expected or math.isclose(found, expected, rel_tol=1e-9), f"{name}: {found}, {expected}"
    return len(results["results"])


def openmetrics(path):
    families = list(text_string_to_metric_families(path.read_text()))
    for family in families:
        assert family.documentation, family.name
        assert family.type in ("gauge", "info"), family.name
    names = {family.name for family in families}
    assert {"batchmark_run", "batchmark_rounds"} <= names, names
    return sum(len(family.samples) for family in families)


def junit(path):
    report = junitparser.JUnitXml.fromfile(str(path))
    cases = [case for suite in report for case in suite]
    failures = [case for case in cases if any(isinstance(end, junitparser.Failure) for end in case.result)]
    skipped = [case for case in cases if any(isinstance(end, junitparser.Skipped) for end in case.result)]
    assert (report.tests, report.failures, report.skipped) == (len(cases), len(failures), len(skipped))
    return len(cases)


def google_benchmark(path, compare=None):
    values = json.loads(path.read_text())
    assert isinstance(values["context"]["date"], str)
    for line in values["benchmarks"]:
        assert line["run_type"] in ("iteration", "aggregate") and line["time_unit"] == "ns"
        assert line["real_time"] >= 0 and line["cpu_time"] >= 0 and line["iterations"] > 0
    if compare and values["benchmarks"]:
        copy = path.with_suffix(".json")
        copy.write_text(path.read_text())
        answer = subprocess.run(
            [sys.executable, compare, "--no-color", "benchmarks", str(copy), str(copy)], capture_output=True, text=True,
            check=True)
        for line in values["benchmarks"]:
            assert line["name"] in answer.stdout, line["name"]
        # A comparison with itself has no differences.
        assert "+0.0000" in answer.stdout and "-0." not in answer.stdout
        copy.unlink()
    return len(values["benchmarks"])


def main(folder, compare=None):
    readers = {
        "bencher": bencher, "github-action-benchmark": github_action_benchmark,
        "google-benchmark": lambda path: google_benchmark(path, compare),
        "hyperfine": hyperfine, "junit": junit, "openmetrics": openmetrics,
    }
    read = {format: 0 for format in readers}
    for path in sorted(pathlib.Path(folder).iterdir()):
        format = path.name.split(".")[0]
        try:
            read[format] += readers[format](path)
        except Exception as problem:
            print(f"{path.name}: {type(problem).__name__}: {problem}", file=sys.stderr)
            sys.exit(1)
    print("exports: " + ", ".join(f"{count} of {format}" for format, count in read.items()) + " read by others"
          + ("" if compare else "; Google Benchmark's compare.py is not here"))
    if not all(read.values()):
        sys.exit(1)


main(*sys.argv[1:])
