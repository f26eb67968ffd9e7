"""Django's ORM: create for each object, or bulk_create for all of them.

https://docs.djangoproject.com/en/5.2/topics/db/optimization/#use-bulk-methods
https://docs.djangoproject.com/en/5.2/topics/db/transactions/#controlling-transactions-explicitly
"""

import batchmark_engine
import django
from django.conf import settings
from django.db import connection, models, transaction

HAS_UPSERT = django.VERSION >= (4, 1)


def field(column):
    kind = {
        "INTEGER": models.BigIntegerField, "REAL": models.FloatField, "TEXT": models.TextField,
        "BLOB": models.BinaryField,
    }[column["storage"]]
    return kind(db_column=column["column"], null=column["optional"])


class Django(batchmark_engine.Engine):
    def open(self):
        self.rows = self.held_values()
        settings.configure(DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": self.job["store"]}})
        django.setup()
        meta = type("Meta", (), {"app_label": "batchmark", "db_table": self.entity["table"], "managed": False})
        fields = {column["attribute"]: field(column) for column in self.columns}
        fields.update((name, models.IntegerField()) for name in self.job["constants"])
        self.model = type(self.entity["name"], (models.Model,), {
            "__module__": __name__, "Meta": meta, self.job["key"]["column"]: models.BigIntegerField(primary_key=True),
            **fields,
        })
        with connection.cursor() as cursor:
            self.set_pragmas(cursor.execute)
            self.write_first(cursor.execute)

    def query(self, sql):
        with connection.cursor() as cursor:
            row = cursor.execute(sql).fetchone()
        return row and row[0]

    def insert(self, first_key):
        for key, rows in self.saves(first_key):
            with transaction.atomic():
                values = (dict(row, Z_PK=key + index) for index, row in enumerate(rows))
                if self.strategy == "save":
                    for row in values:
                        self.model.objects.create(**row)
                else:
                    self.model.objects.bulk_create([self.model(**row) for row in values], **self.upsert())
        return len(self.rows)

    def upsert(self):
        if not self.unique():
            return {}
        if self.keeps_stored():
            return {"ignore_conflicts": True}
        if not HAS_UPSERT:
            return {}
        return {"update_conflicts": True, "unique_fields": self.unique(), "update_fields": self.plain() or ["Z_OPT"]}

    def close(self):
        connection.close()


NO_UPSERT = ["no upsert"]
STRATEGIES = [
    batchmark_engine.strategy("save", "object_by_object", "Django: create for each object", NO_UPSERT),
    batchmark_engine.strategy(
        "batch", "batch_array", "Django: bulk_create of the objects of each save",
        ["no signals"] + ([] if HAS_UPSERT else NO_UPSERT)),
]

if __name__ == "__main__":
    batchmark_engine.serve(batchmark_engine.hello("Django", django.get_version(), STRATEGIES), Django)
