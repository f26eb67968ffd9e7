// `watch --memory`: the heap of other people's programs, with their own allocators.
internal import Analysis
internal import Foundation
internal import MissionTags
internal import Reports
internal import Testing

#if os(Linux)
  @Suite("A14 · memory of watched programs", .tags(.a14))
  struct WatchMemoryTests {
    private static let mebibyte: Int64 = 1 << 20

    @Test("Allocations are counted exactly, and SQLite and the rest have separate peaks")
    func counted() async throws {
      let few = try await WatchedProbe("allocations", "0", options: ["--memory"])
      let many = try await WatchedProbe("allocations", "12345", options: ["--memory"])
      let (before, after) = try (Self.heap(of: few), Self.heap(of: many))
      #expect(after.allocations - before.allocations == 12_345)
      // The allocator provides a little more than requested.
      let bytes = after.allocatedBytes - before.allocatedBytes
      #expect(bytes >= 1_234_500 && bytes < 1_500_000)
      #expect(before.peakBytes >= 10 * Self.mebibyte && before.peakBytes < 14 * Self.mebibyte)
      let (sqlite, rest) = (try #require(before.sqlitePeakBytes), try #require(before.restPeakBytes))
      #expect(sqlite > 10_000 && sqlite < 4 * Self.mebibyte)
      #expect(rest >= 10 * Self.mebibyte && rest <= before.peakBytes)
      #expect(after.peakBytes == before.peakBytes)
    }

    private static func heap(of probe: WatchedProbe) throws -> WatchReport.Heap {
      let report = try probe.report()
      #expect(probe.result.status == 0 && report.metersMemory, "\(probe.result.errors)")
      return try #require(report.processes.first?.heap)
    }

    @Test("No time is reported, and no plan was requested")
    func withoutTimes() async throws {
      let probe = try await WatchedProbe("ends", "status", options: ["--memory"])
      let report = try probe.report()
      #expect(probe.result.status == 42 && report.seconds == nil && report.watchSeconds == nil)
      let database = try probe.database()
      #expect(database.heldSeconds == nil && database.file.syncSeconds == nil && database.checkpointSeconds == nil)
      #expect(database.transactions.allSatisfy { $0.heldSeconds == nil } && database.commits > 0)
      #expect(report.statements.allSatisfy { $0.totalSeconds == nil && $0.medianSeconds == nil && $0.plan == nil })
      #expect(report.processes.allSatisfy { $0.sleepSeconds == nil && $0.meterSeconds == nil })
      let insert = try probe.statement("INSERT INTO item (owner, name, size) VALUES (?, …)")
      #expect(insert.runs == 100 && insert.rowsChanged == 100 && insert.allocations != nil)
      let page = try probe.workspace.text(of: "out/watch.md")
      let times = try Regex("[0-9] (ns|µs|ms|s)\\b")
      #expect(page.firstMatch(of: times) == nil && page.contains("SQLite at most"), "\(page)")
    }

    @Test("Without --memory there is no heap in the report")
    func withoutMemory() async throws {
      let probe = try await WatchedProbe("ends", "status")
      let report = try probe.report()
      #expect(!report.metersMemory && report.processes.allSatisfy { $0.heap == nil } && report.seconds != nil)
      #expect(report.statements.allSatisfy { $0.allocations == nil })
    }

    @Test(
      "The program's output, status and stored rows are the same",
      arguments: ["configured", "forked", "threads", "traced", "plans"])
    func same(name: String) async throws {
      let (alone, expected) = try await WatchedProbe.alone(name)
      let probe = try await WatchedProbe(name, options: ["--memory"])
      #expect(probe.result.status == expected.status && probe.result.output == expected.output)
      #expect(probe.workspace.names(in: "stores") == alone.names(in: "stores"), "\(probe.result.errors)")
      #expect(try probe.report().processes.allSatisfy { $0.heap?.allocations ?? 0 > 0 })
    }

    @Test("The figures of a killed program are reported")
    func killed() async throws {
      let probe = try await WatchedProbe("ends", "kill", options: ["--memory"])
      #expect(probe.result.status == 137)
      let heap = try #require(try probe.report().processes.first?.heap)
      #expect(heap.peakBytes > 0 && heap.allocations > 0 && heap.sqlitePeakBytes ?? 0 > 0)
    }

    @Test("Python allocates each object separately, unless the caller has chosen an allocator")
    func python() async throws {
      let workspace = try Workspace()
      let script = """
        import os, sqlite3
        store = sqlite3.connect("store.db")
        store.execute("CREATE TABLE item (name TEXT)")
        names = [f"name number {number}" for number in range(50_000)]
        store.executemany("INSERT INTO item VALUES (?)", ((name,) for name in names))
        store.commit()
        print(os.environ["PYTHONMALLOC"])
        """
      try workspace.write(script, to: "job.py")
      func watch(_ name: String, environment: [String: String]) async throws -> (String, WatchReport.Heap) {
        let result = try await Program.batchmark.run(
          ["watch", "--memory", "--out", name, "--", "/usr/bin/python3", "job.py"], in: workspace.path,
          environment: environment)
        #expect(result.status == 0, "\(result.errors)")
        try FileManager.default.removeItem(atPath: workspace.path + "/store.db")
        let report = try workspace.watchReport(in: name)
        return (result.output, try #require(report.processes.first?.heap))
      }
      let (word, heap) = try await watch("own", environment: [:])
      #expect(word == "malloc\n" && heap.allocations > 50_000)
      // 50,000 texts of at least 49 bytes.
      #expect(heap.restPeakBytes ?? 0 > 3_000_000)
      let (kept, fewer) = try await watch("kept", environment: ["PYTHONMALLOC": "pymalloc"])
      #expect(kept == "pymalloc\n" && fewer.allocations < heap.allocations / 2)
    }
  }
#endif
