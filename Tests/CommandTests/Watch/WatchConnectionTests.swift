// Effects that no file shows: tables in use, connections that end late, and counters that the program requests from
// SQLite.
internal import Analysis
internal import Foundation
internal import MissionTags
internal import Reports
internal import Testing

#if os(Linux)
  @Suite("A14 · connections and tables of watched programs", .tags(.a14, .a4))
  struct WatchConnectionTests {
    @Test(
      "SQLite answers, logs and counts as without the meter",
      arguments: [
        ["locked"], ["closed", "3"], ["counters"], ["gone"], ["replaced", "profile"], ["replaced", "trace"],
      ])
    func same(words: [String]) async throws {
      let (_, alone) = try await WatchedProbe.alone(words[0], words.dropFirst().first ?? "")
      let probe = try await WatchedProbe(words[0], words.dropFirst().first ?? "")
      #expect(alone.status == 0 && !alone.output.isEmpty, "\(alone.errors)")
      #expect(probe.result.status == 0 && probe.result.output == alone.output, "\(probe.result.errors)")
    }

    @Test("Runs that find a table in use are counted, within one connection and in a shared cache")
    func locked() async throws {
      let probe = try await WatchedProbe("locked")
      let (own, shared) = (try probe.database(), try probe.database("shared.db"))
      #expect(own.lockedRuns == 2 && shared.lockedRuns == 7)
      #expect(try probe.statement("DROP TABLE item").lockedRuns == 2)
      #expect(try probe.statement("SELECT name FROM item").lockedRuns == 3)
      #expect(try probe.statement("UPDATE item SET size = size + ? WHERE id <= ?").lockedRuns == 4)
      // A busy timeout would not help.
      #expect(try own.refusals == 0 && shared.refusals == 0 && probe.report().findings.isEmpty)
      #expect(try probe.workspace.text(of: "out/watch.md").contains("2 runs refused with SQLITE_LOCKED"))
      #expect(try probe.workspace.text(of: "out/databases.csv").contains(",locked_runs"))
    }

    @Test("Connections that are closed before their statements are all metered, even beyond the available room")
    func closed() async throws {
      let probe = try await WatchedProbe("closed", "1100")
      #expect(probe.result.status == 0, "\(probe.result.errors)")
      let find = try probe.statement("SELECT name FROM item WHERE id = ?")
      #expect(find.runs == 1100 && find.rowsReturned == 1100)
      #expect(try probe.report().gaps.isEmpty && probe.database().connections == 1101)
    }

    @Test(
      "A program that observes its statements by sqlite3_profile or sqlite3_trace learns that they are not metered",
      arguments: ["profile", "trace"])
    func replaced(function: String) async throws {
      let probe = try await WatchedProbe("replaced", function)
      #expect(probe.result.status == 0, "\(probe.result.errors)")
      let report = try probe.report()
      #expect(report.gaps == [.untraced(connections: 5)])
      #expect(report.connections.map(\.opened) == [5] && report.connections.map(\.mostOpen) == [1])
      #expect(try probe.database().connections == 5 && probe.database().rowsChanged == 0)
    }

    @Test(
      "A counter that the program resets, once or after each run, is added to its earlier value",
      arguments: [
        ("counters", "SELECT name FROM item ORDER BY size"),
        ("set-back", "UPDATE item SET size = size + ? WHERE id <= ?"),
      ])
    func counters(name: String, text: String) async throws {
      let probe = try await WatchedProbe(name)
      let steps = try #require(Int64(probe.result.output.trimmingCharacters(in: .whitespacesAndNewlines)))
      #expect(try probe.statement(text).vmSteps == steps && steps > 0)
    }
  }
#endif
