// The bridging header for Swift: SQLite's functions.
#include <sqlite3.h>
