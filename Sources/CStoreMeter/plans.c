/* The plan of a statement. SQLite explains a text, not a prepared statement, so the text is prepared again on the same connection
   after EXPLAIN QUERY PLAN, which reads nothing from the database and takes no lock.

   After explaining a statement that writes, SQLite reports 0 changed rows to the program and to `changes()` in its SQL, and the
   earlier number cannot be restored. So the plan of such a statement is asked for only while the number is 0 anyway. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "meter.h"

enum { MOST_STEPS = 64, LONGEST_SQL = 1 << 20 };

struct plan {
  char *text;
  size_t length;
  /* The numbers that SQLite gave the steps so far, and their depths. */
  int steps, numbers[MOST_STEPS], depths[MOST_STEPS];
};

static void put(struct plan *plan, const char *text, size_t length) {
  size_t room = STORE_METER_PLAN_SIZE - 1 - plan->length;
  if (length > room) length = room;
  memcpy(plan->text + plan->length, text, length);
  plan->length += length;
}

static void add_step(struct plan *plan, int number, int parent, const char *detail) {
  if (plan->steps == MOST_STEPS) return;
  int depth = 0;
  for (int step = 0; step < plan->steps; step++) {
    if (plan->numbers[step] == parent) depth = plan->depths[step] + 1;
  }
  plan->numbers[plan->steps] = number;
  plan->depths[plan->steps++] = depth;
  if (plan->length != 0) put(plan, "\n", 1);
  for (int level = 0; level < depth; level++) put(plan, "  ", 2);
  size_t length = strlen(detail);
  /* A virtual table's note to itself may contain values that the statement compares with. */
  const char *index = strstr(detail, " VIRTUAL TABLE INDEX ");
  const char *words = index == NULL ? NULL : strchr(index, ':');
  if (words != NULL && !meter_keeps_values()) length = (size_t)(words - detail);
  put(plan, detail, length);
}

static void read_plan(const struct store_meter_library *library, sqlite3 *connection, const char *sql, char *text) {
  static const char explain[] = "EXPLAIN QUERY PLAN ";
  size_t size = sizeof explain + strlen(sql);
  char *question = size < LONGEST_SQL ? meter_memory(size) : NULL;
  if (question == NULL) return;
  snprintf(question, size, "%s%s", explain, sql);
  sqlite3_stmt *statement = NULL;
  struct plan plan = {.text = text};
  if (library->prepare_v2(connection, question, (int)size, &statement, NULL) == SQLITE_OK && statement != NULL) {
    while (library->step(statement) == SQLITE_ROW) {
      const char *detail = (const char *)library->column_text(statement, 3);
      if (detail != NULL) add_step(&plan, library->column_int(statement, 0), library->column_int(statement, 1), detail);
    }
  }
  library->finalize(statement);
  munmap(question, size);
}

static bool is_wanted(void) {
  static _Atomic int answer;
  int known = atomic_load_explicit(&answer, memory_order_relaxed);
  if (known == 0) {
    const char *variable = getenv(STORE_METER_PLANS_VARIABLE);
    known = variable != NULL && strcmp(variable, "0") == 0 ? 1 : 2;
    atomic_store_explicit(&answer, known, memory_order_relaxed);
  }
  return known == 2;
}

void meter_ask_plan(struct meter_traced *traced, uint32_t number, bool writes, const char *sql) {
  const struct store_meter_library *library = traced->library;
  bool is_possible = library->changes != NULL && library->prepare_v2 != NULL && library->step != NULL && library->column_int != NULL &&
                     library->column_text != NULL && library->finalize != NULL;
  if (number == 0 || traced->has_authorizer || !is_possible || !is_wanted()) return;
  if (writes && library->changes(traced->connection) != 0) return;
  struct store_meter_statement *record = meter_statement(number);
  if (__atomic_exchange_n(&record->has_plan, 1, __ATOMIC_RELAXED) != 0) return;
  uint64_t began = meter_now();
  /* In the meantime, neither the meter nor the program's tracer counts anything. */
  traced->asks_plan = true;
  read_plan(library, traced->connection, sql, (char *)record + STORE_METER_PLAN_OFFSET);
  traced->asks_plan = false;
  METER_ADD(meter_header()->own_rare_ns, meter_now() - began);
}
