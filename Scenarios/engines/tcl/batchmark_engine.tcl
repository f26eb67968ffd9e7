# The helper for engines in Tcl: implements the protocol, so an engine only stores rows.
#
# An engine defines the commands `open_store`, `query sql`, which returns one value, `insert first_key` and
# `close_store`, and calls `batchmark::serve`. `open_store` sets `batchmark::rows`. Batchmark's request is in the
# dictionary `batchmark::job`; see the article "Engines in any language".
package require Tcl 8.6
package require json
package require json::write
package require sqlite3

namespace eval batchmark {
  variable job {}
  variable entity {}
  variable rows {}
  variable is_open 0
}

# All rows of the source as dictionaries. The keys are the names of columns; NULL values are left out.
proc batchmark::held_rows {} {
  variable job
  variable entity
  # A text that no source has as a value.
  set null "\uFFFFNULL"
  sqlite3 batchmark_rows [dict get $job source] -readonly true
  batchmark_rows nullvalue $null
  set columns [dict get $entity columns]
  set held {}
  batchmark_rows eval "SELECT * FROM \"[dict get $entity source_table]\" ORDER BY rowid" values {
    set row {}
    foreach column $columns {
      set value $values([dict get $column attribute])
      if {$value ne $null} { lappend row [dict get $column column] $value }
    }
    lappend held $row
  }
  batchmark_rows close
  return $held
}

# The request's INSERT statement with the parameters `$key` and, for each column, `$row(COLUMN)`, which Tcl binds.
proc batchmark::insert_statement {} {
  variable job
  variable entity
  set names [list {$key}]
  foreach column [dict get $entity columns] {
    # With @, SQLite binds a value as bytes.
    lappend names "[expr {[dict get $column storage] eq "BLOB" ? "@" : "$"}]row([dict get $column column])"
  }
  set parts [split [dict get $job insert] ?]
  set sql [lindex $parts 0]
  foreach name $names part [lrange $parts 1 end] { append sql $name $part }
  return $sql
}

# A parameter that is a number of rows; "all" is the number of all rows.
proc batchmark::number {parameter} {
  variable job
  variable rows
  set parameters [dict get $job parameters]
  if {![dict exists $parameters $parameter] || [dict get $parameters $parameter] eq "all"} {
    return [expr {max([llength $rows], 1)}]
  }
  return [dict get $parameters $parameter]
}

# Sets the pragmas and runs the first write with a command that runs a statement.
proc batchmark::prepare_store {run} {
  variable job
  foreach pragma [dict get $job pragmas] {
    {*}$run "PRAGMA [dict get $pragma name] = [dict get $pragma value]"
  }
  {*}$run [dict get $job first_write]
}

# The current values of the pragmas, as JSON.
proc batchmark::pragmas {} {
  variable job
  set answers {}
  foreach name [dict get $job answered_pragmas] {
    lappend answers $name [json::write string [query "PRAGMA $name"]]
  }
  return [json::write object {*}$answers]
}

# The description of a strategy for `hello`, with its parameters and their defaults. A strategy that gives up
# "no upsert" cannot handle rows with unique values that are already in the store.
proc batchmark::strategy {name role summary gives_up {parameters {save_every all}}} {
  set texts [lmap text $gives_up { json::write string $text }]
  set values [dict map {key value} $parameters {
    expr {[string is integer $value] ? $value : [json::write string $value]}
  }]
  return [json::write object name [json::write string $name] operation [json::write string insert] \
    role [json::write string $role] summary [json::write string $summary] rows [json::write string held] \
    gives_up [json::write array {*}$texts] upserts [expr {"no upsert" in $gives_up ? "false" : "true"}] \
    parameters [json::write object {*}$values]]
}

# The program's answer to `hello`. The heap is "managed" because Tcl keeps the memory that it has allocated.
proc batchmark::hello {engine version strategies} {
  sqlite3 batchmark_memory :memory:
  lassign [batchmark_memory eval {SELECT sqlite_version(), sqlite_source_id()}] library source
  batchmark_memory close
  return [json::write object hello 1 engine [json::write string $engine] version [json::write string $version] \
    runtime [json::write string "Tcl [info patchlevel]"] heap [json::write string managed] \
    sqlite [json::write object version [json::write string $library] source_id [json::write string $source]] \
    strategies [json::write array {*}$strategies]]
}

proc batchmark::answer {request value} {
  variable job
  variable entity
  variable rows
  variable is_open
  switch $request {
    open {
      set job $value
      set entity [lindex [dict get $job entities] 0]
      open_store
      set is_open 1
      return [json::write object ready [pragmas]]
    }
    go {
      set start [clock microseconds]
      insert [dict get $value first_key]
      set seconds [expr {([clock microseconds] - $start) / 1e6}]
      return [json::write object done [json::write object rows [llength $rows] seconds $seconds]]
    }
    checkpoint {
      if {[query "PRAGMA wal_checkpoint(TRUNCATE)"] != 0} { error "the checkpoint left frames in the WAL" }
      return [json::write object checkpointed 1]
    }
    close {
      if {$is_open} { close_store }
      return [json::write object closed 1]
    }
  }
  error "this program knows no request '$request'"
}

# Answers requests until Batchmark closes the connection.
proc batchmark::serve {hello} {
  set requests [open /dev/fd/3 r]
  set answers [open /dev/fd/4 w]
  fconfigure $requests -encoding utf-8
  fconfigure $answers -encoding utf-8 -translation lf
  json::write indented 0
  while {[gets $requests line] >= 0} {
    lassign [json::json2dict $line] request value
    if {$request eq "hello"} {
      set answer $hello
    } elseif {[catch {set answer [answer $request $value]} message]} {
      puts stderr $::errorInfo
      set answer [json::write object error [json::write string $message]]
    }
    puts $answers [string map {\n " "} $answer]
    flush $answers
    if {$request eq "close"} { return }
  }
}
