// SOCI: a statement that is prepared once and executed for each row, or once for vectors of all rows.
//
// http://soci.sourceforge.net/doc/release/4.0/statements/#statement-preparation-and-repeated-execution
// http://soci.sourceforge.net/doc/release/4.0/binding/#bulk-operations
#include <soci/soci.h>
#include <soci/sqlite3/soci-sqlite3.h>
// SOCI has SQLite's functions in a namespace.
using namespace sqlite_api;
#include "../c/batchmark_engine.h"

// The values of a save's rows in one of the vectors, and that of the row that is stored now.
struct Column {
  char storage;
  std::vector<long long> integers;
  std::vector<double> reals;
  std::vector<std::string> texts;
  std::vector<soci::indicator> indicators;
  long long integer;
  double real;
  std::string text;
  soci::indicator indicator = soci::i_ok;

  void append(const struct batchmark_value &value) {
    if (storage == 'I') integers.push_back(value.integer);
    if (storage == 'R') reals.push_back(value.real);
    if (storage == 'T') texts.emplace_back(value.bytes ? value.bytes : "", value.length);
    indicators.push_back(value.type == SQLITE_NULL ? soci::i_null : soci::i_ok);
  }

  template <typename Value> void exchange(soci::statement &statement, std::vector<Value> &values, Value &value, bool all) {
    if (all) statement.exchange(soci::use(values, indicators));
    else statement.exchange(soci::use(value, indicator));
  }

  void exchange(soci::statement &statement, bool all) {
    if (storage == 'I') exchange(statement, integers, integer, all);
    if (storage == 'R') exchange(statement, reals, real, all);
    if (storage == 'T') exchange(statement, texts, text, all);
  }

  void take(size_t row) {
    if (storage == 'I') integer = integers[row];
    if (storage == 'R') real = reals[row];
    if (storage == 'T') text = texts[row];
    indicator = indicators[row];
  }
};

using Save = std::vector<Column>; // The first column is the key.

static soci::session store;
static std::vector<Save> saves;
static std::string strategy, sql;
static size_t rows;

// Runs what throws as the helper wants it.
template <typename Work> static int attempt(char **error, Work work) {
  try {
    return work(), 0;
  } catch (const std::exception &it) {
    return *error = strdup(it.what()), 1;
  }
}

static void hold_rows(struct batchmark_job *job) {
  struct batchmark_value *value = nullptr;
  sqlite3_int64 found = batchmark_held_rows(job, &value);
  if (found < 0) throw std::runtime_error("the source cannot be read");
  rows = found;
  Save empty(job->column_count + 1);
  empty[0].storage = 'I';
  for (int index = 0; index < job->column_count; index++) empty[index + 1].storage = *job->columns[index].storage;
  for (auto &column : empty)
    if (column.storage == 'B') throw std::runtime_error("this engine stores no binary data");
  const size_t save_every = batchmark_number(job, "save_every", rows);
  for (size_t row = 0; row < rows; row++) {
    if (row % save_every == 0) saves.push_back(empty);
    saves.back()[0].append({SQLITE_INTEGER, 0, 0, nullptr, 0});
    for (size_t column = 1; column < empty.size(); column++) saves.back()[column].append(*value++);
  }
}

static int open_store(struct batchmark_job *job, char **error) {
  return attempt(error, [job] {
    hold_rows(job);
    strategy = job->strategy;
    int number = 0; // SOCI's parameters have names.
    for (const char *it = job->insert; *it; it++) sql += *it == '?' ? ":v" + std::to_string(number++) : std::string(1, *it);
    store.open(soci::sqlite3, "dbname=" + std::string(job->store));
    auto backend = static_cast<soci::sqlite3_session_backend *>(store.get_backend());
    for (auto text : {job->pragmas, job->first_write})
      if (sqlite3_exec(backend->conn_, text, nullptr, nullptr, nullptr) != SQLITE_OK)
        throw std::runtime_error(sqlite3_errmsg(backend->conn_));
  });
}

static void save(Save &columns, sqlite3_int64 key) {
  const bool all = strategy == "batch";
  for (auto &it : columns[0].integers) it = key++;
  soci::transaction transaction(store);
  soci::statement statement(store);
  for (auto &column : columns) column.exchange(statement, all);
  statement.alloc();
  statement.prepare(sql);
  statement.define_and_bind();
  if (all) statement.execute(true);
  for (size_t row = 0; !all && row < columns[0].integers.size(); row++) {
    for (auto &column : columns) column.take(row);
    statement.execute(true);
  }
  transaction.commit();
}

static int insert(sqlite3_int64 key, sqlite3_int64 *stored, char **error) {
  *stored = rows;
  return attempt(error, [&key] {
    for (auto &columns : saves) {
      save(columns, key);
      key += columns[0].integers.size();
    }
  });
}

static int pragma(const char *name, char *value, size_t size) {
  char *error = nullptr;
  return attempt(&error, [=] {
    std::string answer;
    store << "PRAGMA " << name, soci::into(answer);
    snprintf(value, size, "%s", answer.c_str());
  });
}

static int checkpoint(char **error) {
  return attempt(error, [] {
    int busy = 1;
    store << "PRAGMA wal_checkpoint(TRUNCATE)", soci::into(busy);
    if (busy) throw std::runtime_error("the checkpoint left frames in the WAL");
  });
}

static int close_store(char **error) {
  return attempt(error, [] { store.close(); });
}

#define STRATEGY(name, role, summary)                                                                                          \
  "{\"name\": \"" name "\", \"operation\": \"insert\", \"role\": \"" role "\", \"summary\": \"" summary "\", "                 \
  "\"rows\": \"held\", \"gives_up\": [\"no model\", \"no objects\", \"SQL by hand\"], \"parameters\": {\"save_every\": \"all\"}}"

int main() {
  const struct batchmark_engine engine = {
      "\"engine\": \"SOCI\", \"strategies\": ["
      STRATEGY("save", "object_by_object", "SOCI: one prepared statement, executed for each row") ", "
      STRATEGY("batch", "batch_array", "SOCI: one statement, executed once with vectors of the rows of each save") "]",
      "4.0.3", "C++", open_store, pragma, insert, checkpoint, close_store};
  return batchmark_serve(&engine);
}
