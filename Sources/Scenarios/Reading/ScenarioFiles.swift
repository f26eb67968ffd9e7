// Finds scenario files on disk and reads their text.
internal import Foundation
internal import Support
import SystemPackage

/// Finds and reads scenario files.
package enum ScenarioFiles {
  /// The file name extensions of scenario files.
  package static let extensions = ["yml", "yaml", "json"]

  /// The scenario files at some paths.
  ///
  /// A path may be a file with any name, or a folder, which means the scenario files directly in it, sorted by name.
  /// Duplicates are dropped.
  ///
  /// - Throws: ``ScenarioFileError`` if a path does not exist, or a folder has no scenario files.
  package static func find(in paths: [String]) throws(ScenarioFileError) -> [String] {
    var found: [String] = []
    for path in paths {
      for file in try files(at: path) where !found.contains(file) { found.append(file) }
    }
    return found
  }

  /// The text of a scenario file, or of another file in the same format.
  ///
  /// - Parameters:
  ///   - file: Its path.
  ///   - thing: The expected kind of file, for error messages.
  /// - Returns: The text.
  /// - Throws: ``ScenarioFileError`` if the file is missing or cannot be read, ``ScenarioErrors`` if it is too long or
  ///   not UTF-8.
  package static func text(of file: String, _ thing: String = "a scenario file") throws -> String {
    let bytes: [UInt8]
    do {
      bytes = try InputFile.bytes(of: file, limit: .scenario)
    } catch {
      let expected = error.expected(thing)
      if error.isUnreadable { throw ScenarioFileError(path: file, found: error.found, expected: expected) }
      throw ScenarioErrors(errors: [ScenarioError(file: file, found: error.found, expected: expected)])
    }
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    let offset = min(firstInvalidUTF8(in: bytes), bytes.count - 1)
    let before = String(decoding: bytes[..<offset], as: UTF8.self)
    let lines = before.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    throw ScenarioErrors(errors: [
      ScenarioError(
        file: file, line: lines.count, column: (lines.last?.count ?? 0) + 1,
        found: "the byte 0x\(String(bytes[offset], radix: 16, uppercase: true)), which is not UTF-8 there",
        expected: "text in UTF-8")
    ])
  }

  private static func files(at path: String) throws(ScenarioFileError) -> [String] {
    // Reading it reports the problem.
    if InputFile.isStandardStream(path) { return [path] }
    let type: FileType
    do {
      type = try FilePath(path).stat().type
    } catch {
      throw ScenarioFileError(path: path, found: error.reason, expected: "a scenario file or a folder of them")
    }
    return type == .directory ? try files(inFolder: path) : [path]
  }

  private static func files(inFolder path: String) throws(ScenarioFileError) -> [String] {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: path)
    } catch {
      throw ScenarioFileError(path: path, found: "a folder that cannot be listed", expected: "one that can be read")
    }
    let files = names.sorted().filter { name in
      !name.hasPrefix(".") && extensions.contains { name.hasSuffix(".\($0)") }
    }
    guard !files.isEmpty else {
      throw ScenarioFileError(
        path: path, found: "a folder without scenario files",
        expected: "files that end in " + extensions.map { "." + $0 }.joined(separator: ", "))
    }
    let found = files.map { FilePath(path).appending($0).string }
    // If a listed file does not seem to exist, its name has bytes that are not valid text.
    if let file = found.first(where: { FileKind(atPathItself: $0) == nil }) {
      throw ScenarioFileError(
        path: file, found: "a name that is not text in UTF-8", expected: "another name; rename the file")
    }
    return found
  }
}
