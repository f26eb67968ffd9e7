// The helper for engines in C++. It adds to the helper for C, ../c/batchmark_engine.h, which implements the protocol.
//
// It keeps the rows as columns, with a `Batch` for each transaction, for libraries that store many rows at once.
#ifndef BATCHMARK_ENGINE_HPP
#define BATCHMARK_ENGINE_HPP

#include "../c/batchmark_engine.h"

#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

namespace batchmark {

// The values of a column, in the vector for its storage: INTEGER, REAL or TEXT. A BLOB column may only have nulls; they
// are in the vector for TEXT. `Indicator` says whether a value is null.
template <typename Indicator> struct Column {
  std::string storage;
  std::vector<long long> integers;
  std::vector<double> reals;
  std::vector<std::string> texts;
  std::vector<Indicator> indicators;

  // Calls a function with the vector for the column's storage.
  template <typename Work> void with_values(Work work) {
    if (storage == "INTEGER") work(integers);
    else if (storage == "REAL") work(reals);
    else work(texts);
  }

  void append(const struct batchmark_value &value, Indicator indicator) {
    if (value.type == SQLITE_BLOB) throw std::runtime_error("this engine stores no binary data");
    if (storage == "INTEGER") integers.push_back(value.integer);
    if (storage == "REAL") reals.push_back(value.real);
    if (storage == "TEXT" || storage == "BLOB") texts.emplace_back(value.bytes ? value.bytes : "", value.length);
    indicators.push_back(indicator);
  }
};

// The columns of the rows in one transaction. The first column is the key.
template <typename Indicator> using Batch = std::vector<Column<Indicator>>;

// All rows of the source, in batches of `save_every` rows. The engine sets the keys later; until then they are 0.
template <typename Indicator>
std::vector<Batch<Indicator>> held_batches(const struct batchmark_job *job, Indicator is_there, Indicator is_null) {
  struct batchmark_value *value = nullptr;
  const sqlite3_int64 rows = batchmark_held_rows(job, &value);
  if (rows < 0) throw std::runtime_error("the source cannot be read");
  Batch<Indicator> empty(job->column_count + 1);
  empty[0].storage = "INTEGER";
  for (int index = 0; index < job->column_count; index++) empty[index + 1].storage = job->columns[index].storage;
  std::vector<Batch<Indicator>> batches;
  const sqlite3_int64 save_every = batchmark_number(job, "save_every", rows);
  for (sqlite3_int64 row = 0; row < rows; row++) {
    if (row % save_every == 0) batches.push_back(empty);
    batches.back()[0].append({SQLITE_INTEGER, 0, 0, nullptr, 0}, is_there);
    for (size_t column = 1; column < empty.size(); column++, value++)
      batches.back()[column].append(*value, value->type == SQLITE_NULL ? is_null : is_there);
  }
  return batches;
}

// Runs C++ code for the helper for C: returns 0, or returns 1 and an error, which the helper frees, if the code throws.
template <typename Work> int attempt(char **error, Work work) {
  try {
    return work(), 0;
  } catch (const std::exception &it) {
    return *error = strdup(it.what()), 1;
  }
}

} // namespace batchmark

#endif
