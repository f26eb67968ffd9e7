"""Checks with a third-party JSON Schema validator which files the schema of scenarios accepts and refuses.

usage: scenario_schema.py SCHEMA RIGHT WRONG

Every scenario in the folder RIGHT must be accepted. Of those in WRONG, which the reader refuses, the schema may accept only
what no JSON Schema can say: the complaint beside the file says which.
"""
import datetime
import json
import pathlib
import re
import sys

import jsonschema
import yaml

# Mistakes that no JSON Schema can find, by the words of the message: a schema cannot compare values with each other or with
# names elsewhere in the file, and it only sees the values that YAML's reader returns. It must refuse every other wrong file.
BEYOND = {
    "names elsewhere in the file, and what they stand for": [
        r"found the (attribute|cell|entity|field|property|relationship|phase|transient attribute|type '[^']*' for the source|time of the phase)\b",
        r"found the (choice|delete rule|ordered relationship|to-many relationship|strategy '[^']*' of the engine|policy 'error')",
        r"found the key '[^']*' (in an exclusion|in the sweep, which no cell|of the to-one relationship|of '[^']*', which is of type)",
        r"found the key '[^']*', which no cell", r"which no cell has for", r"found '[^']*' of \d+ cells", r"while no attribute of",
        r"found an? (constraint|inverse in|exclusion that no cell|property that is inherited)", r"found the abstract entity",
        r"found the (former name|key 'renamed_from' in the model)",
        r"found no to-one relationship of", r"found exclusions that leave no cell", r"super-entities", r"found text made of characters",
        r"found distribution: zipf of", r"found nothing for the attribute", r"found 'automatic'; expected one of none, changes, history",
        r"found '[^']*'; expected a value that is", r"found a URI of length 0", r"found '[^']*'; expected a number from -1e12",
    ],
    "sums, counts and comparisons of two values": [
        r"found \d+ (different values|nulls|destinations|rows)", r"found \d+ of \d+ rows", r"found up to \d+", r"found \[",
        r"found a (length|range) ", r"found lengths from", r"makes more than 1000 cells", r"found the (default|value|text) ",
        r"the unique attributes .* twice", r"expected a mean within the range", r"expected a number with at most \d+ digits",
        r"found the character '.' twice", r"properties in the table", r"found \d+; expected at most \d+$",
        r"found '[^']*'; expected a (deviation|number) above 0, and? ",
    ],
    "grammars: predicates and regular expressions": [r"predicate", r"for the attribute \w+ in '", r"found the pattern "],
    "what YAML's reader leaves out: a key twice, 1__0, yes for true": [
        r"more than once in one mapping", r"found '?\d+__", r"found '(yes|no|on|off)'; expected one of true, false",
    ],
}


def plain(value):
    """Return the value as JSON: keys and times are text."""
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
    counts = {"refused": 0, "no YAML": 0}
    beyond = {what: 0 for what in BEYOND}
    for path in sorted(pathlib.Path(wrong).glob("*.yml")):
        complaint = path.with_suffix(".txt").read_text()
        try:
            value = plain(yaml.safe_load(path.read_text()))
        except (yaml.YAMLError, RecursionError, ValueError):
            counts["no YAML"] += 1
            continue
        if not validator.is_valid(value):
            counts["refused"] += 1
            continue
        first = complaint.splitlines()[0]
        what = next((what for what, words in BEYOND.items() if any(re.search(word, first) for word in words)), None)
        if what:
            beyond[what] += 1
        else:
            failures.append(f"{path} is accepted: {first}")
    print(f"scenario schema: {len(rights)} right scenarios accepted; of the wrong ones "
          + ", ".join(f"{count} {what}" for what, count in counts.items()))
    for what, count in beyond.items():
        print(f"  beyond any schema, {count}: {what}")
    for failure in failures:
        print(failure, file=sys.stderr)
    if failures or not rights or counts["refused"] < 50:
        sys.exit(1)


main(*sys.argv[1:])
