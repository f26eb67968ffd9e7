// `watch` from end to end: the program behaves like without it, and its counters are right.
internal import Analysis
internal import Foundation
internal import MissionTags
internal import Reports
internal import Testing

#if os(Linux)
  @Suite("A14 · watch", .tags(.a14, .a9))
  struct WatchCommandTests {
    @Test("Streams, arguments and the status are the program's own")
    func passing() async throws {
      let probe = try await WatchedProbe("nothing", "two words")
      #expect(probe.result.output == "two words\n" && probe.result.status == 0)
      #expect(try probe.report().databases.isEmpty && probe.report().findings.isEmpty)
      #expect(probe.result.errors.contains("no database was opened that could be metered, 0 findings"))
      let status = try await WatchedProbe("ends", "status")
      #expect(status.result.status == 42 && status.result.errors.hasPrefix("filled\n"))
      #expect(try status.report().end == .exited(42))
      #expect(
        status.workspace.names(in: "out") == [
          "charts", "connections.csv", "databases.csv", "growth.csv", "statements.csv", "wal.csv", "watch.html",
          "watch.json", "watch.md",
        ])
    }

    @Test(
      "A program that a signal ends is reported to its last row, and the status is 128 more than the signal",
      arguments: [("kill", SIGKILL), ("term", SIGTERM), ("abort", SIGABRT)])
    func sudden(end: String, signal: Int32) async throws {
      let probe = try await WatchedProbe("ends", end)
      #expect(probe.result.status == 128 + signal)
      #expect(try probe.report().end == .signalled(Int(signal)))
      let insert = try probe.statement("INSERT INTO item (owner, name, size) VALUES (?, …)")
      #expect(insert.runs == 100 && insert.rowsChanged == 100)
    }

    @Test("Processes that outlive the program are counted, and those that have ended are not")
    func background() async throws {
      let workspace = try Workspace()
      // Shells do not use SQLite. The second one ends the background process once watch has seen it. As long as that
      // process lives, it holds the pipe that tells this process that watch has ended.
      let script = """
        mkdir ended && "$0" ended ends status
        "$0" . ends wait </dev/null >/dev/null 2>said &
        child=$! tries=0
        while ! grep -q filled said; do sleep 0.02; done
        (
          while [ ! -e out/watch.json ] && [ $((tries += 1)) -lt 600 ]; do sleep 0.1; done
          kill -9 $child
        ) </dev/null >/dev/null 2>&1 &
        """
      let result = try await Program.batchmark.run(
        ["watch", "--out", "out", "--", "sh", "-c", script, WatchedProbe.path], in: workspace.path)
      #expect(result.status == 0 && result.errors.contains("1 process of the program still ran when it had ended"))
      #expect(try workspace.watchReport().gaps == [.stillRunning(processes: 1)])
    }

    @Test("A signal to watch is passed to the program", arguments: [SIGTERM, SIGINT, SIGHUP])
    func signals(signal: Int32) async throws {
      let workspace = try Workspace()
      let running = try Program.batchmark.start(
        ["watch", "--out", "out", "--", WatchedProbe.path, workspace.path, "ends", "wait"], in: workspace.path)
      while !workspace.exists("store.db-wal") { try await Task.sleep(for: .milliseconds(20)) }
      running.send(signal)
      #expect(try await running.end().status == 128 + signal)
      #expect(try workspace.watchReport().end == .signalled(Int(signal)))
    }

    @Test(
      "A program that crashes ends at once and silently, as it does without watch",
      arguments: [SIGSEGV, SIGBUS, SIGILL])
    func crash(signal: Int32) async throws {
      let workspace = try Workspace()
      let result = try await Program.batchmark.run(
        ["watch", "--out", "out", "--", "sh", "-c", "kill -\(signal) $$; sleep 1"], in: workspace.path)
      #expect(result.status == 128 + signal && !result.errors.contains("crashed"), "\(result.errors)")
      #expect(try workspace.watchReport().end == .signalled(Int(signal)))
    }

    @Test("Before the program starts, watch has its own statuses, and leaves no folder")
    func refusals() async throws {
      let workspace = try Workspace()
      func watch(_ words: String...) async throws -> Program.Result {
        try await Program.batchmark.run(["watch"] + words, in: workspace.path)
      }
      #expect(try await watch().status == 64)
      #expect(try await watch("--nonsense", "--", "true").status == 64)
      let missing = try await watch("--out", "out", "--", "no-such-program")
      #expect(missing.status == 66 && missing.errors.contains("'no-such-program'"))
      #expect(try await watch("--out", "out", "--", "./nothing-here").status == 66)
      try workspace.write("plain", to: "file")
      #expect(try await watch("--out", "out", "--", "./file").status == 66)
      #expect(!workspace.exists("out"))
      let taken = try await watch("--out", "file", "--json", "lines", "--", "touch", "began")
      #expect(taken.status == 73 && !workspace.exists("lines"))
      let lines = try await watch("--out", "out", "--json", "no/such/folder", "--", "touch", "began")
      #expect(lines.status == 73 && lines.errors.contains("no/such/folder") && !workspace.exists("out"))
      let below = try await watch("--out", "file/out", "--", "touch", "began")
      #expect(below.status == 73)
      let temporary = try await Program.batchmark.run(
        ["watch", "--out", "out", "--", "touch", "began"], in: workspace.path,
        environment: ["TMPDIR": workspace.path + "/file"])
      #expect(temporary.status == 73 && temporary.errors.contains("TMPDIR"), "\(temporary.errors)")
      #expect(!workspace.exists("began") && !workspace.exists("out"))
    }

    @Test("Lines of JSON may be written into the folder of the report")
    func linesInside() async throws {
      let workspace = try Workspace()
      let result = try await Program.batchmark.run(
        ["watch", "--out", "out", "--json", "out/lines.json", "--", "sleep", "4"], in: workspace.path)
      #expect(result.status == 0 && workspace.exists("out/watch.json"), "\(result.errors)")
      #expect(try !workspace.text(of: "out/lines.json").isEmpty)
    }

    @Test("JSON lines overwrite no file, and are written directly into pipes and devices")
    func linesElsewhere() async throws {
      let workspace = try Workspace()
      func watch(_ json: String, _ program: String...) async throws -> Program.Result {
        try await Program.batchmark.run(
          ["watch", "--out", "out", "--json", json, "--"] + program, in: workspace.path)
      }
      try workspace.write("kept", to: "notes")
      let taken = try await watch("notes", "touch", "began")
      #expect(taken.status == 73 && taken.errors.contains("notes cannot be written: it exists already"))
      #expect(try workspace.text(of: "notes") == "kept")
      #expect(mkfifo(workspace.path + "/pipe", 0o600) == 0)
      let unread = try await watch("pipe", "touch", "began")
      #expect(unread.status == 73 && unread.errors.contains("pipe cannot be written: no process reads it yet"))
      #expect(!workspace.exists("began") && !workspace.exists("out"))
      let reader = open(workspace.path + "/pipe", O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      defer { close(reader) }
      #expect(try await watch("pipe", "sleep", "2.3").status == 0)
      var bytes = [UInt8](repeating: 0, count: 4_096)
      let count = read(reader, &bytes, bytes.count)
      #expect(String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self).contains("\"walBytes\""))
      try FileManager.default.removeItem(atPath: workspace.path + "/out")
      #expect(try await watch("/dev/null", "true").status == 0)
    }

    @Test(
      "With a full or closed standard stream the program ends with the status that it has without watch",
      arguments: ["exec >/dev/full", "exec >&- 2>&-", "exec <&- >&- 2>&-"])
    func streams(lines: String) async throws {
      let workspace = try Workspace()
      let alone = try await Program.watchProbe.after(lines).run(
        [workspace.path, "nothing", "word"], in: workspace.path)
      let watched = try await Program.batchmark.after(lines).run(
        ["watch", "--out", "out", "--", WatchedProbe.path, workspace.path, "nothing", "word"], in: workspace.path)
      #expect(watched.status == alone.status && workspace.exists("out/watch.json"))
      #expect(watched.output == alone.output)
    }

    @Test("If the report cannot be written, the program's status stands and a line says so")
    func unwritableReport() async throws {
      let workspace = try Workspace()
      let script = "rm -r out && touch out; exit 5"
      let result = try await Program.batchmark.run(
        ["watch", "--out", "out", "--", "/bin/sh", "-c", script], in: workspace.path)
      #expect(result.status == 5 && result.errors.contains("the report was not written"), "\(result.errors)")
    }

    @Test("The status is the program's even if the ends of processes are ignored")
    func ignoredEnds() async throws {
      let workspace = try Workspace()
      let result = try await Program.batchmark.after(#"exec /usr/bin/env --ignore-signal=CHLD "$0" "$@""#).run(
        ["watch", "--out", "out", "--", "/bin/sh", "-c", "exit 5"], in: workspace.path)
      #expect(result.status == 5, "\(result.errors)")
      #expect(try workspace.watchReport().end == .exited(5))
    }

    @Test("A standard stream that is closed is closed for the program")
    func closedStreams() async throws {
      let workspace = try Workspace()
      let shell = "readlink /proc/self/fd/0 || echo closed > seen; exit 4"
      let result = try await Program.batchmark.after("exec <&-").run(
        ["watch", "--out", "out", "--", "/bin/sh", "-c", shell], in: workspace.path)
      #expect(result.status == 4 && workspace.exists("seen"), "\(result.output)\(result.errors)")
    }

    @Test("No literal, bound value, comment or argument leaves the program, unless values are requested")
    func privacy() async throws {
      let probe = try await WatchedProbe("secrets", "hidden-argument")
      #expect(probe.result.status == 0, "\(probe.result.errors)")
      #expect(try probe.report().statements.contains { $0.text == "SELECT id FROM person WHERE name = ?" })
      for name in probe.workspace.names(in: "out") where name != "charts" {
        let text = try probe.workspace.text(of: "out/" + name)
        #expect(!text.contains("hidden") && !text.contains("9876543"), "\(name)")
      }
      let shown = try await WatchedProbe("secrets", "hidden-argument", options: ["--values"])
      let texts = try shown.workspace.text(of: "out/watch.json")
      #expect(texts.contains("hidden-text") && texts.contains("hidden-argument") && !texts.contains("hidden-bound"))
    }

    @Test("Names of files can be shown without their folders")
    func shortPaths() async throws {
      let probe = try await WatchedProbe("ends", "status", options: ["--short-paths"])
      #expect(try probe.report().databases.map(\.path) == ["store.db"])
      #expect(try !probe.workspace.text(of: "out/watch.json").contains(probe.workspace.path))
    }

    @Test("Only files are metered if no statements are requested")
    func filesAlone() async throws {
      let probe = try await WatchedProbe("ends", "status", options: ["--no-statements"])
      let report = try probe.report()
      #expect(report.statements.isEmpty && !report.tracesStatements)
      #expect(try probe.database().commits >= 2)
    }

    @Test("A JSON line is written each second and at the end, to standard output too")
    func lines() async throws {
      let workspace = try Workspace()
      let result = try await Program.batchmark.run(
        ["watch", "--out", "out", "--json", "-", "--", "sleep", "2.3"], in: workspace.path)
      let lines = result.output.split(separator: "\n")
      #expect(!lines.isEmpty)
      for line in lines {
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        #expect(object?["seconds"] != nil && object?["walBytes"] != nil)
      }
      let last = try #require(lines.last.map { Data($0.utf8) })
      let end = try JSONSerialization.jsonObject(with: last) as? [String: Any]
      #expect((end?["seconds"] as? Double ?? 0) >= 2.3, "what the last second has is not lost")
      let short = try await Program.batchmark.run(
        ["watch", "--out", "short", "--json", "-", "--", "true"], in: workspace.path)
      #expect(short.output.split(separator: "\n").count == 1, "\(short.output)")
    }

    @Test("Output of other programs cannot steer a terminal or begin a line of a report")
    func hostileText() async throws {
      let workspace = try Workspace()
      try FileManager.default.createDirectory(
        atPath: workspace.path + "/a\u{1B}[31m|b\nc", withIntermediateDirectories: true)
      let result = try await Program.batchmark.run(
        ["watch", "--out", "out", "--", WatchedProbe.path, workspace.path + "/a\u{1B}[31m|b\nc", "ends", "status"],
        in: workspace.path)
      #expect(result.status == 42)
      for name in ["watch.md", "watch.html", "databases.csv", "watch.json"] {
        #expect(try !workspace.text(of: "out/" + name).contains("\u{1B}"), "\(name)")
      }
      #expect(!result.errors.contains("\u{1B}"))
    }
  }
#endif
