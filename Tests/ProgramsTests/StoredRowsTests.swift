// Rows that programs fetch, update and delete: correct rows pass verification, and each failure is one sentence.
import BatchmarkEngine
import CoreDataModel
import Foundation
import Harness
import MissionTags
@testable import Programs
import SQLiteDriver
import Testing

private let queries = [
  "", "where: magnitude >= 1", "where: place CONTAINS \"Hawaii\" AND NOT magnitude = NULL",
  "order: code\ndescending: true",
  "order: code\noffset: 10\nlimit: 20", "where: magnitude IN {0.01, 0.05, 0.13} OR code BEGINSWITH \"us\"",
]

@Suite("A13 · fetches of programs", .tags(.a13), .enabled(if: PythonProgram.isPossible, PythonProgram.missing))
struct ProgramFetchTests {
  @Test("Rows that a program reads are verified, and the time is measured", arguments: queries)
  func sound(query: String) throws {
    let sample = try PythonProgram.sqlite3().sample(strategy: "fetch", rows: 500, more: "operation: fetch\n" + query)
    let fetch = try #require(sample.phases.first { $0.phase == .fetch })
    #expect(fetch.rows > 0 && sample.contents.rows == 500)
    #expect(try #require(fetch.wallSeconds) > 0)
    #expect(sample.notes.allSatisfy { !$0.contains("no values") }, "\(sample.notes)")
  }

  @Test("The hash of the article's example is the one that the article states")
  func documented() throws {
    let connection = try Connection(path: ":memory:")
    func hash(_ sql: String, _ classes: [StorageClass]) throws -> UInt32 {
      let rows = try connection.prepare(sql)
      var checksum = ProgramChecksum()
      while try rows.step() {
        for (column, storage) in classes.enumerated() { checksum.add(column, of: rows, as: storage) }
      }
      return checksum.value
    }
    #expect(try hash("VALUES (1, 1, 'a'), (2, 1, NULL)", [.integer, .integer, .text]) == 3_589_510_815)
    // Whole doubles may be stored as integers, but are read as REAL.
    #expect(try hash("VALUES (3)", [.real]) == 3_016_347_567 && hash("VALUES (3.0)", [.real]) == 3_016_347_567)
    #expect(try hash("VALUES (X'00FF')", [.blob]) == 1_671_977_926)
  }

  @Test("A program may write its own statement for a request", arguments: queries)
  func own(query: String) throws {
    let program = try PythonProgram.faulty(
      """
      def sql(self, it):
          if "all" in it: return " AND ".join("(%s)" % self.sql(one) for one in it["all"]) or "1"
          if "any" in it: return " OR ".join("(%s)" % self.sql(one) for one in it["any"]) or "0"
          if "not" in it: return "(%s) IS NOT TRUE" % self.sql(it["not"])
          if "constant" in it: return str(int(it["constant"]))
          column, how = it["column"], it["comparison"]
          values = ["NULL" if one is None else repr(one) for one in it["values"]]
          if how == "IN": return "%s IN (%s)" % (column, ", ".join(values))
          if how == "CONTAINS": return "instr(%s, %s) > 0" % (column, values[0])
          if how == "BEGINSWITH": return "instr(%s, %s) = 1" % (column, values[0])
          return "%s %s %s" % (column, "IS" if how == "=" else how, values[0])
      def fetch(self):
          columns = ", ".join(["Z_PK", "Z_OPT"] + [column["column"] for column in self.columns])
          where = self.sql(self.job["where"]) if "where" in self.job else "1"
          order = self.job["order"]["column"] + (" DESC" if self.job["order"]["descending"] else "")
          return self.connection.execute("SELECT %s FROM %s WHERE %s ORDER BY %s LIMIT %d OFFSET %d" % (
              columns, self.entity["table"], where, order, self.job.get("limit", -1), self.job["offset"])).fetchall()
      """)
    _ = try program.sample(strategy: "fetch", rows: 500, more: "operation: fetch\n" + query)
  }

  /// A fault, and words of its sentence.
  struct Fault: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let methods: String
    let sentence: String
    var limit = 60.0
    var more = "operation: fetch\norder: code"
  }

  static let faults = [
    Fault(
      testDescription: "too few rows", methods: "def fetch(self): return super().fetch()[:-1]",
      sentence: "the engine python: found 59 rows in its answer to 'go'; expected 60, the rows that it was to read"),
    Fault(
      testDescription: "too few rows and the right number",
      methods: "def fetch(self): return super().fetch()[:-1]\ndef go(self, request): return super().go(request) + 1",
      sentence: "of the values that it read; expected"),
    Fault(
      testDescription: "a wrong hash", methods: "def hash(self): return super().hash() ^ 1",
      sentence: "CRC-32 of the key, the version and the columns of each row, in the order of the rows"),
    Fault(
      testDescription: "another order", methods: "def fetch(self): return super().fetch()[::-1]",
      sentence: "of the values that it read; expected"),
    Fault(
      testDescription: "another value", methods: "def values(self, row): return row[:-1] + (row[-1] + 1,)",
      sentence: "of the values that it read; expected"),
    Fault(
      testDescription: "no hash", methods: "def hash(self): say('{\"hashed\": null}\\n'); time.sleep(60)",
      sentence: "as the answer to 'hash'; expected a value of type"),
    Fault(
      testDescription: "another answer",
      methods: "def hash(self): say('{\"done\": {\"rows\": 60}}\\n'); time.sleep(60)",
      sentence: "as the answer to 'hash'; expected 'hashed'"),
    Fault(
      testDescription: "it dies", methods: "def hash(self): os._exit(7)", sentence: "ended with status 7 during 'hash'"),
    Fault(
      testDescription: "it hangs", methods: "def hash(self): time.sleep(60)",
      sentence: "no answer to 'hash' within 3 s", limit: 3),
    Fault(
      testDescription: "it changes what it reads",
      methods: "def fetch(self):\n    rows = super().fetch()\n"
        + "    self.connection.execute('UPDATE ZQUAKE SET ZMAGNITUDE = 9')\n    return rows",
      sentence: "expected"),
  ]

  @Test("Each fault of a fetch is reported in one sentence", arguments: faults)
  func fault(_ fault: Fault) throws {
    try expect(fault, strategy: "fetch")
  }
}

/// Expects that a sample fails with the fault's sentence.
private func expect(_ fault: ProgramFetchTests.Fault, strategy: String) throws {
  let program = try PythonProgram.faulty(fault.methods)
  let error = #expect(throws: (any Error).self) {
    try program.sample(strategy: strategy, more: fault.more, limits: ProgramLimits(work: fault.limit))
  }
  let sentence = error.map { "\($0)" } ?? ""
  #expect(sentence.contains(fault.sentence), "\(sentence)")
  #expect(!sentence.contains("\n"))
}

@Suite("A13 · changes by programs", .tags(.a13), .enabled(if: PythonProgram.isPossible, PythonProgram.missing))
struct ProgramChangeTests {
  private static let changes = [
    "operation: update\nwhere: magnitude >= 1\nset: {place: null, magnitude: 7.5}",
    "operation: update\nset: {place: here}",
    "operation: delete\nwhere: magnitude < 1", "operation: delete",
  ]

  @Test("Rows that a program changes are verified", arguments: changes, ["save", "batch"])
  func sound(change: String, strategy: String) throws {
    let sample = try PythonProgram.sqlite3().sample(strategy: strategy, rows: 500, more: change)
    let main = try #require(sample.mainPhase)
    #expect(main.rows > 0 && sample.contents.rows == (main.phase == .delete ? 500 - main.rows : 500))
    #expect(sample.contents.versions[2] == (main.phase == .update ? main.rows : nil))
  }

  @Test(
    "A program that warms up does the same in copies of the store before", arguments: ["fetch", "update", "delete"])
  func warmUp(operation: String) throws {
    let program = try PythonProgram.faulty(
      """
      def go(self, request):
          rows = super().go(request)
          with open(os.path.dirname(os.path.dirname(self.job["store"])) + "/stores", "a") as file:
              file.write("%d rows in %s\\n" % (rows, os.path.basename(self.job["store"])))
          return rows
      """, module: "for one in strategies: one['warm_up'] = {'rows': 20, 'repeats': 2}")
    let sample = try program.sample(
      strategy: operation == "fetch" ? "fetch" : "batch",
      more: "operation: \(operation)" + (operation == "update" ? "\nset: {place: here}" : ""))
    #expect(sample.engineNotes?.contains("it warmed up with 60 rows, 2 times") == true, "\(sample.engineNotes ?? [])")
    let stores = try String(contentsOfFile: program.folder + "/stores", encoding: .utf8)
    let expected = ["store.sqlite.warm-up-1", "store.sqlite.warm-up-2", "store.sqlite"].map { "60 rows in \($0)" }
    #expect(stores.split(separator: "\n").map(String.init) == expected)
  }

  static let faults = [
    ProgramFetchTests.Fault(
      testDescription: "a wrong number of rows", methods: "def change(self): return super().change() - 1",
      sentence: "found 59 rows in its answer to 'go'; expected 60, the rows that it was to change",
      more: "operation: delete"),
    ProgramFetchTests.Fault(
      testDescription: "nothing is deleted", methods: "def change(self): return 60",
      sentence: "the store holds 60 rows",
      more: "operation: delete"),
    ProgramFetchTests.Fault(
      testDescription: "no version is counted",
      methods: "def change(self):\n    sql = self.job['change_one'].replace(', Z_OPT = Z_OPT + 1', '')\n"
        + "    self.job['change_one'] = sql\n    return super().change()",
      sentence: "version", more: "operation: update\nset: {place: here}"),
    ProgramFetchTests.Fault(
      testDescription: "another value", methods: "def bound(self, name): return ['there' for _ in super().bound(name)]",
      sentence: "expected", more: "operation: update\nset: {place: here}"),
    ProgramFetchTests.Fault(
      testDescription: "work that is put off",
      methods: "late = False\ndef change(self): self.late = True; return 60\n"
        + "def checkpoint(self):\n    if self.late: super().change()\n    super().checkpoint()",
      sentence: "when the phase delete had ended, ", more: "operation: delete"),
  ]

  @Test("Each fault of a change is reported in one sentence", arguments: faults)
  func fault(_ fault: ProgramFetchTests.Fault) throws {
    try expect(fault, strategy: "save")
  }
}

@Suite("A13 · the engine in C", .tags(.a13), .enabled(if: CProgram.isPossible, CProgram.missing))
struct CProgramTests {
  @Test("The engine in C stores, reads, updates and deletes rows")
  func sound() throws {
    let program = try CProgram()
    for (strategy, operation) in [
      ("insert", ""), ("stream", ""),
      ("update", "operation: update\nwhere: magnitude >= 1\nset: {place: null, magnitude: 7.5}"),
      ("delete", "operation: delete\nwhere: magnitude >= 1"),
    ] {
      #expect(try program.sample(strategy, operation).mainPhase?.rows ?? 0 > 0)
    }
    for query in queries {
      #expect(try program.sample("select", "operation: fetch\n" + query).mainPhase?.rows ?? 0 > 0)
    }
  }

  @Test("Streamed rows of the engine in C form a group of their own")
  func streamed() throws {
    let offers = try CProgram().engine.strategies.filter { $0.operation == .insert }
    #expect(offers.map(\.name) == ["insert", "stream"] && offers.map(\.isStreamed) == [false, true])
  }

  @Test("The starter example stores rows")
  func example() throws {
    #expect(try CProgram("example_engine.c").sample("save").contents.rows == 60)
  }

  /// The replaced text, its replacement, and words of the sentence.
  private static let faults = [
    (
      "*stored = row_count;", "*stored = row_count - 1;", "insert", "found 59 rows in its answer to 'go'; expected 60"
    ),
    ("save(row, row_count)", "row < 59 && save(row, 59)", "insert", "the store holds 59 rows; expected 60"),
    ("*stored = row_count;", "abort();", "insert", "ended by signal 6 during 'go'"),
    ("*stored = row_count;", "for (;;) sleep(1);", "insert", "no answer to 'go' within 3 s"),
    (
      "++*count, result = SQLITE_OK)\n    batchmark_hash_row",
      "++*count, result = SQLITE_OK)\n    if (*count) batchmark_hash_row", "select",
      "of the values that it read; expected"
    ),
    (
      "  if (result != SQLITE_DONE) return failed(error);\n  sqlite3_finalize(statement);\n  statement = NULL;",
      "  --*count;\n  sqlite3_finalize(statement);\n  statement = NULL;", "select",
      "found 59 rows in its answer to 'go'; expected 60, the rows that it was to read"
    ),
    ("batchmark_hash_row(statement, job);", "(void)batchmark_hash_row;", "select", "found the hash 0 of the values"),
    (
      "if (save(row, *count))", "if (row + 1 < *count && save(row, *count - 1))", "delete",
      "the store holds 1 rows; expected 0"
    ),
  ]

  @Test("Each fault of the program is reported in one sentence", arguments: faults.indices)
  func fault(_ index: Int) throws {
    let (text, other, strategy, expected) = CProgramTests.faults[index]
    let operation = ["select": "operation: fetch", "delete": "operation: delete"][strategy] ?? ""
    let program = try CProgram(replacing: text, with: other, limits: ProgramLimits(work: 3))
    let error = #expect(throws: (any Error).self) { try program.sample(strategy, operation) }
    let sentence = error.map { "\($0)" } ?? ""
    #expect(sentence.contains(expected) && !sentence.contains("\n"), "\(sentence)")
  }
}
