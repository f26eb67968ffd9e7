# Stores 1,000 rows with Python's own module.
import sqlite3, sys

store = sqlite3.connect(sys.argv[1] + "/store.db")
store.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT)")
store.executemany("INSERT INTO item (name) VALUES (?)", ((f"name {row}",) for row in range(1000)))
store.commit()
print(store.execute("SELECT count(*) FROM item").fetchone()[0])
store.close()
