"""SQLAlchemy Core: a statement for each row, or one statement with the parameters of all rows.

https://docs.sqlalchemy.org/en/20/tutorial/data_insert.html#executing-the-statement
https://docs.sqlalchemy.org/en/20/tutorial/dbapi_transactions.html#sending-multiple-parameters
https://docs.sqlalchemy.org/en/20/dialects/sqlite.html#insert-on-conflict-upsert
"""

import batchmark_engine
import sqlalchemy
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.pool import QueuePool

TYPES = {
    "INTEGER": sqlalchemy.Integer, "REAL": sqlalchemy.Float, "TEXT": sqlalchemy.Text, "BLOB": sqlalchemy.LargeBinary,
}


class Core(batchmark_engine.Engine):
    def open(self):
        self.rows = self.held_values("column")
        # Use a pooled connection, as SQLAlchemy 2 does. Older versions open the file for each transaction.
        address = sqlalchemy.engine.URL.create("sqlite", database=self.job["store"])
        self.engine = sqlalchemy.create_engine(address, poolclass=QueuePool)
        sqlalchemy.event.listen(self.engine, "connect", lambda connection, _: self.set_pragmas(connection.execute))
        with self.engine.connect() as connection:
            self.write_first(connection.connection.execute)
        self.table = sqlalchemy.Table(
            self.entity["table"], sqlalchemy.MetaData(),
            sqlalchemy.Column(self.job["key"]["column"], sqlalchemy.Integer, primary_key=True),
            *(sqlalchemy.Column(name, sqlalchemy.Integer) for name in self.job["constants"]),
            *(sqlalchemy.Column(column["column"], TYPES[column["storage"]]) for column in self.columns))
        self.statement = self.upsert() if self.unique() else sqlalchemy.insert(self.table)

    # SQLAlchemy does not cache the compiled form of a statement with ON CONFLICT: it compiles one for each `execute`.
    def upsert(self):
        statement = insert(self.table)
        if self.keeps_stored():
            return statement.on_conflict_do_nothing(index_elements=self.unique("column"))
        changes = {name: statement.excluded[name] for name in self.plain("column")}
        return statement.on_conflict_do_update(
            index_elements=self.unique("column"), set_=dict(changes, Z_OPT=self.table.c.Z_OPT + 1))

    def query(self, sql):
        with self.engine.connect() as connection:
            return connection.exec_driver_sql(sql).scalar()

    def insert(self, first_key):
        for key, rows in self.saves(first_key):
            with self.engine.begin() as connection:
                values = (dict(row, Z_PK=key + index) for index, row in enumerate(rows))
                if self.strategy == "save":
                    for row in values:
                        connection.execute(self.statement, row)
                else:
                    connection.execute(self.statement, list(values))
        return len(self.rows)

    def close(self):
        self.engine.dispose()


STRATEGIES = [
    batchmark_engine.strategy(
        "save", "object_by_object", "SQLAlchemy Core: execute for each row", ["no objects", "no change tracking"]),
    batchmark_engine.strategy(
        "batch", "batch_array", "SQLAlchemy Core: execute with the list of all rows of each save",
        ["no objects", "no change tracking"]),
]

if __name__ == "__main__":
    batchmark_engine.serve(batchmark_engine.hello("SQLAlchemy Core", sqlalchemy.__version__, STRATEGIES), Core)
