"""Asks a JSON Schema validator that others wrote what the schema of scenarios accepts and refuses.

usage: scenario_schema.py SCHEMA RIGHT WRONG

Every scenario in the folder RIGHT must be accepted. Of those in WRONG, which the reader refuses, the schema may accept only
what one part of a file says wrongly of another, or what is no question of form: the complaint beside the file says which.
"""
import datetime
import json
import pathlib
import re
import sys

import jsonschema
import yaml

# Complaints about a key, a word, a number or a missing part: questions of form, which a schema answers.
FORM = [
    r"found the key '[^']*'; expected one of", r"found the pragma ", r"found no key '(to|inverse|type|strategy|cells|scenario)'",
    r"expected a percentage", r"found (?!'?[0-9]+__)[^;]*; expected a whole number", r"found the type '[^']*'; expected one of",
    r"found (?!'(yes|no|on|off)')[^;]*; expected one of true, false", r"power of two", r"two sources", r"expected a size such as",
]


def plain(value):
    """The value as JSON has it: keys are text, and times too."""
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value.isoformat() if isinstance(value, (datetime.date, datetime.datetime)) else value


def main(schema, right, wrong):
    schema = json.loads(pathlib.Path(schema).read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    failures = []
    rights = sorted(pathlib.Path(right).glob("*.yml"))
    for path in rights:
        for error in validator.iter_errors(plain(yaml.safe_load(path.read_text()))):
            failures.append(f"{path} is refused: {list(error.absolute_path)}: {error.message[:200]}")
    counts = {"refused": 0, "no YAML": 0, "accepted, no question of form": 0}
    for path in sorted(pathlib.Path(wrong).glob("*.yml")):
        complaint = path.with_suffix(".txt").read_text()
        try:
            value = plain(yaml.safe_load(path.read_text()))
        except (yaml.YAMLError, RecursionError, ValueError):
            counts["no YAML"] += 1
            continue
        if not validator.is_valid(value):
            counts["refused"] += 1
        elif any(re.search(pattern, complaint.splitlines()[0]) for pattern in FORM):
            failures.append(f"{path} is accepted: {complaint.splitlines()[0]}")
        else:
            counts["accepted, no question of form"] += 1
    print(f"scenario schema: {len(rights)} right scenarios accepted; of the wrong ones "
          + ", ".join(f"{count} {what}" for what, count in counts.items()))
    for failure in failures:
        print(failure, file=sys.stderr)
    if failures or not rights or counts["refused"] < 50:
        sys.exit(1)


main(*sys.argv[1:])
