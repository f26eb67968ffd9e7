// The helper for engines in Go: implements the protocol, so an engine only stores rows.
//
// An engine is a type that implements Engine, and its main function calls Serve. Batchmark's request is in Job; see the
// article "Engines in any language". scripts/engines builds this file with an engine's file and the system's SQLite.
package main

import (
	"bufio"
	"database/sql"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"reflect"
	"runtime"
	"strings"
	"time"

	_ "github.com/mattn/go-sqlite3"
)

// LibraryVersion is the version of the library that an engine measures. scripts/engines sets it.
var LibraryVersion = "unknown"

// Column is a column of the entity. Its storage is INTEGER, REAL, TEXT or BLOB.
type Column struct {
	Attribute, Column, Type, Storage string
	Optional, Unique                 bool
}

// Entity is the entity that the engine stores rows of.
type Entity struct {
	Name, Table string
	SourceTable string `json:"source_table"`
	Rows        int
	Columns     []Column
	// UniqueTogether has the columns of each uniqueness constraint.
	UniqueTogether [][]string `json:"unique_together"`
}

// Job is the request to open a store.
type Job struct {
	Strategy, Store, Source, Insert string
	Parameters                      map[string]any
	Entities                        []Entity
	Key                             struct{ Column string }
	Constants                       map[string]int64
	Pragmas                         []struct{ Name, Value string }
	AnsweredPragmas                 []string `json:"answered_pragmas"`
	MergePolicy                     string   `json:"merge_policy"`
	FirstWrite                      string   `json:"first_write"`
}

// Engine stores rows. Open returns the number of rows in memory and a connection to query the pragmas with.
type Engine interface {
	Open(job *Job) (rows int, store *sql.DB, err error)
	Insert(firstKey int64) error
	Close() error
}

// Strategy is the description of a strategy in the answer to hello.
type Strategy struct {
	Name       string         `json:"name"`
	Operation  string         `json:"operation"`
	Role       string         `json:"role"`
	Summary    string         `json:"summary"`
	Rows       string         `json:"rows"`
	GivesUp    []string       `json:"gives_up"`
	Upserts    bool           `json:"upserts"`
	Parameters map[string]any `json:"parameters"`
}

// Held describes a strategy that keeps its rows in memory. A strategy that gives up "no upsert" cannot handle rows with
// unique values that are already in the store.
func Held(name, role, summary string, givesUp []string, parameters map[string]any) Strategy {
	upserts := true
	for _, it := range givesUp {
		upserts = upserts && it != "no upsert"
	}
	return Strategy{name, "insert", role, summary, "held", givesUp, upserts, parameters}
}

// HeldRows reads all rows of the source. Their values have the order of the entity's columns.
func (job *Job) HeldRows() ([][]any, error) {
	source, err := sql.Open("sqlite3", Address(job.Source, "mode=ro"))
	if err != nil {
		return nil, err
	}
	defer source.Close()
	entity := job.Entities[0]
	found, err := source.Query(fmt.Sprintf("SELECT * FROM %q ORDER BY rowid", entity.SourceTable))
	if err != nil {
		return nil, err
	}
	defer found.Close()
	rows := make([][]any, 0, entity.Rows)
	for found.Next() {
		row := make([]any, len(entity.Columns))
		places := make([]any, len(row))
		for index := range row {
			places[index] = &row[index]
		}
		if err := found.Scan(places...); err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return rows, found.Err()
}

var types = map[string]any{"INTEGER": int64(0), "REAL": float64(0), "TEXT": "", "BLOB": []byte{}}

// HeldStructs reads all rows of the source into a slice of structs like those that a user would write for the entity.
// Each has a field for the key and one for each attribute; the field of an optional attribute is a pointer. The `db`
// tags of the fields are the key's column and the names of the attributes.
func (job *Job) HeldStructs() (reflect.Value, error) {
	fields := []reflect.StructField{{Name: "Key", Type: reflect.TypeOf(int64(0)), Tag: tag(job.Key.Column)}}
	for index, column := range job.Entities[0].Columns {
		field := reflect.TypeOf(types[column.Storage])
		if column.Optional {
			field = reflect.PtrTo(field)
		}
		fields = append(fields, reflect.StructField{
			Name: fmt.Sprint("Field", index), Type: field, Tag: tag(column.Attribute),
		})
	}
	rows, err := job.HeldRows()
	structs := reflect.MakeSlice(reflect.SliceOf(reflect.StructOf(fields)), len(rows), len(rows))
	for index, row := range rows {
		for column, value := range row {
			field := structs.Index(index).Field(column + 1)
			if value != nil && field.Kind() == reflect.Pointer {
				field.Set(reflect.New(field.Type().Elem()))
				field = field.Elem()
			}
			if value != nil {
				field.Set(reflect.ValueOf(value))
			}
		}
	}
	return structs, err
}

func tag(name string) reflect.StructTag { return reflect.StructTag(fmt.Sprintf("db:%q", name)) }

// Steps divides the rows from start to end into parts of a parameter's size and calls a function with their bounds.
func (job *Job) Steps(parameter string, start, end int, store func(start, end int) error) error {
	step := end - start
	if value, isNumber := job.Parameters[parameter].(float64); isNumber {
		step = int(value)
	}
	for ; start < end; start += step {
		last := start + step
		if last > end {
			last = end
		}
		if err := store(start, last); err != nil {
			return err
		}
	}
	return nil
}

// Prepare sets the pragmas and runs the first write.
func (job *Job) Prepare(store *sql.DB) error {
	for _, pragma := range job.Pragmas {
		if _, err := store.Exec("PRAGMA " + pragma.Name + " = " + pragma.Value); err != nil {
			return err
		}
	}
	_, err := store.Exec(job.FirstWrite)
	return err
}

// Address is the address of a file, with options for SQLite and its driver.
func Address(path, options string) string {
	return (&url.URL{Scheme: "file", Path: path, RawQuery: options}).String()
}

// Pragma is the current value of a pragma, as text.
func Pragma(store *sql.DB, name string) (value string, err error) {
	err = store.QueryRow("PRAGMA " + name).Scan(&value)
	return
}

// Hello is the program's answer to hello.
func Hello(engine, version string, strategies []Strategy) map[string]any {
	var library, source string
	if memory, err := sql.Open("sqlite3", ":memory:"); err == nil {
		_ = memory.QueryRow("SELECT sqlite_version(), sqlite_source_id()").Scan(&library, &source)
		memory.Close()
	}
	return map[string]any{
		"hello": 1, "engine": engine, "version": version, "runtime": strings.Replace(runtime.Version(), "go", "Go ", 1),
		"heap": "managed", "sqlite": map[string]any{"version": library, "source_id": source}, "strategies": strategies,
	}
}

type conversation struct {
	engine Engine
	store  *sql.DB
	rows   int
}

func (it *conversation) answer(request string, value json.RawMessage) (map[string]any, error) {
	if it.store == nil && request == "close" {
		return map[string]any{"closed": 1}, nil
	}
	if it.store == nil && request != "open" {
		return nil, fmt.Errorf("no store is open for the request '%s'", request)
	}
	switch request {
	case "open":
		job := new(Job)
		err := json.Unmarshal(value, job)
		if err == nil {
			it.rows, it.store, err = it.engine.Open(job)
		}
		if err != nil {
			it.store = nil
			return nil, err
		}
		ready := map[string]string{}
		for _, name := range job.AnsweredPragmas {
			if answer, err := Pragma(it.store, name); err == nil {
				ready[name] = answer
			}
		}
		return map[string]any{"ready": ready}, nil
	case "go":
		var start struct {
			Key int64 `json:"first_key"`
		}
		if err := json.Unmarshal(value, &start); err != nil {
			return nil, err
		}
		began := time.Now()
		err := it.engine.Insert(start.Key)
		return map[string]any{"done": map[string]any{"rows": it.rows, "seconds": time.Since(began).Seconds()}}, err
	case "checkpoint":
		var busy, log, moved int
		err := it.store.QueryRow("PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &log, &moved)
		if err == nil && busy != 0 {
			err = fmt.Errorf("the checkpoint left frames in the WAL")
		}
		return map[string]any{"checkpointed": 1}, err
	case "close":
		return map[string]any{"closed": 1}, it.engine.Close()
	}
	return nil, fmt.Errorf("this program knows no request '%s'", request)
}

// Serve answers requests until Batchmark closes the connection.
func Serve(hello map[string]any, engine Engine) {
	requests := bufio.NewReader(os.NewFile(3, "requests"))
	answers := json.NewEncoder(os.NewFile(4, "answers"))
	it := &conversation{engine: engine}
	for {
		line, err := requests.ReadBytes('\n')
		if err != nil {
			return
		}
		var message map[string]json.RawMessage
		err = json.Unmarshal(line, &message)
		for request, value := range message {
			answer := hello
			if request != "hello" {
				answer, err = it.answer(request, value)
			}
			if err != nil {
				answer = map[string]any{"error": err.Error()}
			}
			if answers.Encode(answer) != nil || request == "close" {
				return
			}
		}
	}
}
