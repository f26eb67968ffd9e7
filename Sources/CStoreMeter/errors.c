/* Statements that end because a table is in use, an error that leaves no trace in files.

   SQLite refuses a run with SQLITE_LOCKED if another statement of the same connection still reads what it would remove, or if
   another connection of a shared cache has locked a table. The tracer gets no code, and SQLite sets `sqlite3_errcode` after calling
   it, so the code is taken from what SQLite logs as the statement ends. Waiting does not help: SQLite calls no busy handler. */
#include "meter.h"

void store_meter_note_error(int code) {
  if ((code & 0xff) != SQLITE_LOCKED || atomic_load(&meter_base) == NULL) return;
  meter_check();
  /* A statement locks its tables when it begins, so it is the one that this thread began last. */
  struct meter_traced *traced = meter_thread()->traced;
  if (traced == NULL || traced->last == NULL || atomic_load_explicit(&traced->connection, memory_order_acquire) == NULL) return;
  METER_ADD(meter_database(traced->database)->locked_runs, 1);
  METER_ADD(meter_statement(traced->last->number)->locked_runs, 1);
}
