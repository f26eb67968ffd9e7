// A temporary folder with scenarios, and the files that runs write there.
import Foundation
import Instruments
@testable import Reports
import Testing

/// The passes of a run: a build without jemalloc has no memory pass.
let passes = Jemalloc.isLinked ? 3 : 2

/// A folder that is removed when the test ends.
final class Workspace {
  let path: String

  // In the given folder, or in the one for temporary files.
  init(in folder: String? = nil) throws {
    let folder = folder ?? FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path
    path = folder + "/batchmark-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/" + name))
  }

  /// Makes a command from shell lines.
  ///
  /// A new script could not be started while a child of another thread has it open ("Text file busy"). So the command
  /// is a link to an existing script, which runs the lines next to it.
  func writeCommand(_ lines: String, to name: String) throws {
    try write(lines + "\n", to: name + ".sh")
    try linkCommand("lines-beside", to: name)
  }

  /// Links to a script of the repository.
  func linkCommand(_ script: String, to name: String) throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    try FileManager.default.createSymbolicLink(
      atPath: path + "/" + name, withDestinationPath: folder.appendingPathComponent("Commands/" + script).path)
  }

  func text(of name: String) throws -> String { try String(contentsOfFile: path + "/" + name, encoding: .utf8) }

  /// The complete report of a run, as Markdown.
  func report(_ folder: String) throws -> String {
    RunReport.full(try ResultsFile.read("\(path)/\(folder)/results.json")).markdown
  }

  func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path + "/" + name) }

  func names(in folder: String = "") -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path + "/" + folder)) ?? []).sorted()
  }

  /// Writes `small.yml` with few rows and these cells.
  func writeScenario(
    cells: [String] = ["{engine: sqlite, strategy: insert}"], source: String = "{generate: {rows: 60}}",
    store: String = "{journal_mode: wal}", rounds: Int = 2, more: String = "", to name: String = "small.yml"
  ) throws {
    try write(
      """
      scenario: small
      model:
        Quake:
          attributes:
            code: {type: string}
            magnitude: {type: double, optional: true}
            place: {type: string, optional: true}
            time: {type: date}
          unique: [[code]]
      entity: Quake
      source: \(source)
      merge_policy: object_trump
      store: \(store)
      cells:
      \(cells.map { "  - \($0)" }.joined(separator: "\n"))
      measure: {rounds: \(rounds)\(more)}

      """, to: name)
  }

  /// The journal's lines as JSON objects, by their only key.
  func journal(_ folder: String) throws -> [(kind: String, value: [String: Any])] {
    try text(of: folder + "/journal.jsonl").split(separator: "\n").map { line in
      let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      let kind = try #require(object.keys.first { $0 != "seconds" })
      return (kind, try #require(object[kind] as? [String: Any]))
    }
  }

  /// `cell pass round` of every sample in the journal.
  func samples(_ folder: String) throws -> [String] {
    try journal(folder).filter { $0.kind == "sample" }.map { _, value in
      "\(value["cell"] ?? "") \(value["pass"] ?? "") \(value["round"] ?? "")"
    }
  }
}
