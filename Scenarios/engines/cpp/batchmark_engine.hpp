// The helper for engines in C++: what they need beside the helper for C, ../c/batchmark_engine.h, which speaks the
// protocol.
//
// The rows are held as columns, a `Batch` for each transaction, which libraries take that store many rows at once.
#ifndef BATCHMARK_ENGINE_HPP
#define BATCHMARK_ENGINE_HPP

#include "../c/batchmark_engine.h"

#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

namespace batchmark {

// The values of a column, in the vector of its storage: INTEGER, REAL or TEXT, in which a BLOB has its nulls. `Indicator`
// says whether one is there.
template <typename Indicator> struct Column {
  std::string storage;
  std::vector<long long> integers;
  std::vector<double> reals;
  std::vector<std::string> texts;
  std::vector<Indicator> indicators;

  // Calls a function with the vector that the column has.
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

// The columns of the rows of one transaction; the first is the key.
template <typename Indicator> using Batch = std::vector<Column<Indicator>>;

// Every row of the source, as the parameter save_every divides them; keys are 0 until `set_keys`.
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

// Runs what throws as the helper for C wants it: answers 0, or 1 with an error that is freed.
template <typename Work> int attempt(char **error, Work work) {
  try {
    return work(), 0;
  } catch (const std::exception &it) {
    return *error = strdup(it.what()), 1;
  }
}

} // namespace batchmark

#endif
