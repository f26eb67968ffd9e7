"""The helper for engines in Python: implements the protocol, so an engine only stores, reads, updates or deletes rows.

An engine is a class with `open(self)`, `query(self, sql)`, which returns one value, `close(self)`, and a method for each
operation of its strategies. `insert(self, first_key)`, `update(self)` and `delete(self)` return the number of rows that
they changed; `open` sets `self.rows` for an insert. `fetch(self)` returns the rows that it read. `serve` makes the
engine. Batchmark's request is in `self.job`; see the article "Engines in any language".
"""

import json
import os
import platform
import sqlite3
import struct
import sys
import time
import traceback
import urllib.parse
import zlib


class Engine:
    """The base class of engines."""

    def __init__(self, job):
        self.job = job
        self.strategy = job["strategy"]
        self.parameters = job["parameters"]
        self.entity = job["entities"][0]
        self.columns = self.entity["columns"]
        # The number of rows for a warm-up; -1 is all rows.
        self.row_limit = -1
        self.fetched = []

    def held_rows(self):
        """Return all rows of the source as tuples, in the order of the entity's columns."""
        source = sqlite3.connect("file:%s?mode=ro" % urllib.parse.quote(self.job["source"]), uri=True)
        names = ", ".join('"%s"' % column["attribute"] for column in self.columns)
        sql = 'SELECT %s FROM "%s" ORDER BY rowid LIMIT %d' % (names, self.entity["source_table"], self.row_limit)
        rows = source.execute(sql).fetchall()
        source.close()
        return rows

    def held_values(self, names="attribute"):
        """Return all rows as dictionaries with the constants. The keys are the names of attributes or columns."""
        keys = [column[names] for column in self.columns]
        return [dict(self.job["constants"], **dict(zip(keys, row))) for row in self.held_rows()]

    def unique(self, names="attribute"):
        """Return the columns of the first uniqueness constraint, or none if there is no constraint."""
        together = self.entity["unique_together"]
        return [column[names] for column in self.columns if together and column["column"] in together[0]]

    def keeps_stored(self):
        """Return whether a stored row stays unchanged on a conflict; otherwise it gets the values of the new row."""
        return self.job["merge_policy"] not in ("object_trump", "overwrite")

    def plain(self, names="attribute"):
        """Return the columns that are not in `unique`: those that a conflict can update."""
        return [column[names] for column in self.columns if column[names] not in self.unique(names)]

    def number(self, parameter):
        """Return a parameter that is a number of rows; "all" is the number of all rows."""
        value = self.parameters.get(parameter, "all")
        return max(len(self.rows), 1) if value == "all" else value

    def save_every(self):
        """Return the number of rows in each transaction."""
        return self.number("save_every")

    def saves(self, first_key):
        """Yield the first key and the rows of each transaction."""
        step = self.save_every()
        for start in range(0, len(self.rows), step):
            yield first_key + start, self.rows[start : start + step]

    def pieces(self, rows):
        """Divide rows to change into transactions."""
        value = self.parameters.get("save_every", "all")
        step = max(len(rows), 1) if value == "all" else value
        return (rows[start : start + step] for start in range(0, len(rows), step))

    def set_pragmas(self, execute):
        """Set the pragmas with a function that runs a statement."""
        for pragma in self.job["pragmas"]:
            execute("PRAGMA %s = %s" % (pragma["name"], pragma["value"]))

    def write_first(self, execute):
        """Run the first write with a function that runs a statement."""
        for statement in self.job["first_write"].split(";"):
            execute(statement.strip())

    def go(self, request):
        """Run the operation and return the number of rows that it affected."""
        if self.job["operation"] == "fetch":
            self.fetched = self.fetch()
            return len(self.fetched)
        return self.insert(request["first_key"]) if self.job["operation"] == "insert" else self.change()

    def change(self):
        """Update or delete rows."""
        return self.update() if self.job["operation"] == "update" else self.delete()

    def values(self, row):
        """Return the values of a fetched row: the key, the version and the columns."""
        return row

    def bound(self, name):
        """Return values of the job to bind to a statement."""
        return [bytes.fromhex(it["blob"]) if isinstance(it, dict) else it for it in self.job[name]]

    def hash(self):
        """Return the CRC-32 of all values that were read."""
        storages = ["INTEGER", "INTEGER"] + [column["storage"] for column in self.columns]
        hash = 0
        for row in self.fetched:
            for value, storage in zip(self.values(row), storages):
                hash = zlib.crc32(hashed(value, storage), hash)
        return hash

    def checkpoint(self):
        """Move the whole WAL into the database."""
        if self.query("PRAGMA wal_checkpoint(TRUNCATE)"):
            raise RuntimeError("the checkpoint left frames in the WAL")

    def pragmas(self):
        """Return the current values of the pragmas."""
        answers = {name: self.query("PRAGMA %s" % name) for name in self.job["answered_pragmas"]}
        return {name: str(value) for name, value in answers.items() if value is not None}


def hashed(value, storage):
    """Return the bytes to hash for a value."""
    if value is None:
        return b"N\n"
    if storage == "INTEGER":
        return b"I" + struct.pack(">q", value) + b"\n"
    if storage == "REAL":
        return b"R" + struct.pack(">d", value) + b"\n"
    return (b"T" + value.encode() if storage == "TEXT" else b"B" + value) + b"\n"


def strategy(name, role, summary, gives_up, operation="insert", **parameters):
    """Describe a strategy for `hello`, with its parameters and their defaults.

    A strategy that gives up "no upsert" cannot handle rows with unique values that are already in the store.
    """
    offer = {"name": name, "operation": operation, "role": role, "summary": summary, "gives_up": gives_up}
    if operation == "insert":
        offer.update(rows="held", upserts="no upsert" not in gives_up, parameters={"save_every": "all"})
    if parameters:
        offer["parameters"] = parameters
    return offer


def hello(engine, version, strategies, connection=None):
    """Return the answer to `hello`. Pass a connection if the engine does not use the SQLite of Python's sqlite3."""
    query = "SELECT sqlite_version(), sqlite_source_id()"
    library, source_id = (connection or sqlite3.connect(":memory:")).execute(query).fetchone()
    return {
        "hello": 1,
        "engine": engine,
        "version": version,
        "runtime": "%s %s" % (platform.python_implementation(), platform.python_version()),
        "sqlite": {"version": library, "source_id": source_id},
        "strategies": strategies,
    }


def warm_up(job, make):
    """Run the operation in each warm-up store. An insert only stores the first rows."""
    wanted = job.get("warm_up", {"stores": []})
    for store in wanted["stores"]:
        engine = make(dict(job, store=store))
        engine.row_limit = wanted["rows"]
        engine.open()
        engine.go({"first_key": 1})
        engine.close()


def serve(greeting, make):
    """Answer requests until Batchmark closes the connection. `make` makes an engine from a request to open a store."""
    requests = os.fdopen(3, "r", encoding="utf-8", newline="\n")
    answers = os.fdopen(4, "w", encoding="utf-8", newline="\n")
    engine = None
    for line in requests:
        try:
            request, value = next(iter(json.loads(line).items()))
            if request == "hello":
                answer = greeting
            elif request == "open":
                warm_up(value, make)
                opened = make(value)
                opened.open()
                engine = opened
                answer = {"ready": engine.pragmas()}
            elif request == "go":
                start = time.perf_counter()
                rows = engine.go(value)
                answer = {"done": {"rows": rows, "seconds": time.perf_counter() - start}}
            elif request == "hash":
                answer = {"hashed": engine.hash()}
            elif request == "checkpoint":
                engine.checkpoint()
                answer = {"checkpointed": 1}
            elif request == "close":
                if engine:
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
