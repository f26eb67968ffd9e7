"""Checks with a third-party JSON Schema validator which files the schemas of stored files accept and refuse.

usage: stored_schema.py FOLDER

FOLDER has results-schema.json, pair-schema.json and history-schema.json, and files whose names end in what their reader says of them, accepted or
refused.
"""
import json
import pathlib
import sys

import jsonschema


def main(folder):
    folder = pathlib.Path(folder)
    validators = {}
    for kind in ["results", "pair", "history"]:
        schema = json.loads((folder / f"{kind}-schema.json").read_text())
        jsonschema.Draft202012Validator.check_schema(schema)
        validators[kind] = jsonschema.Draft202012Validator(schema)
    cases = [(path, path.name.split("-")[0], path.stem.split("-")[-1]) for path in folder.glob("*-*-*.json")]
    counts = {"accepted": 0, "refused": 0}
    failures = []
    for path, kind, expected in cases:
        found = "accepted" if validators[kind].is_valid(json.loads(path.read_text())) else "refused"
        counts[found] += 1
        if found != expected:
            failures.append(f"{path} is {found} by the schema of {kind}, and {expected} by its reader")
    print(f"stored schemas: {counts['accepted']} files accepted, {counts['refused']} refused, as their readers do")
    for failure in failures:
        print(failure, file=sys.stderr)
    if failures or counts["accepted"] < 20 or counts["refused"] < 50:
        sys.exit(1)


main(*sys.argv[1:])
