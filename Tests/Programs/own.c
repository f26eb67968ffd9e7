/* Stores a row with its own, statically linked SQLite. */
#include <sqlite3.h>
#include <stdio.h>

int main(int count, char **arguments) {
  char path[2048];
  sqlite3 *store;
  if (count < 2) return 64;
  snprintf(path, sizeof path, "%s/store.db", arguments[1]);
  if (sqlite3_open(path, &store) != SQLITE_OK) return 1;
  if (sqlite3_exec(store, "CREATE TABLE item (name); INSERT INTO item VALUES ('a')", NULL, NULL, NULL) != SQLITE_OK) return 1;
  puts("1");
  return sqlite3_close(store);
}
