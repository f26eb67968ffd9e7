/* Statements that end with an error which leaves no trace in files: a table that is in use.

   SQLite refuses a run with SQLITE_LOCKED where another statement of the same connection still reads what it would remove, and
   where another connection of a shared cache has locked a table. The tracer gets no code, and `sqlite3_errcode` is set after it;
   so the code is taken from what SQLite logs as the statement ends. No wait helps: the busy handler is not called for it. */
#include "meter.h"

void store_meter_note_error(int code) {
  if ((code & 0xff) != SQLITE_LOCKED || atomic_load(&meter_base) == NULL) return;
  meter_check();
  /* Tables are locked as a statement begins: it is the one that this thread began last. */
  struct meter_traced *traced = meter_thread()->traced;
  if (traced == NULL || traced->last == NULL || atomic_load_explicit(&traced->connection, memory_order_acquire) == NULL) return;
  METER_ADD(meter_database(traced->database)->locked_runs, 1);
  METER_ADD(meter_statement(traced->last->number)->locked_runs, 1);
}
