"""SQLAlchemy Core: a statement for each row, or one statement with the parameters of all rows.

https://docs.sqlalchemy.org/en/14/tutorial/data_insert.html#executing-the-statement
https://docs.sqlalchemy.org/en/14/core/tutorial.html#executing-multiple-statements
https://docs.sqlalchemy.org/en/14/dialects/sqlite.html#insert-on-conflict-upsert
"""

import batchmark_engine
import sqlalchemy
from sqlalchemy.dialects.sqlite import insert

TYPES = {
    "INTEGER": sqlalchemy.Integer, "REAL": sqlalchemy.Float, "TEXT": sqlalchemy.Text, "BLOB": sqlalchemy.LargeBinary,
}


class Core(batchmark_engine.Engine):
    def open(self):
        self.rows = self.held_values("column")
        self.engine = sqlalchemy.create_engine("sqlite:///" + self.job["store"])
        sqlalchemy.event.listen(self.engine, "connect", lambda connection, _: self.set_pragmas(connection.execute))
        self.connection = self.engine.connect()
        self.write_first(self.connection.connection.execute)
        self.table = sqlalchemy.Table(
            self.entity["table"], sqlalchemy.MetaData(),
            sqlalchemy.Column(self.job["key"]["column"], sqlalchemy.Integer, primary_key=True),
            *(sqlalchemy.Column(name, sqlalchemy.Integer) for name in self.job["constants"]),
            *(sqlalchemy.Column(column["column"], TYPES[column["storage"]]) for column in self.columns))
        self.statement = self.upsert() if self.unique() else sqlalchemy.insert(self.table)

    def upsert(self):
        statement = insert(self.table)
        changes = {name: statement.excluded[name] for name in self.plain("column")}
        return statement.on_conflict_do_update(
            index_elements=self.unique("column"), set_=dict(changes, Z_OPT=self.table.c.Z_OPT + 1))

    def query(self, sql):
        return self.connection.exec_driver_sql(sql).scalar()

    def insert(self, first_key):
        for key, rows in self.saves(first_key):
            with self.connection.begin():
                if self.strategy == "save":
                    for index, row in enumerate(rows):
                        self.connection.execute(self.statement, dict(row, Z_PK=key + index))
                else:
                    self.connection.execute(
                        self.statement, [dict(row, Z_PK=key + index) for index, row in enumerate(rows)])
        return len(self.rows)

    def close(self):
        self.connection.close()
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
