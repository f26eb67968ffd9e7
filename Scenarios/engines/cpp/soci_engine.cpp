// SOCI: a statement that is prepared once and executed for each row, or once for vectors of all rows.
//
// http://soci.sourceforge.net/doc/release/4.0/statements/#statement-preparation-and-repeated-execution
// http://soci.sourceforge.net/doc/release/4.0/binding/#bulk-operations
#include <soci/soci.h>
#include <soci/sqlite3/soci-sqlite3.h>
// SOCI declares SQLite's functions in this namespace.
using namespace sqlite_api;
#include "batchmark_engine.hpp"

using batchmark::attempt;
using Batch = batchmark::Batch<soci::indicator>;

static soci::session store;
static std::vector<Batch> batches;
static std::string sql;
static bool all; // Whether a statement is bound to vectors.

static int open_store(struct batchmark_job *job, char **error) {
  return attempt(error, [job] {
    batches = batchmark::held_batches(job, soci::i_ok, soci::i_null);
    all = strcmp(job->strategy, "batch") == 0;
    int number = 0; // SOCI needs named parameters.
    for (char it : std::string(job->insert)) sql += it == '?' ? ":v" + std::to_string(number++) : std::string(1, it);
    store.open(soci::sqlite3, "dbname=\"" + std::string(job->store) + "\"");
    auto connection = static_cast<soci::sqlite3_session_backend *>(store.get_backend())->conn_;
    for (auto text : {job->pragmas, job->first_write})
      if (sqlite3_exec(connection, text, nullptr, nullptr, nullptr) != SQLITE_OK)
        throw std::runtime_error(sqlite3_errmsg(connection));
  });
}

// The values of one row. The statement is bound to them.
struct Row {
  std::vector<long long> integers;
  std::vector<double> reals;
  std::vector<std::string> texts;
  std::vector<soci::indicator> indicators;

  explicit Row(size_t columns) : integers(columns), reals(columns), texts(columns), indicators(columns) {}
  std::vector<long long> &of(const std::vector<long long> &) { return integers; }
  std::vector<double> &of(const std::vector<double> &) { return reals; }
  std::vector<std::string> &of(const std::vector<std::string> &) { return texts; }
};

static void save(Batch &batch, sqlite3_int64 key) {
  for (auto &it : batch[0].integers) it = key++;
  soci::transaction transaction(store);
  soci::statement statement(store);
  Row row(batch.size());
  for (size_t column = 0; column < batch.size(); column++)
    batch[column].with_values([&](auto &values) {
      if (all) statement.exchange(soci::use(values, batch[column].indicators));
      else statement.exchange(soci::use(row.of(values)[column], row.indicators[column]));
    });
  statement.alloc();
  statement.prepare(sql);
  statement.define_and_bind();
  if (all) statement.execute(true);
  for (size_t index = 0; !all && index < batch[0].integers.size(); index++) {
    for (size_t column = 0; column < batch.size(); column++) {
      batch[column].with_values([&](auto &values) { row.of(values)[column] = values[index]; });
      row.indicators[column] = batch[column].indicators[index];
    }
    statement.execute(true);
  }
  transaction.commit();
}

static int insert(sqlite3_int64 key, sqlite3_int64 *stored, char **error) {
  *stored = 0;
  return attempt(error, [&] {
    for (auto &batch : batches) {
      save(batch, key + *stored);
      *stored += batch[0].integers.size();
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

#define STRATEGY(name, role, summary)                                                                                  \
  "{\"name\": \"" name "\", \"operation\": \"insert\", \"role\": \"" role "\", \"summary\": \"" summary "\", "         \
  "\"rows\": \"held\", \"gives_up\": [\"no model\", \"no objects\", \"SQL by hand\", \"no binary data\"], "    \
  "\"parameters\": {\"save_every\": \"all\"}}"

int main() {
  const struct batchmark_engine engine = {
      "\"engine\": \"SOCI\", \"strategies\": ["
      STRATEGY("save", "object_by_object", "SOCI: one prepared statement, executed for each row") ", "
      STRATEGY("batch", "batch_array", "SOCI: one statement, executed once with vectors of the rows of each save") "]",
      "4.0.3", "C++", open_store, pragma, insert, checkpoint, close_store, nullptr, nullptr};
  return batchmark_serve(&engine);
}
