// The counts of the meter, and that programs behave the same with it: threads, children, names of VFS, configuration,
// tracers.
internal import Analysis
internal import Foundation
internal import MissionTags
internal import Reports
internal import StoreFixtures
internal import Testing

#if os(Linux)
  @Suite("A14 · the meter in programs of others", .tags(.a14, .a4))
  struct WatchMeterTests {
    private static let insert = "INSERT INTO item (owner, name, size) VALUES (?, …)"

    @Test(
      "The program writes the same output, ends with the same status and stores the same rows as without it",
      arguments: [
        ["configured"], ["forked"], ["traced"], ["programs"], ["own-vfs"], ["threads"], ["plans"],
        ["names", "unix-excl"], ["changes"],
      ])
    func same(words: [String]) async throws {
      let (alone, expected) = try await WatchedProbe.alone(words[0], words.dropFirst().first ?? "")
      let probe = try await WatchedProbe(words[0], words.dropFirst().first ?? "")
      #expect(probe.result.status == expected.status && probe.result.output == expected.output)
      #expect(
        probe.workspace.names(in: "stores") == alone.names(in: "stores"), "\(probe.result.errors)")
    }

    @Test("SQLite can be configured, shut down and used again as without the meter, which counts both uses")
    func configured() async throws {
      let probe = try await WatchedProbe("configured")
      // SQLite returns MISUSE, 21, after initialization.
      #expect(probe.result.output == "0 21 0 0\n")
      #expect(try probe.database().connections == 2)
      #expect(try probe.statement("DELETE FROM item").rowsChanged == 10)
    }

    @Test("Eight threads that write are counted to the row")
    func threads() async throws {
      let probe = try await WatchedProbe("threads")
      let report = try probe.report()
      #expect(report.databases.count == 8 && report.processes.map(\.threads) == [8])
      let insert = try probe.statement(Self.insert)
      #expect(insert.runs == 8000 && insert.rowsChanged == 8000 && insert.preparations == 8)
      for number in 0..<8 { #expect(try probe.database("store-\(number).db").rowsChanged == 1000) }
      // Each thread has a connection to its own database.
      #expect(report.connections.count == 8 && Set(report.connections.map(\.thread)).count == 8)
      #expect(Set(report.connections.map(\.database)).count == 8 && Set(report.connections.map(\.process)).count == 1)
      // Two pragmas, a table, BEGIN, the rows and COMMIT.
      #expect(report.connections.allSatisfy { $0.opened == 1 && $0.statements == 1005 && $0.unfinalized == 0 })
    }

    @Test("A forked child has its own counters, apart from its parent's")
    func forked() async throws {
      let probe = try await WatchedProbe("forked")
      #expect(probe.result.output == "3\n")
      let report = try probe.report()
      #expect(report.processes.map(\.isFork) == [false, true])
      #expect(try probe.database().rowsChanged == 20 && probe.database("child.db").rowsChanged == 20)
      #expect(report.connections.map(\.process) == report.processes.map(\.number))
      #expect(report.connections.map(\.opened) == [1, 1])
    }

    @Test(
      "A program that names one of SQLite's own VFSs is metered",
      arguments: [
        ("names", "unix"), ("names", "unix-excl"), ("names", "unix-dotfile"), ("names", "unix-none"),
        ("uri", "unix-excl"),
      ])
    func names(kind: String, vfs: String) async throws {
      let probe = try await WatchedProbe(kind, vfs)
      #expect(probe.result.status == 0, "\(probe.result.errors)")
      #expect(try probe.database().rowsChanged == 10 && probe.database().file.bytesWritten > 0)
      #expect(try probe.report().gaps.isEmpty)
    }

    @Test("A VFS of the program on top of SQLite's is metered below it")
    func ownVFS() async throws {
      let probe = try await WatchedProbe("own-vfs")
      #expect(probe.result.status == 0)
      #expect(try probe.database().wal.bytesWritten > 0 && probe.report().gaps.isEmpty)
    }

    @Test("Triggers and foreign keys do not count as runs of the statement that causes them")
    func programs() async throws {
      let probe = try await WatchedProbe("programs")
      let insert = try probe.statement("INSERT INTO a (id) VALUES (?)")
      // Each row, and the row that its trigger stores.
      #expect(insert.runs == 200 && insert.rowsChanged == 400)
      let delete = try probe.statement("DELETE FROM a WHERE id <= ?")
      #expect(delete.runs == 1 && delete.rowsChanged == 200)
      #expect(try probe.database().pragmas["foreign_keys"] == "on")
    }

    @Test("The program's own tracer is called as often as without the meter")
    func traced() async throws {
      let (_, alone) = try await WatchedProbe.alone("traced")
      let probe = try await WatchedProbe("traced")
      #expect(probe.result.output == alone.output && alone.output != "0\n")
      #expect(try probe.statement(Self.insert).runs == 200 && probe.report().gaps.isEmpty)
    }

    @Test("The bytes of the WAL are those of its file")
    func logBytes() async throws {
      let probe = try await WatchedProbe("ends", "kill")
      let file = probe.workspace.path + "/stores/store.db-wal"
      let size = try FileManager.default.attributesOfItem(atPath: file)[.size] as? NSNumber
      let database = try probe.database()
      #expect(database.wal.bytesWritten == size?.int64Value && database.walPeakBytes == size?.int64Value)
    }

    @Test("Transactions are counted by how they got the write lock", arguments: ["wal", "delete"])
    func kinds(mode: String) async throws {
      let probe = try await WatchedProbe("kinds", mode)
      let transactions = try probe.database().transactions
      func figures(_ kind: WatchReport.Transactions.Kind) -> [Int64] {
        transactions.first { $0.kind == kind }.map { [$0.begun, $0.committed] } ?? []
      }
      // One of the statements makes the table, and one turns on the log.
      let single: Int64 = mode == "wal" ? 6 : 5
      #expect(figures(.autocommit) == [single, single] && figures(.deferred) == [3, 3])
      #expect(figures(.immediate) == [2, 2] && figures(.exclusive) == [1, 0] && figures(.unknown).isEmpty)
      #expect(transactions.allSatisfy { $0.heldSeconds ?? 0 > 0 && $0.longestHeldSeconds ?? 1 <= $0.heldSeconds ?? 0 })
      let alone = try await WatchedProbe("kinds", mode, options: ["--no-statements"])
      #expect(try alone.database().transactions.map(\.kind) == [.unknown])
    }

    @Test("Checkpoints are counted by mode, with what held them up")
    func modes() async throws {
      let probe = try await WatchedProbe("modes")
      let database = try probe.database()
      func figures(_ mode: WatchReport.Checkpoints.Mode) -> [Int64] {
        database.checkpointsByMode.first { $0.mode == mode }.map { [$0.runs, $0.leftForReader, $0.leftForWriter] } ?? []
      }
      // With a reader in the way, a restart or truncate looks like a full checkpoint; with a writer in the way, like a
      // passive one.
      #expect(figures(.passive) == [3, 1, 1] && figures(.full) == [4, 3, 0])
      #expect(figures(.restart) == [1, 0, 0] && figures(.truncate) == [1, 0, 0] && figures(.closing) == [1, 0, 0])
      let process = try #require(try probe.report().processes.first)
      #expect(database.heldBackReader?.process == process.number && database.heldBackReader?.thread == process.number)
      #expect(database.heldBackElsewhere == 0)
      let page = try probe.workspace.text(of: "out/watch.md")
      #expect(page.contains("thread \(process.number) of process \(process.number)"), "\(page)")
    }

    @Test("A reader of another process that holds up checkpoints is reported as one")
    func reader() async throws {
      let probe = try await WatchedProbe("reader")
      let database = try probe.database()
      #expect(database.heldBackElsewhere == 3 && database.heldBackReader == nil)
      #expect(try probe.workspace.text(of: "out/watch.md").contains("3 times a reader of another process"))
    }

    @Test("The growth of the WAL is recorded over time and drawn")
    func growth() async throws {
      let probe = try await WatchedProbe("long-reader", "flaw")
      let database = try probe.database()
      let growth = database.walGrowth
      #expect(growth.count > 1 && growth.count <= 64)
      #expect(growth.map(\.highestBytes).max() == database.walPeakBytes && database.walPeakBytes > 0)
      #expect(growth.map(\.seconds) == growth.map(\.seconds).sorted())
      // With a reader in the way the log only grows, until the last connection deletes it.
      #expect(growth.map(\.highestBytes).dropLast() == growth.map(\.highestBytes).dropLast().sorted()[...])
      #expect(growth.last?.lastBytes == 0)
      #expect(probe.workspace.exists("out/charts/watch-wal.svg"))
      let page = try probe.workspace.text(of: "out/watch.md")
      #expect(page.contains("![Growth of the WAL](charts/watch-wal.svg)"))
      #expect(try probe.workspace.text(of: "out/wal.csv").split(separator: "\r\n").count == growth.count + 1)
    }

    @Test("The recorded growth includes all that the program did, however short it ran")
    func growthToTheEnd() async throws {
      let probe = try await WatchedProbe("long-reader", "flaw")
      let last = try #require(try probe.report().growth.last)
      let databases = try probe.report().databases
      #expect(last.commits == databases.reduce(0) { $0 + $1.commits } && last.commits > 0)
      #expect(last.rowsChanged == databases.reduce(0) { $0 + $1.rowsChanged } && last.rowsChanged > 0)
      #expect(last.residentBytes == nil)
    }

    @Test("Resident memory is sampled while the program runs, and drawn")
    func memory() async throws {
      let workspace = try Workspace()
      let result = try await Program.batchmark.run(
        ["watch", "--out", "out", "--", "sleep", "1"], in: workspace.path)
      #expect(result.status == 0)
      let growth = try workspace.watchReport().growth
      // At the last look the program may have ended and have no memory.
      #expect(growth.compactMap(\.residentBytes).count { $0 > 0 } > 1, "\(growth)")
      // The system counts watch's own memory as memory of the program that it starts; `sleep` has less than 4 MB.
      let peak = try #require(try workspace.watchReport().residentPeakBytes)
      #expect(peak < 8 << 20)
      #expect(workspace.exists("out/charts/watch-memory.svg"))
    }

    @Test("Each statement has its plan, unless the program limits by callback what statements may do")
    func plans() async throws {
      let probe = try await WatchedProbe("plans")
      func plan(_ text: String) throws -> [String] {
        try probe.statement(text).plan?.split(separator: "\n").map(String.init) ?? []
      }
      #expect(try plan("SELECT name FROM item WHERE id = ?") == ["SEARCH item USING INTEGER PRIMARY KEY (rowid=?)"])
      let steps = try plan(
        "SELECT owner, count(*) FROM item WHERE size > ? AND id IN (SELECT owner FROM item) GROUP BY owner ORDER BY ?")
      #expect(steps.first == "SEARCH item USING INTEGER PRIMARY KEY (rowid=?)" && steps.contains("  SCAN item"))
      #expect(steps.contains("USE TEMP B-TREE FOR GROUP BY") && steps.contains("USE TEMP B-TREE FOR ORDER BY"))
      // An argument of a virtual table can be a value.
      let words = try plan("SELECT text FROM word WHERE word MATCH ?")
      #expect(words == ["SCAN word VIRTUAL TABLE INDEX 0"])
      #expect(try plan("SELECT size FROM item WHERE name = ?").isEmpty)
      #expect(try plan("PRAGMA user_version = ?").isEmpty)
      let page = try probe.workspace.text(of: "out/watch.md")
      #expect(page.contains("`USE TEMP B-TREE FOR GROUP BY`"), "\(page)")
    }

    @Test("The meter's own time is reported")
    func ownTime() async throws {
      let probe = try await WatchedProbe("runs", "20000")
      let report = try probe.report()
      let process = try #require(report.processes.first)
      // 20,000 runs take at most two calls each, and every 61st call is timed.
      #expect(process.meterTimedCalls > 300 && process.meterSeconds ?? 0 > 0)
      #expect(process.meterSeconds ?? 1 < report.seconds ?? 0 && report.watchSeconds ?? 0 > 0)
      #expect(try probe.workspace.text(of: "out/watch.md").contains("The meter took "))
    }

    @Test("Syncs of a folder are counted: one for each transaction that deletes its journal, one for a WAL")
    func directories() async throws {
      let deleting = try await WatchedProbe("kinds", "delete")
      #expect(try deleting.database().directorySyncs == 10)
      let log = try await WatchedProbe("kinds", "wal")
      #expect(try log.database().directorySyncs == 2)
    }

    @Test("Statements beyond the available room are counted together, and 2,000 databases separately")
    func room() async throws {
      let texts = try await WatchedProbe("texts", "3000")
      let statements = try texts.report().statements
      #expect(statements.count == 1024 && statements.map(\.runs).reduce(0, +) == 3000)
      let others = try #require(statements.first { $0.text.isEmpty })
      #expect(others.runs == 1_977)
      let many = try await WatchedProbe("many", "2000")
      #expect(try many.report().databases.count == 2000)
      // 1,023 databases are separate, and the rest are combined.
      let connections = try many.report().connections
      #expect(connections.count == 1024 && connections.map(\.opened).reduce(0, +) == 2000)
      #expect(connections.first { $0.thread == nil }?.opened == 977)
    }

    @Test("Every run is counted, however many there are, and the program grows only a little")
    func manyRuns() async throws {
      // The fast tests use half a million, which is a hundred times the first number.
      let runs = isThorough ? 10_000_000 : 500_000
      let few = try await WatchedProbe("runs", "5000")
      let many = try await WatchedProbe("runs", "\(runs)")
      let insert = try many.statement(Self.insert)
      #expect(insert.runs == runs && insert.rowsChanged == runs)
      let peaks = try [few, many].map { try $0.report().residentPeakBytes ?? 0 }
      // SQLite's page cache is full at 2 MB, and its other memory needs at most 8 MB more, whatever the number of rows.
      #expect(peaks[1] - peaks[0] < 16 << 20, "\(peaks)")
    }

    @Test("The file of a process is only as large as its counts need")
    func footprint() async throws {
      let probe = try await WatchedProbe("footprint")
      #expect(probe.result.output == "small\n")
    }

    @Test("Nothing is left among the temporary files")
    func leftovers() async throws {
      let workspace = try Workspace()
      let probe = try await WatchedProbe("ends", "kill", environment: ["TMPDIR": workspace.path])
      #expect(probe.result.status == 137 && workspace.names().isEmpty, "\(workspace.names())")
    }
  }
#endif
