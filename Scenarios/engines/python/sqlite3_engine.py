"""Python's own sqlite3 module: a statement for each row, or executemany for all of them.

https://docs.python.org/3/library/sqlite3.html#how-to-use-placeholders-to-bind-values-in-sql-queries
https://docs.python.org/3/library/sqlite3.html#sqlite3.Cursor.executemany
"""

import sqlite3

import batchmark_engine


class SQLite3(batchmark_engine.Engine):
    def open(self):
        self.rows = self.held_rows()
        # The engine itself begins its transactions.
        self.connection = sqlite3.connect(self.job["store"], isolation_level=None)
        self.set_pragmas(self.connection.execute)
        self.write_first(self.connection.execute)

    def query(self, sql):
        row = self.connection.execute(sql).fetchone()
        return row and row[0]

    def insert(self, first_key):
        store = self.save if self.strategy == "save" else self.batch
        for key, rows in self.saves(first_key):
            self.connection.execute("BEGIN IMMEDIATE")
            store(rows, key)
            self.connection.execute("COMMIT")
        return len(self.rows)

    def save(self, rows, key):
        for row in rows:
            self.connection.execute(self.job["insert"], (key,) + row)
            key += 1

    def batch(self, rows, key):
        self.connection.executemany(self.job["insert"], ((key + index,) + row for index, row in enumerate(rows)))

    def close(self):
        self.connection.close()


GIVES_UP = ["no model", "no objects", "SQL by hand"]
STRATEGIES = [
    batchmark_engine.strategy(
        "save", "object_by_object", "sqlite3: execute for each row, one transaction for each save", GIVES_UP),
    batchmark_engine.strategy("batch", "batch_array", "sqlite3: executemany for all rows of each save", GIVES_UP),
]

if __name__ == "__main__":
    batchmark_engine.serve(batchmark_engine.hello("sqlite3", sqlite3.sqlite_version, STRATEGIES), SQLite3)
