"""Python's own sqlite3 module: a statement for each row, or executemany for all of them.

https://docs.python.org/3/library/sqlite3.html#how-to-use-placeholders-to-bind-values-in-sql-queries
"""

import sqlite3

import batchmark_engine


class SQLite3(batchmark_engine.Engine):
    def open(self):
        self.rows = self.held_rows()
        # The engine itself begins its transactions.
        self.connection = sqlite3.connect(self.job["store"], isolation_level=None)
        self.set_pragmas(self.connection.execute)
        self.connection.executescript(self.job["first_write"])

    def query(self, sql):
        row = self.connection.execute(sql).fetchone()
        return row and row[0]

    def insert(self, first_key):
        step = self.save_every()
        store = self.save if self.strategy == "save" else self.batch
        for start in range(0, len(self.rows), step):
            self.connection.execute("BEGIN IMMEDIATE")
            store(self.rows[start : start + step], first_key + start)
            self.connection.execute("COMMIT")
        return len(self.rows)

    def save(self, rows, key):
        for row in rows:
            self.connection.execute(self.job["insert"], (key,) + row)
            key += 1

    def batch(self, rows, key):
        self.connection.executemany(self.job["insert"], ((key + index,) + row for index, row in enumerate(rows)))

    def checkpoint(self):
        busy = self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        if busy:
            raise RuntimeError("the checkpoint left frames in the WAL")

    def close(self):
        self.connection.close()


def strategy(name, role, summary):
    return {
        "name": name, "operation": "insert", "role": role, "summary": summary, "rows": "held",
        "gives_up": ["no model", "no objects", "SQL by hand"], "parameters": {"save_every": "all"},
    }


STRATEGIES = [
    strategy("save", "object_by_object", "sqlite3: execute for each row, one transaction for each save"),
    strategy("batch", "batch_array", "sqlite3: executemany for all rows of each save"),
]

if __name__ == "__main__":
    greeting = batchmark_engine.hello("sqlite3", sqlite3.sqlite_version, STRATEGIES, sqlite3.connect(":memory:"))
    batchmark_engine.serve(greeting, SQLite3)
