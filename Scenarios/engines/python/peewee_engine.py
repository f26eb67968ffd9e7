"""peewee: create for each object, or insert_many for batches of rows.

http://docs.peewee-orm.com/en/latest/peewee/querying.html#creating-a-new-record
http://docs.peewee-orm.com/en/latest/peewee/querying.html#bulk-inserts
http://docs.peewee-orm.com/en/latest/peewee/querying.html#upsert
"""

import batchmark_engine
import peewee

FIELDS = {
    "INTEGER": peewee.BigIntegerField, "REAL": peewee.DoubleField, "TEXT": peewee.TextField, "BLOB": peewee.BlobField,
}


class Peewee(batchmark_engine.Engine):
    def open(self):
        self.rows = self.held_values()
        pragmas = [(pragma["name"], pragma["value"]) for pragma in self.job["pragmas"]]
        self.database = peewee.SqliteDatabase(self.job["store"], pragmas=pragmas)
        fields = {name: peewee.IntegerField() for name in self.job["constants"]}
        for column in self.columns:
            kind = FIELDS[column["storage"]]
            fields[column["attribute"]] = kind(column_name=column["column"], null=column["optional"])
        meta = type("Meta", (), {"database": self.database, "table_name": self.entity["table"]})
        key = {self.job["key"]["column"]: peewee.BigIntegerField(primary_key=True)}
        self.model = type(self.entity["name"], (peewee.Model,), {"Meta": meta, **key, **fields})
        self.database.connect()
        self.write_first(self.database.connection().execute)

    def query(self, sql):
        row = self.database.execute_sql(sql).fetchone()
        return row and row[0]

    def insert(self, first_key):
        for key, rows in self.saves(first_key):
            with self.database.atomic():
                values = (dict(row, Z_PK=key + index) for index, row in enumerate(rows))
                if self.strategy == "save":
                    for row in values:
                        self.model.create(**row)
                else:
                    for batch in peewee.chunked(values, self.number("request_size")):
                        self.statement(batch).execute()
        return len(self.rows)

    def statement(self, rows):
        statement = self.model.insert_many(rows)
        if not self.unique():
            return statement
        if self.keeps_stored():
            return statement.on_conflict_ignore()
        fields = self.model._meta.fields
        return statement.on_conflict(
            conflict_target=[fields[name] for name in self.unique()], preserve=[fields[name] for name in self.plain()],
            update={fields["Z_OPT"]: fields["Z_OPT"] + 1})

    def close(self):
        self.database.close()


STRATEGIES = [
    batchmark_engine.strategy("save", "object_by_object", "peewee: create for each object", ["no upsert"]),
    batchmark_engine.strategy(
        "batch", "batch_array", "peewee: insert_many for each batch of rows", ["no objects"],
        save_every="all", request_size=100),
]

if __name__ == "__main__":
    batchmark_engine.serve(batchmark_engine.hello("peewee", peewee.__version__, STRATEGIES), Peewee)
