// The results of conformance checks: none for a correct program, and each rule that a wrong one breaks.
import BatchmarkEngine
import Foundation
import Harness
import MissionTags
import Programs
import Scenarios
import Testing

@Suite("A13 · conformance", .tags(.a13), .enabled(if: PythonProgram.isPossible, PythonProgram.missing))
struct ConformanceTests {
  /// The rules that a program breaks, with the problems.
  private func broken(_ program: PythonProgram, _ operation: BatchmarkEngine.Operation.Kind = .insert) throws
    -> [String: String]
  {
    let check = try ConformanceCheck(program.definition(), executable: "/proc/self/exe", directory: program.folder)
    var outcomes: [ConformanceOutcome] = []
    check.run { outcomes.append($0) }
    #expect(Set(outcomes.map { "\($0.strategy ?? "") \($0.rule)" }).count == outcomes.count)
    #expect(outcomes.count == ProgramConduct.allCases.count + ConformanceCase.all(of: operation).count)
    return Dictionary(outcomes.compactMap { one in one.problem.map { (one.rule, $0) } }) { first, _ in first }
  }

  @Test("Each broken rule is named, with what was found")
  func faulty() throws {
    let program = try PythonProgram.faulty(
      """
      def save_every(self):
          return len(self.rows)
      def open(self):
          self.job["insert"] = self.job["insert"].split(" ON CONFLICT")[0].replace("OR IGNORE ", "")
          self.job["pragmas"] = [one for one in self.job["pragmas"] if one["name"] != "cache_size"]
          super().open()
          storage = [column["storage"] for column in self.entity["columns"]]
          def changed(value, kind):
              if kind == "TEXT" and value == "007": return 7
              if kind == "BLOB" and value == b"": return None
              return value
          self.rows = [tuple(map(changed, row, storage)) for row in self.rows]
      def save_every(self):
          return len(self.rows)
      """, module: "strategies[:] = strategies[:1]")
    let broken = try broken(program)
    #expect(
      Set(broken.keys) == [
        "text that looks like a number stays text", "empty blobs are stored, and are no NULL",
        "pragmas are set as asked",
        "under object_trump a later row takes the place of an earlier one", "under store_trump an earlier row stays",
        "under overwrite a later row takes the place of an earlier one", "two attributes may be unique together",
        "under error an earlier row stays", "the rows are stored again when 'go' comes again",
        "each row may have a transaction of its own", "the last transaction may have fewer rows",
      ], "\(broken)")
    #expect(broken["pragmas are set as asked"]?.contains("cache_size") == true)
    #expect(broken["the last transaction may have fewer rows"] == "with save_every: 7, found 1 transaction; expected 6")
    #expect(broken["under error an earlier row stays"]?.contains("UNIQUE constraint failed") == true)
    #expect(broken.values.allSatisfy { !$0.contains("\n") })
  }

  @Test("Faults are also found in a program with an unmetered SQLite")
  func unmetered() throws {
    let program = try PythonProgram.faulty(
      """
      def open(self):
          self.job["pragmas"] = [one for one in self.job["pragmas"] if one["name"] != "synchronous"]
          super().open()
      """,
      module: """
        if os.environ.pop("LD_PRELOAD", None): os.execv(sys.executable, [sys.executable] + sys.argv)
        strategies[:] = strategies[:1]
        """)
    let broken = try broken(program)
    #expect(broken["each row may have a transaction of its own"]?.contains("synchronous") == true, "\(broken)")
  }

  @Test("Each broken rule about rows that are already stored is named, with what was found")
  func stored() throws {
    let fetch = try PythonProgram.faulty(
      """
      def fetch(self):
          rows = super().fetch()
          if self.job.get("limit"): rows = rows[:-1]
          return rows
      def values(self, row):
          return [2.0 ** 53 if value == 2 ** 53 + 1 else value for value in row]
      """, module: "strategies[:] = [one for one in strategies if one['operation'] == 'fetch']")
    let unread = try broken(fetch, .fetch)
    let wrong = [
      "fetched as stored: 64-bit integers are stored to their ends", "a page of the rows is read",
      "the last page may have fewer rows",
    ]
    #expect(Set(unread.keys) == Set(wrong), "\(unread)")
    #expect(
      unread["a page of the rows is read"]
        == "found 19 rows in its answer to 'go'; expected 20, the rows that it was to read")
    let update = try PythonProgram.faulty(
      """
      def pieces(self, rows):
          return [rows]
      def bound(self, name):
          return [3 if value == 0.1 else value for value in super().bound(name)]
      """,
      module: "strategies[:] = [one for one in strategies if one['operation'] == 'update' and one['name'] == 'save']")
    #expect(
      Set(try broken(update, .update).keys) == [
        "an update gives doubles", "each updated row may have a transaction of its own",
        "the last transaction of an update may have fewer rows",
      ])
  }

  @Test(
    "A program that does not end, dies of what it does not know and takes a store that is not there breaks those rules")
  func conduct() throws {
    let program = try PythonProgram.faulty(
      module: """
        def answer(line):
            if "no_such_request" in line: sys.exit(1)
            if "/dev/null/" in line: return '{"ready": {}}'
            if "close" in line: return '{"closed": 1}'
            return json.dumps(batchmark_engine.hello("faulty", "1", strategies, sqlite3.connect(":memory:")))
        requests = os.fdopen(3, "r")
        while True:
            line = requests.readline()
            if line: say(answer(line) + "\\n")
            else: time.sleep(0.05)
        """)
    let definition = try program.definition()
    let problems = ProgramConduct.allCases.map { $0.problem(of: definition) }
    #expect(problems[0] == nil)
    #expect(problems[1] == "the program ended with status 1 during 'no_such_request'; expected an answer")
    #expect(problems[2] == #"found "{\"ready\": {}}" as the answer to 'open'; expected 'error'"#)
    #expect(problems[3] == "it was still there 5 s after it had answered 'close'; expected it to end")
    #expect(problems[4] == "it was still there 5 s after its descriptor 3 was closed; expected it to end")
  }

  @Test("A hello without a required key is refused by its reader and by the schema; other keys are optional")
  func schema() throws {
    var whole = try PythonProgram.sqlite3().definition().hello
    whole.heap = .managed
    let encoded = try JSONEncoder().encode(whole)
    let hello = try #require(JSONSerialization.jsonObject(with: encoded) as? [String: Any])
    let described = try #require(ProgramProtocol.schema.oneOf.first { $0.properties["strategies"] != nil })
    let strategy = try #require(described.properties["strategies"]?.items.first)
    #expect(Set(described.properties.keys) == Set(hello.keys))
    func isRead(_ hello: [String: Any]) throws -> Bool {
      let data = try JSONSerialization.data(withJSONObject: hello)
      return (try? JSONDecoder().decode(ProgramHello.self, from: data)) != nil
    }
    for key in described.properties.keys {
      var damaged = hello
      damaged[key] = nil
      #expect(try isRead(damaged) == !described.required.contains(key), "\(key)")
    }
    let strategies = try #require(hello["strategies"] as? [[String: Any]])
    for key in strategies[0].keys {
      #expect(strategy.properties[key] != nil)
      var (damaged, one) = (hello, strategies[0])
      one[key] = nil
      damaged["strategies"] = [one]
      #expect(try isRead(damaged) == !strategy.required.contains(key), "\(key)")
    }
  }

  @Test("A program that warms up gets separate stores, which are removed before it is ready")
  func warmUp() throws {
    let program = try PythonProgram.faulty(
      """
      def insert(self, key):
          with open(os.path.dirname(os.path.dirname(self.job["store"])) + "/stores", "a") as file:
              file.write("%d rows from %d in %s\\n" % (len(self.rows), key, os.path.basename(self.job["store"])))
          return super().insert(key)
      """, module: "strategies[0]['warm_up'] = {'rows': 20, 'repeats': 3}")
    let sample = try program.sample()
    #expect(sample.contents.rows == 60)
    #expect(sample.engineNotes?.contains("it warmed up with 20 rows, 3 times") == true, "\(sample.engineNotes ?? [])")
    let stores = try String(contentsOfFile: program.folder + "/stores", encoding: .utf8)
    let expected = (1...3).map { "20 rows from 1 in store.sqlite.warm-up-\($0)" } + ["60 rows from 1 in store.sqlite"]
    #expect(stores.split(separator: "\n").map(String.init) == expected)
    let left = try FileManager.default.subpathsOfDirectory(atPath: program.folder).filter { $0.contains("warm-up") }
    #expect(left.isEmpty, "\(left)")
    let refused = try PythonProgram.faulty(module: "strategies[0]['warm_up'] = {'rows': 0, 'repeats': 3}")
    let error = #expect(throws: ProgramError.self) { try refused.definition() }
    #expect(error?.description.contains("a warm-up of 0 rows, 3 times; expected 1 to 1000000 rows") == true)
  }
}
