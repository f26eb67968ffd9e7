/* Queries that run once for each row of another query, during that query or right after it. */
#include <string.h>

#include "meter.h"

/* Fewer runs are not conclusive. */
enum { FEWEST_RUNS = 20 };

void meter_end_outer(struct meter_traced *traced) {
  struct meter_outer *outer = &traced->outer;
  for (int index = 0; index < METER_INNER; index++) {
    const struct meter_inner *inner = &outer->inner[index];
    if (inner->number == 0 || inner->runs < FEWEST_RUNS) continue;
    /* There are as many runs as rows, or one fewer if the program stopped between a row and its query. */
    if (inner->runs != outer->rows && inner->runs + 1 != outer->rows) continue;
    struct store_meter_statement *record = meter_statement(inner->number);
    METER_ADD(record->runs_for_rows, inner->runs);
    METER_ADD(record->times_for_rows, 1);
    METER_SET(record->rows_statement, outer->number);
  }
  memset(outer, 0, sizeof *outer);
}

/* Records that a query begins to run. */
void meter_note_run(struct meter_traced *traced, const struct meter_prepared *prepared) {
  struct meter_outer *outer = &traced->outer;
  if (prepared->number == 0) return;
  if (prepared->number == outer->number) {
    meter_end_outer(traced);
    return;
  }
  struct meter_inner *free = NULL;
  for (int index = 0; index < METER_INNER && free == NULL; index++) {
    struct meter_inner *inner = &outer->inner[index];
    if (inner->number == prepared->number) {
      inner->runs++;
      return;
    }
    if (inner->number == 0) free = inner;
  }
  if (free != NULL && outer->number != 0) *free = (struct meter_inner){.number = prepared->number, .runs = 1, .first = traced->runs};
}

/* Records that a query returned a row. */
void meter_note_row(struct meter_traced *traced, const struct meter_prepared *prepared) {
  struct meter_outer *outer = &traced->outer;
  if (prepared->number == 0) return;
  if (prepared->number == outer->number) {
    outer->rows++;
    return;
  }
  struct meter_inner *self = NULL;
  for (int index = 0; index < METER_INNER; index++) {
    if (outer->inner[index].number == prepared->number) self = &outer->inner[index];
  }
  /* A query that runs for each row returns few rows itself. */
  if (self != NULL && (self->runs > 1 || prepared->rows < FEWEST_RUNS)) return;
  struct meter_outer next = {.number = prepared->number, .rows = prepared->rows};
  if (self != NULL) {
    next.began = self->first;
    int kept = 0;
    for (int index = 0; index < METER_INNER; index++) {
      struct meter_inner *inner = &outer->inner[index];
      if (inner == self || inner->number == 0 || inner->first < self->first) continue;
      next.inner[kept++] = *inner;
      inner->number = 0;
    }
  }
  meter_end_outer(traced);
  *outer = next;
}
