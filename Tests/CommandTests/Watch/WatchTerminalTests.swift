// The output of `watch` on a terminal while a program runs.
import Foundation
import MissionTags
import Testing

#if os(Linux)
  @Suite("A14 · watch on a terminal", .tags(.a14))
  struct WatchTerminalTests {
    /// The output on a terminal up to the number of status lines that is enough.
    private func shown(_ options: [String], until isEnough: (String) -> Bool) async throws -> String {
      let workspace = try Workspace()
      let terminal = try #require(PseudoTerminal(columns: 100))
      let running = try Program.batchmark.after(terminal.shellLines).start(
        ["watch", "--out", "out"] + options + [
          "--", Program.watchProbe.path, workspace.path, "slow", workspace.path + "/enough",
        ], in: workspace.path, environment: ["TERM": "xterm"])
      // A busy machine may take long. Missing lines cause a failure later.
      for _ in 0..<1200 where !isEnough(terminal.soFar) { try await Task.sleep(for: .milliseconds(50)) }
      try workspace.write("", to: "enough")
      #expect(try await running.end().status == 0)
      return terminal.text()
    }

    @Test("One line is updated with transactions, rows, the WAL, memory and the busiest statement")
    func line() async throws {
      let text = try await shown([]) { $0.components(separatedBy: "transactions/s").count > 3 }
      #expect(text.contains("rows/s · WAL "), "\(text)")
      let end = try Regex("resident [0-9.,]+ [KM]iB · (INSERT INTO item|CREATE TABLE item|PRAGMA journal_mode)")
      #expect(text.firstMatch(of: end) != nil, "\(text)")
      // Every status line is overwritten, and only carriage returns move the cursor back.
      let lines = text.components(separatedBy: "\r\n")
      #expect(lines.filter { $0.contains("transactions/s") }.count == 1 && !text.contains("\u{1B}["))
    }

    @Test("--live has a table of the busiest statements that updates in place, and leaves none of it")
    func table() async throws {
      let text = try await shown(["--live"]) { $0.components(separatedBy: "statement").count > 3 }
      let insert = try Regex("[0-9]+ +[0-9.]+ .*INSERT INTO item \\(name\\) VALUES \\(\\?\\)")
      #expect(text.firstMatch(of: insert) != nil && text.contains("runs/s"), "\(text)")
      // Each table begins where the last one began.
      let updates = text.components(separatedBy: "A\r\u{1B}[J").count - 1
      let tables = text.components(separatedBy: "runs/s").count - 1
      #expect(updates == tables && tables >= 3)
      let end = text.components(separatedBy: "\u{1B}[J").last ?? ""
      #expect(!end.contains("runs/s") && end.contains("out/watch.md"), "\(end)")
    }

    @Test("With --memory the line has the heap")
    func heap() async throws {
      let text = try await shown(["--memory"]) { $0.components(separatedBy: "heap ").count > 2 }
      #expect(text.contains("· heap "))
    }

    @Test("Help says why there is no --attach")
    func attach() async throws {
      let workspace = try Workspace()
      let help = try await Program.batchmark.run(["watch", "--help"], in: workspace.path)
      #expect(help.output.contains("There is no --attach") && help.output.contains("before its first"))
      #expect(try await Program.batchmark.run(["watch", "--attach", "1"], in: workspace.path).status == 64)
    }
  }
#endif
