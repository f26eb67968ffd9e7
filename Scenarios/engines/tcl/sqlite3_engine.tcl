# Tcl's sqlite3: eval for each row in a transaction, with a cached statement. It has no other way to store many rows.
#
# https://www.sqlite.org/tclsqlite.html#the_eval_method
# https://www.sqlite.org/tclsqlite.html#the_transaction_method
source [file join [file dirname [info script]] batchmark_engine.tcl]

proc open_store {} {
  set batchmark::rows [batchmark::held_rows]
  sqlite3 store [dict get $batchmark::job store]
  batchmark::prepare_store {store eval}
  set ::statement [batchmark::insert_statement]
}

proc query {sql} { lindex [store eval $sql] 0 }

proc insert {key} {
  set step [batchmark::number save_every]
  set count [llength $batchmark::rows]
  for {set start 0} {$start < $count} {incr start $step} {
    store transaction immediate {
      foreach values [lrange $batchmark::rows $start [expr {$start + $step - 1}]] {
        # A missing element is NULL.
        array unset row
        array set row $values
        store eval $::statement
        incr key
      }
    }
  }
}

proc close_store {} { store close }

batchmark::serve [batchmark::hello "Tcl sqlite3" [package require sqlite3] [list \
  [batchmark::strategy save object_by_object "Tcl sqlite3: eval for each row" {"no model" "no objects" "SQL by hand"}]]]
