"""The helper for engines in Python: it speaks the protocol, and an engine stores rows.

An engine is a class with `open(self)`, `insert(self, first_key)`, `checkpoint(self)` and `close(self)`; `serve` makes one
for a process. What Batchmark asked for is in `self.job`; see the article "Engines in any language".
"""

import json
import os
import platform
import sqlite3
import sys
import time
import traceback


class Engine:
    """What an engine has before it opens its store."""

    def __init__(self, job):
        self.job = job
        self.strategy = job["strategy"]
        self.parameters = job["parameters"]
        self.entity = job["entities"][0]

    def held_rows(self):
        """Every row of the source as a tuple, in the order of the entity's columns."""
        source = sqlite3.connect("file:%s?mode=ro" % self.job["source"].replace("?", "%3f"), uri=True)
        names = ", ".join('"%s"' % column["attribute"] for column in self.entity["columns"])
        rows = source.execute('SELECT %s FROM "%s" ORDER BY rowid' % (names, self.entity["source_table"])).fetchall()
        source.close()
        return rows

    def save_every(self):
        """Rows of each transaction."""
        value = self.parameters.get("save_every", "all")
        return len(self.rows) if value == "all" else value

    def set_pragmas(self, execute):
        """Sets the pragmas by a function that runs a statement."""
        for pragma in self.job["pragmas"]:
            execute("PRAGMA %s = %s" % (pragma["name"], pragma["value"]))

    def pragmas(self):
        """The pragmas in force, by a `query` of the engine that answers one value."""
        answers = {name: self.query("PRAGMA %s" % name) for name in self.job["answered_pragmas"]}
        return {name: str(value) for name, value in answers.items() if value is not None}


def hello(engine, version, strategies, connection):
    """What the program says of itself."""
    source_id = connection.execute("SELECT sqlite_source_id()").fetchone()[0]
    return {
        "hello": 1,
        "engine": engine,
        "version": version,
        "runtime": "%s %s" % (platform.python_implementation(), platform.python_version()),
        "sqlite": {"version": sqlite3.sqlite_version, "source_id": source_id},
        "strategies": strategies,
    }


def serve(greeting, make):
    """Answers until Batchmark closes; `make` makes an engine of what is to be opened."""
    requests = os.fdopen(3, "r", encoding="utf-8", newline="\n")
    answers = os.fdopen(4, "w", encoding="utf-8", newline="\n")
    engine = None
    for line in requests:
        try:
            request, value = next(iter(json.loads(line).items()))
            if request == "hello":
                answer = greeting
            elif request == "open":
                engine = make(value)
                engine.open()
                answer = {"ready": engine.pragmas()}
            elif request == "go":
                start = time.perf_counter()
                rows = engine.insert(value["first_key"])
                answer = {"done": {"rows": rows, "seconds": time.perf_counter() - start}}
            elif request == "checkpoint":
                engine.checkpoint()
                answer = {"checkpointed": 1}
            elif request == "close":
                engine.close()
                answer = {"closed": 1}
            else:
                answer = {"error": "this program knows no request '%s'" % request}
        except Exception as error:
            traceback.print_exc(file=sys.stderr)
            answer = {"error": "%s: %s" % (type(error).__name__, error)}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()
        if request == "close":
            break
