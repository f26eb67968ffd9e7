// Go's database/sql with mattn/go-sqlite3: a statement that is prepared once, or Exec, which prepares one for each row.
//
// https://go.dev/doc/database/prepared-statements
// https://go.dev/doc/database/execute-transactions
package main

import "database/sql"

type engine struct {
	job   *Job
	rows  [][]any
	store *sql.DB
}

func (it *engine) Open(job *Job) (rows int, store *sql.DB, err error) {
	it.job = job
	if it.rows, err = job.HeldRows(); err != nil {
		return
	}
	if it.store, err = sql.Open("sqlite3", Address(job.Store, "_txlock=immediate")); err != nil {
		return
	}
	// Pragmas apply to a single connection.
	it.store.SetMaxOpenConns(1)
	return len(it.rows), it.store, job.Prepare(it.store)
}

func (it *engine) Insert(key int64) error {
	return it.job.Steps("save_every", 0, len(it.rows), func(start, end int) error {
		return it.save(it.rows[start:end], key+int64(start))
	})
}

func (it *engine) save(rows [][]any, key int64) error {
	transaction, err := it.store.Begin()
	if err != nil {
		return err
	}
	defer transaction.Rollback()
	execute := func(values ...any) (sql.Result, error) { return transaction.Exec(it.job.Insert, values...) }
	if it.job.Strategy == "save" {
		statement, err := transaction.Prepare(it.job.Insert)
		if err != nil {
			return err
		}
		defer statement.Close()
		execute = statement.Exec
	}
	values := make([]any, len(it.job.Entities[0].Columns)+1)
	for index, row := range rows {
		values[0] = key + int64(index)
		copy(values[1:], row)
		if _, err := execute(values...); err != nil {
			return err
		}
	}
	return transaction.Commit()
}

func (it *engine) Close() error { return it.store.Close() }

func main() {
	givesUp := []string{"no model", "no objects", "SQL by hand"}
	all := map[string]any{"save_every": "all"}
	Serve(Hello("mattn/go-sqlite3", LibraryVersion, []Strategy{
		Held("save", "object_by_object", "database/sql: one prepared statement, Exec for each row", givesUp, all),
		Held("exec", "peer", "database/sql: Exec of a transaction for each row, which prepares it", givesUp, all),
	}), new(engine))
}
