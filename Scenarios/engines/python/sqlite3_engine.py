"""Python's own sqlite3 module: a statement for each row, or one call for all of them.

https://docs.python.org/3/library/sqlite3.html#how-to-use-placeholders-to-bind-values-in-sql-queries
https://docs.python.org/3/library/sqlite3.html#sqlite3.Cursor.executemany
"""

import sqlite3

import batchmark_engine


class SQLite3(batchmark_engine.Engine):
    def open(self):
        # The module must not begin transactions: the engine does.
        self.connection = sqlite3.connect(self.job["store"], isolation_level=None)
        self.set_pragmas(self.connection.execute)
        if self.job["operation"] == "insert":
            self.rows = self.held_rows()
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

    def fetch(self):
        return self.connection.execute(self.job["select"], self.bound("values")).fetchall()

    def change(self):
        given, values = self.bound("set_values"), self.bound("values")
        if self.strategy == "batch":
            # A single statement is its own transaction.
            return self.connection.execute(self.job["change_all"], given + values).rowcount
        found = self.connection.execute(self.job["find"], values).fetchall()
        identity = 2 if self.job["operation"] == "delete" else 1
        for rows in self.pieces(found):
            self.connection.execute("BEGIN IMMEDIATE")
            for row in rows:
                self.connection.execute(self.job["change_one"], (*given, *row[:identity]))
            self.connection.execute("COMMIT")
        return len(found)

    def close(self):
        self.connection.close()


GIVES_UP = ["no model", "no objects", "SQL by hand"]
BLIND = GIVES_UP + ["no conflict detection"]
STRATEGIES = [
    batchmark_engine.strategy(
        "save", "object_by_object", "sqlite3: execute for each row, one transaction for each save", GIVES_UP),
    batchmark_engine.strategy("batch", "batch_array", "sqlite3: executemany for all rows of each save", GIVES_UP),
    batchmark_engine.strategy("fetch", "peer", "sqlite3: fetchall of one SELECT, every row a tuple", GIVES_UP, "fetch"),
    batchmark_engine.strategy(
        "save", "object_by_object", "sqlite3: the rows' keys, then an UPDATE by key for each row", BLIND, "update",
        save_every="all"),
    batchmark_engine.strategy("batch", "batch_stored_rows", "sqlite3: one UPDATE for all rows", BLIND, "update"),
    batchmark_engine.strategy(
        "save", "object_by_object", "sqlite3: the rows' keys, then a DELETE by key for each row", GIVES_UP, "delete",
        save_every="all"),
    batchmark_engine.strategy("batch", "batch_stored_rows", "sqlite3: one DELETE for all rows", BLIND, "delete"),
]

if __name__ == "__main__":
    batchmark_engine.serve(batchmark_engine.hello("sqlite3", sqlite3.sqlite_version, STRATEGIES), SQLite3)
