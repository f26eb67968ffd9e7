// What Swift sees of C here: SQLite's functions.
#include <sqlite3.h>
