// Stores 1,000 rows with mattn/go-sqlite3 and the system's library.
package main

import (
	"database/sql"
	"fmt"
	"os"

	_ "github.com/mattn/go-sqlite3"
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	store, err := sql.Open("sqlite3", os.Args[1]+"/store.db")
	check(err)
	_, err = store.Exec("CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT)")
	check(err)
	transaction, err := store.Begin()
	check(err)
	insert, err := transaction.Prepare("INSERT INTO item (name) VALUES (?)")
	check(err)
	for row := 0; row < 1000; row++ {
		_, err = insert.Exec(fmt.Sprint("name ", row))
		check(err)
	}
	check(transaction.Commit())
	var count int
	check(store.QueryRow("SELECT count(*) FROM item").Scan(&count))
	fmt.Println(count)
	check(store.Close())
}
