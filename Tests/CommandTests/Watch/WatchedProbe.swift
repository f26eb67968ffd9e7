// Runs of `watch` with WatchProbe, a program in C with deliberate flaws.
internal import Analysis
internal import Foundation
internal import Testing

/// WatchProbe under `watch`, in its own folder.
struct WatchedProbe {
  let workspace: Workspace
  let result: Program.Result

  static let path = Program.watchProbe.path

  /// Runs a case of the probe.
  init(_ words: String..., options: [String] = [], environment: [String: String] = [:]) async throws {
    let workspace = try Workspace()
    self.workspace = workspace
    try FileManager.default.createDirectory(atPath: workspace.path + "/stores", withIntermediateDirectories: true)
    result = try await Program.batchmark.run(
      ["watch", "--out", "out"] + options + ["--", WatchedProbe.path, workspace.path + "/stores"] + words,
      in: workspace.path, environment: environment)
  }

  /// The report.
  func report() throws -> WatchReport { try workspace.watchReport() }

  /// The database with this name, in the folder of stores.
  func database(_ name: String = "store.db") throws -> WatchReport.Database {
    let report = try report()
    return try #require(
      report.databases.first { $0.path.hasSuffix("/stores/" + name) }, "\(report.databases.map(\.path))")
  }

  func statement(_ text: String) throws -> WatchReport.Statement {
    let report = try report()
    return try #require(report.statements.first { $0.text == text }, "\(report.statements.map(\.text))")
  }

  /// The output of the probe without `watch`.
  static func alone(_ words: String...) async throws -> (Workspace, Program.Result) {
    let workspace = try Workspace()
    try FileManager.default.createDirectory(atPath: workspace.path + "/stores", withIntermediateDirectories: true)
    let result = try await Program.watchProbe.run([workspace.path + "/stores"] + words, in: workspace.path)
    return (workspace, result)
  }
}

extension Workspace {
  /// The report of `watch` in a folder.
  func watchReport(in folder: String = "out") throws -> WatchReport {
    try JSONDecoder().decode(WatchReport.self, from: Data(contentsOf: URL(filePath: path + "/\(folder)/watch.json")))
  }
}
