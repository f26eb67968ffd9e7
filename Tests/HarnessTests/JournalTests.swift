// The journal: it can be read back, however the run that wrote it ended.
import Analysis
import BatchmarkEngine
import Foundation
import Harness
import Programs
import HarnessFixtures
import Instruments
import MissionTags
import Support
import Testing

@Suite("A6 · the journal", .tags(.a6))
struct JournalTests {
  private let folder: TemporaryFolder
  private let plan: RunPlan

  init() throws {
    folder = try TemporaryFolder()
    plan = Harness.RunPlan(scenarios: [planned(try scenario())], seed: .max, isQuick: false)
  }

  private var file: String { folder.path + "/" + Journal.fileName }

  /// Writes two samples and a failure, and closes the journal.
  private func write() throws {
    let journal = try Journal.create(in: folder.path, header: header(plan))
    try journal.append(.sample(sample("a", .memory, metrics: [.heapPeak: .max])))
    try journal.append(.failure(failure("b", reason: "it \"failed\"\nbadly · ü")))
    try journal.append(.sample(sample("a", wall: 0.1)))
  }

  @Test("Header and entries are read back as they were written")
  func roundTrip() throws {
    try write()
    let contents = try JournalContents(directory: folder.path)
    #expect(contents.header == header(plan))
    #expect(contents.header.seed == .max)
    let ledger = RunLedger(contents.outcomes)
    #expect(ledger.samples.map(\.pass) == [.memory, .timing])
    #expect(ledger.samples.first?.phases.first?.metrics == [.heapPeak: .max])
    #expect(ledger.samples.last?.phases.first?.wallSeconds == 0.1)
    #expect(ledger.failures == [failure("b", reason: "it \"failed\"\nbadly · ü")])
    #expect(try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").count == 4)
  }

  @Test("A journal of an earlier version is resumed, and its lines stay unchanged")
  func kept() throws {
    let kept = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Kept/journal.jsonl")
    try FileManager.default.copyItem(at: kept, to: URL(fileURLWithPath: file))
    let (journal, contents) = try Journal.resume(in: folder.path)
    #expect(contents.header.build.version == "0.2.0" && contents.header.scenarios.map(\.name) == ["small"])
    let ledger = RunLedger(contents.outcomes)
    #expect(
      ledger.samples.map(\.key) == [
        SampleKey(cell: "small/objectgraph/batch-objects", pass: .counters, round: 1),
        SampleKey(cell: "small/objectgraph/batch-managed-object", pass: .timing, round: 1),
      ])
    #expect(ledger.samples.first?.growth.map(\.rows) == [1, 50])
    #expect(ledger.samples.first?.phases.first { $0.phase == .ingest }?.metrics[.statements] == 54)
    #expect(ledger.samples.last?.phases.first { $0.phase == .ingest }?.wallSeconds == 0.007550251)
    #expect(ledger.failures.map(\.key) == [SampleKey(cell: "small/objectgraph/save", pass: .memory, round: 1)])
    #expect(ledger.failures.first?.reason == "found \"aé/b\"; expected text that matches (a+)+$")
    #expect(ledger.seconds.count == 3 && contents.outcomes.last?.seconds == 0.262781325)
    for outcome in contents.outcomes { try journal.append(outcome) }
    let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").dropFirst()
    // Only the names of some metrics have changed.
    let before = lines.prefix(3).map { (line: Substring) -> String in
      line.replacing("heap_peak_rest_bytes", with: "heap_peak_non_sqlite_bytes")
        .replacing("wal_generations", with: "wal_restarts").description
    }
    let after = lines.suffix(3).map { String($0) }
    #expect(lines.count == 6)
    for (one, other) in zip(before, after) {
      // Names determine the order of keys.
      let old = try JSONSerialization.jsonObject(with: Data(one.utf8)) as? NSDictionary
      let new = try JSONSerialization.jsonObject(with: Data(other.utf8)) as? NSDictionary
      #expect(old != nil && old == new)
    }
  }

  @Test("A pipe or a folder is refused as a journal and not waited for", .timeLimit(.minutes(10)))
  func noFile() throws {
    try #require(mkfifo(file, 0o600) == 0)
    #expect(throws: JournalError.unreadable(path: file, reason: "it is no plain file")) {
      try Journal.resume(in: folder.path)
    }
    #expect(throws: JournalError.unreadable(path: file, reason: "it is a named pipe and no plain file")) {
      try JournalContents(directory: folder.path)
    }
  }
}

extension JournalTests {
  @Test("An endlessly nested line counts as damaged, and is not followed")
  func nesting() throws {
    try write()
    let text = try String(contentsOfFile: file, encoding: .utf8)
    try HarnessFixtures.write(text + "{\"a\":" + String(repeating: "[", count: 100_000) + "\n", to: file)
    #expect(throws: JournalError.damaged(path: file, line: 5, reason: "values nested more than 256 deep")) {
      try JournalContents(directory: folder.path)
    }
  }

  @Test("A file's fingerprint hashes its 64-bit words, even over several blocks")
  func fingerprint() throws {
    let bytes = (0..<(1 << 20) + 13).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ $0 >> 9) }
    try Data(bytes).write(to: URL(fileURLWithPath: folder.path + "/file"))
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    func add(_ value: UInt64) { hash = (hash ^ value) &* 0x100_0000_01b3 }
    let words = bytes.count / 8
    for word in 0..<words { add(bytes[word * 8..<word * 8 + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }) }
    for byte in bytes[(words * 8)...] { add(UInt64(byte)) }
    let digits = String(hash, radix: 16)
    #expect(Fingerprint.ofFile(folder.path + "/file") == String(repeating: "0", count: 16 - digits.count) + digits)
    #expect(Fingerprint.ofFile(folder.path) == nil)
  }

  @Test("A last line torn at any byte is dropped, and the next line is whole again")
  func torn() throws {
    try write()
    let whole = try Data(contentsOf: URL(fileURLWithPath: file))
    let lastLine = try #require(whole.dropLast().lastIndex(of: UInt8(ascii: "\n"))) + 1
    for length in lastLine..<whole.count {
      try whole.prefix(length).write(to: URL(fileURLWithPath: file))
      do {
        let (journal, contents) = try Journal.resume(in: folder.path)
        #expect(contents.outcomes.count == 2)
        #expect(contents.completeBytes == lastLine)
        try journal.append(.failure(failure("c")))
      }
      let contents = try JournalContents(directory: folder.path)
      #expect(contents.outcomes.count == 3)
      #expect(RunLedger(contents.outcomes).failures.map(\.cell) == ["b", "c"])
    }
  }

  @Test("A damaged line in the middle is named")
  func damaged() throws {
    try write()
    var lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map(String.init)
    lines[2] = "{\"sample\": 3}"
    try (lines.joined(separator: "\n") + "\n").write(toFile: file, atomically: true, encoding: .utf8)
    #expect(throws: JournalError.damaged(path: file, line: 3, reason: "an unreadable line")) {
      try JournalContents(directory: folder.path)
    }
    lines[2] = "{}"
    try (lines.joined(separator: "\n") + "\n").write(toFile: file, atomically: true, encoding: .utf8)
    #expect(throws: JournalError.damaged(path: file, line: 3, reason: "an empty object")) {
      try JournalContents(directory: folder.path)
    }
    lines[2] = lines[0]
    try (lines.joined(separator: "\n") + "\n").write(toFile: file, atomically: true, encoding: .utf8)
    #expect(throws: JournalError.damaged(path: file, line: 3, reason: "a second header")) {
      try JournalContents(directory: folder.path)
    }
  }
}

extension JournalTests {
  @Test("An impossible figure is reported with its line")
  func excess() throws {
    try write()
    let contents = try JournalContents(directory: folder.path)
    let found = try #require(contents.excessiveFigure)
    #expect(found.line == 2 && found.figure.place == "a" && found.figure.value == .max)
  }
}

extension JournalTests {
  @Test("A journal that ends within its header holds no run")
  func headerless() throws {
    try write()
    let whole = try Data(contentsOf: URL(fileURLWithPath: file))
    for length in [0, 1, 100] {
      try whole.prefix(length).write(to: URL(fileURLWithPath: file))
      #expect(throws: JournalError.empty(path: file)) { try Journal.resume(in: folder.path).1 }
    }
    try Data("hello\n".utf8).write(to: URL(fileURLWithPath: file))
    #expect(throws: JournalError.damaged(path: file, line: 1, reason: "no header")) {
      try JournalContents(directory: folder.path)
    }
  }

  @Test("A later format is refused by its number, whatever else its header has")
  func format() throws {
    try Data("{\"header\": {\"format\": 9}}\n".utf8).write(to: URL(fileURLWithPath: file))
    #expect(throws: JournalError.format(path: file, found: 9)) { try JournalContents(directory: folder.path) }
  }

  @Test("A missing journal, a missing folder and a second journal are refused")
  func missing() throws {
    #expect {
      try Journal.resume(in: folder.path).1
    } throws: { error in
      if case .unreadable = error as? JournalError { true } else { false }
    }
    #expect {
      try Journal.create(in: folder.path + "/none", header: header(plan))
    } throws: { error in
      if case .notBegun = error as? JournalError { true } else { false }
    }
    try write()
    #expect {
      try Journal.create(in: folder.path, header: header(plan))
    } throws: { error in
      if case .notBegun = error as? JournalError { true } else { false }
    }
  }

  @Test("Two runs cannot write one journal")
  func locked() throws {
    let journal = try Journal.create(in: folder.path, header: header(plan))
    #expect(throws: JournalError.inUse(path: journal.path)) { try Journal.resume(in: folder.path).1 }
  }
}

@Suite("A6 · resuming only the same run", .tags(.a6))
struct ResumingTests {
  @Test("The same plan and build can resume")
  func same() throws {
    let plan = plan(try scenario())
    #expect(header(plan).obstacle(toResuming: plan, build: build()) == nil)
  }

  @Test("Another version, build, scenario or selection is refused with the reason")
  func other() throws {
    let before = header(plan(try scenario()))
    let same = plan(try scenario())
    func obstacle(_ plan: RunPlan, _ build: BuildIdentity) -> String {
      before.obstacle(toResuming: plan, build: build) ?? ""
    }
    #expect(obstacle(same, build("def")).contains("rebuilt"))
    var version = build()
    version.version = "2.0.0"
    #expect(obstacle(same, version).contains("version 1.0.0, and this is 2.0.0"))
    var debug = build()
    debug.configuration = "debug"
    #expect(obstacle(same, debug).contains("release build, and this is a debug build"))
    #expect(obstacle(plan(try scenario(fingerprint: "beef")), build()).contains("quakes (quakes.yml) was changed"))
    var otherFeed = planned(try scenario())
    otherFeed.sourceFingerprint = "beef"
    let fed = RunPlan(scenarios: [otherFeed], seed: same.seed, isQuick: false)
    #expect(obstacle(fed, build()).contains("source of scenario quakes was changed"))
    #expect(obstacle(plan(try scenario("moons")), build()).contains("were quakes, and now they are moons"))
    #expect(obstacle(plan(try scenario(rounds: 5)), build()).contains("cells or rounds"))
    #expect(obstacle(plan(try scenario(strategies: ["save"])), build()).contains("cells or rounds"))
  }

  @Test(
    "A program is another engine if its description, command or variables differ, or if it is missing",
    .tags(.a13))
  func programs() throws {
    let plan = plan(try scenario())
    var before = header(plan)
    let program = try JSONDecoder().decode(
      ProgramDefinition.self,
      from: Data(
        """
        {"name": "snake", "path": "/bin/snake", "words": ["snake"], "environment": {},
         "hello": {"hello": 1, "engine": "snake", "version": "1", "runtime": "x", "strategies": []}}
        """.utf8))
    before.programs = [program]
    var other = program
    other.hello.version = "2"
    func obstacle(_ programs: ProgramDefinition...) -> String? {
      before.obstacle(toResuming: plan, build: build(), programs: programs)
    }
    #expect(obstacle(program) == nil)
    #expect(obstacle(other)?.contains("snake describes itself otherwise") == true)
    var started = [program, program, program]
    started[0].path = "/opt/snake"
    started[1].words.append("--fast")
    started[2].environment["CACHE"] = "off"
    for program in started {
      #expect(
        obstacle(program)?.contains("snake has another command or other variables than when it was started") == true)
    }
    var known = program
    known.files = ["/bin/snake": "f00d", "/opt/snake.py": "cafe"]
    var edited = known
    edited.files?["/opt/snake.py"] = "beef"
    // The files of an earlier version's run are unknown.
    #expect(obstacle(known) == nil)
    before.programs = [known]
    #expect(obstacle(known) == nil)
    #expect(
      obstacle(edited)
        == "the program of the engine snake was changed since it was started, in /opt/snake.py; start a new run in another folder, named by --out"
    )
    before.programs = [program]
    // The paths of commands depend on the machine.
    var moved = program
    moved.environment["PATH"] = "/bin"
    #expect(obstacle(moved) == nil)
    #expect(obstacle()?.contains("snake is not here; give the file of engines with --engines") == true)
  }
}
