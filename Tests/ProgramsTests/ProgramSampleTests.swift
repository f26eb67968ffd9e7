// Samples of programs: the stored rows are verified, and each failure is one sentence.
import BatchmarkEngine
import Foundation
import Harness
import Instruments
import MissionTags
import Programs
import Scenarios
import Testing

@Suite("A13 · programs", .tags(.a13), .enabled(if: PythonProgram.isPossible, PythonProgram.missing))
struct ProgramSampleTests {
  @Test("A program's rows are verified, and its time is taken", arguments: ["save", "batch"])
  func sound(strategy: String) throws {
    let program = try PythonProgram.sqlite3()
    let sample = try program.sample(strategy: strategy, rows: 500)
    #expect(sample.contents.rows == 500)
    let ingest = try #require(sample.phases.first { $0.phase == .ingest })
    #expect(ingest.rows == 500)
    #expect(try #require(ingest.wallSeconds) > 0)
    let seconds = try #require(ingest.cpuSeconds)
    #expect(seconds > 0)
    #expect(sample.pragmas.contains { $0.name == "journal_mode" && $0.value == "wal" })
    #expect(sample.engineNotes?.first?.hasPrefix("sqlite3 ") == true)
    let hello = try program.definition().hello
    #expect(sample.programVersion == "sqlite3 \(hello.version) on \(hello.runtime)")
    let library = try #require(hello.sqlite)
    #expect(sample.programSQLite == "\(library.version), \(library.sourceID ?? "")")
  }

  @Test("A folder may have any name, even with characters that are special in URIs")
  func oddFolder() throws {
    let program = try PythonProgram.sqlite3(in: "a#b%41 c?d=e&f;g")
    #expect(try program.sample().contents.rows == 60)
  }

  @Test("Interference with a program includes all of its threads")
  func threads() throws {
    let program = try PythonProgram.faulty(
      """
      def insert(self, key):
          import threading
          done, never = threading.Event(), threading.Event()
          def sleep():
              for _ in range(2000): time.sleep(0.00001)
              done.set()
              never.wait()
          threading.Thread(target=sleep, daemon=True).start()
          done.wait()
          return super().insert(key)
      """)
    let ingest = try #require(program.sample().phases.first { $0.phase == .ingest })
    #expect(try #require(ingest.interference).voluntarySwitches >= 2000)
  }

  @Test("The processor time of a program includes its child processes that it has not waited for")
  func helpers() throws {
    let program = try PythonProgram.faulty(
      """
      def insert(self, key):
          code = "import time; any(time.process_time() > 0.3 for _ in iter(int, 1)); print(1, flush=True); time.sleep(60)"
          self.helper = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
          self.helper.stdout.readline()
          return super().insert(key)
      """)
    let ingest = try #require(try program.sample().phases.first { $0.phase == .ingest })
    #expect(try #require(ingest.cpuSeconds) > 0.25)
  }

  @Test("The process with the open store is measured, and not a script that waits for it")
  func script() throws {
    let engine = "\(PythonProgram.helperFolder)/sqlite3_engine.py"
    let program = try PythonProgram(
      ProgramDeclaration(name: "script", command: ["sh", "-c", "python3 \"$0\"; true", engine]))
    let ingest = try #require(program.sample(rows: 500).phases.first { $0.phase == .ingest })
    #expect(try #require(ingest.cpuSeconds) > 0)
  }

  @Test("Rows that are ingested again are sent to the program again")
  func repeats() throws {
    let sample = try PythonProgram.sqlite3().sample(more: "repeat: 2")
    #expect(sample.contents.rows == 60 && sample.contents.versions == [2: 60])
  }

  @Test("Output of a program does no harm")
  func prints() throws {
    let program = try PythonProgram.faulty(
      """
      def insert(self, key):
          for _ in range(2000): print("x" * 100)
          sys.stdout.flush()
          return super().insert(key)
      """)
    #expect(try program.sample().contents.rows == 60)
  }

  /// A fault, and words of its sentence.
  struct Fault: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let methods: String
    let sentence: String
    var limit = 60.0
  }

  static let faults = [
    Fault(
      testDescription: "a wrong number of rows",
      methods: "def insert(self, key): return super().insert(key) - 1",
      sentence: "the engine python: found 59 rows in its answer to 'go'; expected 60"),
    Fault(
      testDescription: "partial rows",
      methods: "def insert(self, key):\n    self.rows.pop()\n    return super().insert(key) + 1",
      sentence: "the store holds 59 rows; expected 60"),
    Fault(
      testDescription: "an early done",
      methods:
        "late = False\ndef insert(self, key): self.late = True; return 60\n"
        + "def checkpoint(self):\n    if self.late: super().insert(1)\n    super().checkpoint()",
      sentence: "when the phase ingest had ended, "),
    Fault(
      testDescription: "it dies", methods: "def insert(self, key): print('no luck', flush=True); os._exit(7)",
      sentence: "ended with status 7 during 'go'; expected an answer; it printed \"no luck\""),
    Fault(
      testDescription: "a signal", methods: "def insert(self, key): os.kill(os.getpid(), 11)",
      sentence: "ended by signal 11 during 'go'"),
    Fault(
      testDescription: "it hangs", methods: "def insert(self, key): time.sleep(60)",
      sentence: "no answer to 'go' within 3 s", limit: 3),
    Fault(
      testDescription: "malformed JSON", methods: "def insert(self, key): say('{\"done\": 60\\n'); time.sleep(60)",
      sentence: "found \"{\\\"done\\\": 60\" as the answer to 'go'; expected an object of JSON on one line"),
    Fault(
      testDescription: "a missing key", methods: "def insert(self, key): say('{\"done\": {}}\\n'); time.sleep(60)",
      sentence: "expected the key 'done.rows'"),
    Fault(
      testDescription: "another answer", methods: "def insert(self, key): say('{\"closed\": 1}\\n'); time.sleep(60)",
      sentence: "as the answer to 'go'; expected 'done'"),
    Fault(
      testDescription: "a flood", methods: "def insert(self, key):\n    while True: say('x' * 65536)",
      sentence: "found a line of more than 1 MiB as the answer to 'go'"),
    Fault(
      testDescription: "a clock that is ahead",
      methods: "def insert(self, key): say('{\"done\": {\"rows\": 60, \"seconds\": 99}}\\n'); time.sleep(60)",
      sentence: "its own clock says 99 s; expected at most"),
    Fault(
      testDescription: "a clock that is behind",
      methods: "def insert(self, key): say('{\"done\": {\"rows\": 60, \"seconds\": -0.5}}\\n'); time.sleep(60)",
      sentence: "its own clock says -0.5 s; expected 0 to"),
    Fault(
      testDescription: "a clock of no time there is",
      methods: "def insert(self, key): say('{\"done\": {\"rows\": 60, \"seconds\": 1e19}}\\n'); time.sleep(60)",
      sentence: "its own clock says 1e+19 s; expected at most"),
    Fault(
      testDescription: "an error of its own", methods: "def insert(self, key): raise ValueError('no such thing')",
      sentence: "answered 'go' with an error: ValueError: no such thing"),
    Fault(
      testDescription: "rows before the phase",
      methods: "def open(self):\n    super().open()\n    super().insert(1)", sentence: "ZQUAKE"),
  ]

  @Test("Each fault of a program is reported in one sentence", arguments: faults)
  func fault(_ fault: Fault) throws {
    let program = try PythonProgram.faulty(fault.methods)
    let error = #expect(throws: (any Error).self) {
      try program.sample(limits: ProgramLimits(work: fault.limit))
    }
    let sentence = error.map { "\($0)" } ?? ""
    #expect(sentence.contains(fault.sentence), "\(sentence)")
    #expect(!sentence.contains("\n"))
  }

  @Test("Processes that a program started end with its session")
  func group() throws {
    let program = try PythonProgram.faulty(
      """
      def insert(self, key):
          child = subprocess.Popen(["sleep", "300"])
          with open(self.job["store"] + "-child", "w") as file: file.write(str(child.pid))
          os.rename(self.job["store"] + "-child", os.path.dirname(os.path.dirname(self.job["store"])) + "/child")
          return super().insert(key)
      """)
    _ = try program.sample()
    let number = try String(contentsOfFile: program.folder + "/child", encoding: .utf8)
    // Its new parent may not have waited for it yet.
    let status = (try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8)) ?? ""
    #expect(status.isEmpty || status.contains(") Z "), "\(status)")
  }
}

extension ProgramSampleTests {
  /// Takes a sample of rows with an attribute of this name.
  private func sample(withAttribute name: String) throws -> Sample {
    let program = try PythonProgram.sqlite3()
    return try ProgramEngine(program.definition()).sample("save", rows: 60, in: program.folder) {
      $0.replacing("magnitude:", with: "\(name):").replacing(
        "{generate: {rows: 60}}",
        with: "{synthetic: {entities: {Quake: {rows: 60, attributes: {code: {}, \(name): {}, place: {}, time: {}}}}}}")
    }
  }

  @Test(
    "An attribute may not hide the rows' order, by which programs read them",
    arguments: ["rowid", "rowID"])
  func rowNumber(name: String) throws {
    let error = #expect(throws: ProgramError.self) { try sample(withAttribute: name) }
    #expect(error?.problem == .rowNumber(attribute: name))
    #expect(error?.description.contains("found the attribute '\(name)'; expected another name") == true)
  }

  @Test("An attribute with another of SQLite's names for the order is stored like any other")
  func otherNumber() throws {
    #expect(try sample(withAttribute: "oid").contents.rows == 60)
  }
}
