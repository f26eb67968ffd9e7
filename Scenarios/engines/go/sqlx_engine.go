// sqlx with mattn/go-sqlite3: NamedExec for one or many structs, or a named statement that is prepared once.
//
// https://jmoiron.github.io/sqlx/#namedParams
// https://pkg.go.dev/github.com/jmoiron/sqlx#NamedExec
// https://github.com/jmoiron/sqlx#usage
package main

import (
	"database/sql"
	"reflect"
	"strings"

	"github.com/jmoiron/sqlx"
)

type engine struct {
	job   *Job
	rows  reflect.Value
	store *sqlx.DB
	sql   string
}

func (it *engine) Open(job *Job) (rows int, store *sql.DB, err error) {
	it.job = job
	if it.rows, err = job.HeldStructs(); err != nil {
		return
	}
	it.sql = strings.Replace(job.Insert, "?", ":"+job.Key.Column, 1)
	for _, column := range job.Entities[0].Columns {
		it.sql = strings.Replace(it.sql, "?", ":"+column.Attribute, 1)
	}
	if it.store, err = sqlx.Connect("sqlite3", Address(job.Store, "_txlock=immediate")); err != nil {
		return
	}
	// Pragmas apply to a single connection.
	it.store.SetMaxOpenConns(1)
	return it.rows.Len(), it.store.DB, job.Prepare(it.store.DB)
}

func (it *engine) Insert(key int64) error {
	for index := 0; index < it.rows.Len(); index++ {
		it.rows.Index(index).Field(0).SetInt(key + int64(index))
	}
	return it.job.Steps("save_every", 0, it.rows.Len(), it.save)
}

func (it *engine) save(start, end int) error {
	transaction, err := it.store.Beginx()
	if err != nil {
		return err
	}
	defer transaction.Rollback()
	switch it.job.Strategy {
	case "save":
		err = it.each(start, end, func(row any) (sql.Result, error) { return transaction.NamedExec(it.sql, row) })
	case "prepared":
		var statement *sqlx.NamedStmt
		if statement, err = transaction.PrepareNamed(it.sql); err == nil {
			err = it.each(start, end, func(row any) (sql.Result, error) { return statement.Exec(row) })
		}
	default:
		err = it.job.Steps("request_size", start, end, func(start, end int) error {
			_, err := transaction.NamedExec(it.sql, it.rows.Slice(start, end).Interface())
			return err
		})
	}
	if err != nil {
		return err
	}
	return transaction.Commit()
}

func (it *engine) each(start, end int, store func(row any) (sql.Result, error)) error {
	for ; start < end; start++ {
		if _, err := store(it.rows.Index(start).Interface()); err != nil {
			return err
		}
	}
	return nil
}

func (it *engine) Close() error { return it.store.Close() }

func main() {
	givesUp := []string{"no change tracking", "SQL by hand"}
	all := map[string]any{"save_every": "all"}
	Serve(Hello("sqlx", LibraryVersion, []Strategy{
		Held("save", "object_by_object", "sqlx: NamedExec for each struct", givesUp, all),
		Held("prepared", "peer", "sqlx: a named statement, prepared once, for each struct", givesUp, all),
		Held("batch", "batch_array", "sqlx: NamedExec for a slice of structs", givesUp,
			map[string]any{"save_every": "all", "request_size": 1000}),
	}), new(engine))
}
