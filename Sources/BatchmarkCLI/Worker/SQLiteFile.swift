// Another SQLite library for the processes that store rows, preloaded before the system's.
internal import Analysis
internal import ArgumentParser
internal import Foundation
internal import Harness
internal import Instruments
internal import Reports
internal import SQLiteDriver
internal import Support

/// A process's report about its SQLite.
struct SQLiteFacts: Codable, Sendable {
  /// The version and source id.
  var identity: String
  var options: [String]
  /// The file of the library; `nil` if the system does not report it.
  var path: String?
  /// Whether it is part of the executable, so that no other library can replace it.
  var isLinkedIn: Bool

  /// Only the version.
  var version: String { String(identity.prefix { $0 != "," }) }

  /// The report of this process.
  static var own: SQLiteFacts {
    SQLiteFacts(
      identity: SQLiteLibrary.identity, options: SQLiteLibrary.compileOptions, path: LoadedSQLite.path,
      isLinkedIn: LoadedSQLite.isLinkedIn)
  }
}

/// A shared library that replaces the system's SQLite in workers and programs.
struct SQLiteFile: Sendable {
  /// The absolute path, with links resolved.
  let path: String
  let facts: SQLiteFacts

  /// The version, the source id and the file: two builds of the same sources are two libraries.
  var identity: String { "\(facts.identity) (file \(Fingerprint.ofFile(path) ?? "unreadable"))" }

  /// The seconds that a worker has to report its SQLite.
  private static let limit = 30.0

  /// Starts a worker with the file, and asks it which SQLite it uses.
  ///
  /// - Throws: ``CommandError`` if it is missing, is not SQLite, or cannot replace the executable's.
  init(_ text: String, executable: String = Executable.workerPath) throws(CommandError) {
    guard let path = SQLiteFile.resolved(text), FileManager.default.isReadableFile(atPath: path) else {
      throw CommandError(
        .unreadableFile, "\(text): found no such file; expected a shared library of SQLite, libsqlite3.so")
    }
    guard PreloadList.takes(path) else {
      throw CommandError(
        .usage, "\(text): found a space or a colon in its path \(path); expected none; copy it to another folder")
    }
    let environment = WorkerEnvironment(meter: nil, inheriting: ProcessInfo.processInfo.environment, sqlite: path)
    let worker = ChildProcess(
      executable, ["worker", WorkerCommand.libraryQuestion], environment: environment.variables(preloadsMeter: false),
      output: .kept(limit: 1 << 16), errors: .dropped)
    guard let end = try? worker.run(limit: SQLiteFile.limit), end.status == .exited(0),
      let facts = try? JSONDecoder().decode(SQLiteFacts.self, from: Data(end.output))
    else {
      throw CommandError(
        .unreadableFile,
        "\(text): a worker that loads it does not run; expected a shared library of SQLite, libsqlite3.so")
    }
    if facts.isLinkedIn {
      throw CommandError(
        .usage,
        "\(text): this executable has a SQLite linked into it, \(facts.identity); expected a build that loads the "
          + "system's")
    }
    guard facts.path.flatMap(SQLiteFile.resolved) == path else {
      throw CommandError(
        .unreadableFile, "\(text): found a file that is no shared library of SQLite; expected one, libsqlite3.so")
    }
    self.path = path
    self.facts = facts
  }

  private static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}

/// `--sqlite`, an option of commands that take samples of one build.
struct SQLiteOptions: ParsableArguments {
  @Option(
    name: .customLong("sqlite"),
    help: ArgumentHelp(
      "Take samples with this shared library of SQLite in place of the system's, in programs too.", valueName: "file"),
    completion: .file(extensions: ["so"]))
  var file: String?

  /// Runs a command with this library.
  func use(_ body: () throws -> Void) throws {
    guard let file else { return try body() }
    try Batchmark.$library.withValue(try SQLiteFile(file)) { try body() }
  }
}
