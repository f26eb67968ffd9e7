# Stores 1,000 rows from Tcl.
package require sqlite3
sqlite3 store [lindex $argv 0]/store.db
store eval {CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT)}
store transaction { for {set row 0} {$row < 1000} {incr row} { store eval {INSERT INTO item (name) VALUES ($row)} } }
puts [store one {SELECT count(*) FROM item}]
store close
