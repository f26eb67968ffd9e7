/* SQLite's interface, with inline wrappers for what Swift cannot call. */
#include <sqlite3.h>
