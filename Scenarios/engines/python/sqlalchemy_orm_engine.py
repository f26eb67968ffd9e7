"""SQLAlchemy ORM: objects of a session, or the session's bulk operations.

https://docs.sqlalchemy.org/en/20/orm/session_basics.html#adding-new-or-existing-items
https://docs.sqlalchemy.org/en/14/orm/persistence_techniques.html#bulk-operations
https://docs.sqlalchemy.org/en/20/orm/queryguide/dml.html#orm-upsert-statements
"""

import batchmark_engine
import sqlalchemy
from sqlalchemy import Column, Integer
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.orm import Session, registry
from sqlalchemy.pool import QueuePool

TYPES = {
    "INTEGER": Integer, "REAL": sqlalchemy.Float, "TEXT": sqlalchemy.Text, "BLOB": sqlalchemy.LargeBinary,
}


class ORM(batchmark_engine.Engine):
    def open(self):
        self.rows = self.held_values()
        columns = [Column(self.job["key"]["column"], Integer, primary_key=True)]
        columns += [Column(name, Integer) for name in self.job["constants"]]
        columns += [Column(it["column"], TYPES[it["storage"]], key=it["attribute"]) for it in self.columns]
        mapper = registry()
        self.model = type(self.entity["name"], (), {})
        mapper.map_imperatively(self.model, sqlalchemy.Table(self.entity["table"], mapper.metadata, *columns))
        # Use one connection for all sessions, as SQLAlchemy 2 does. Older versions open the file for each session.
        address = sqlalchemy.engine.URL.create("sqlite", database=self.job["store"])
        self.engine = sqlalchemy.create_engine(address, poolclass=QueuePool)
        sqlalchemy.event.listen(self.engine, "connect", lambda connection, _: self.set_pragmas(connection.execute))
        with self.engine.connect() as connection:
            self.write_first(connection.connection.execute)
        self.statement = self.upsert() if self.unique() else sqlalchemy.insert(self.model)

    def upsert(self):
        statement = insert(self.model)
        if self.keeps_stored():
            return statement.on_conflict_do_nothing(index_elements=self.unique("column"))
        changes = {name: statement.excluded[key] for name, key in zip(self.plain("column"), self.plain())}
        return statement.on_conflict_do_update(
            index_elements=self.unique("column"), set_=dict(changes, Z_OPT=self.model.Z_OPT + 1))

    def query(self, sql):
        with self.engine.connect() as connection:
            return connection.exec_driver_sql(sql).scalar()

    def insert(self, first_key):
        for key, rows in self.saves(first_key):
            with Session(self.engine) as session, session.begin():
                values = (dict(row, Z_PK=key + index) for index, row in enumerate(rows))
                if self.strategy == "save":
                    for row in values:
                        session.add(self.model(**row))
                elif self.strategy == "batch":
                    session.bulk_insert_mappings(self.model, values)
                else:
                    session.execute(self.statement, list(values))
        return len(self.rows)

    def close(self):
        self.engine.dispose()


BULK = ["no objects", "no change tracking", "no cascades"]
STRATEGIES = [
    batchmark_engine.strategy("save", "object_by_object", "SQLAlchemy ORM: add for each object", ["no upsert"]),
    batchmark_engine.strategy("batch", "batch_array", "SQLAlchemy ORM: bulk_insert_mappings", BULK + ["no upsert"]),
    batchmark_engine.strategy("upsert", "batch_array", "SQLAlchemy ORM: insert of a list, ON CONFLICT DO UPDATE", BULK),
]

if __name__ == "__main__":
    batchmark_engine.serve(batchmark_engine.hello("SQLAlchemy ORM", sqlalchemy.__version__, STRATEGIES), ORM)
