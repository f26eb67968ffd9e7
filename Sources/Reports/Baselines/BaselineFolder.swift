// Baselines: the results of runs, stored by name to compare other runs with.
package import Analysis
internal import Support

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A folder of baselines.
///
/// Each one is a file with the results.json of its run.
package struct BaselineFolder: Sendable {
  /// The default folder for baselines.
  package static let standard = "Reports/baselines"

  package let path: String

  package init(_ path: String) { self.path = path }

  /// Whether a baseline may have this name, which must not be a path or a hidden file.
  package static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 100 && !text.hasPrefix(".") && Scenarios.isName(text)
  }

  /// The file of a baseline, whether or not it exists.
  package func file(of name: String) -> String { FilePath(path).appending(name + ".json").string }

  /// Whether there is a baseline with this name.
  package func has(_ name: String) -> Bool { BaselineFolder.isName(name) && FileKind(at: file(of: name)) == .plainFile }

  /// The names of all baselines, sorted; empty if there is no folder.
  package func names() -> [String] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return files.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(".json".count)) }
      .filter(BaselineFolder.isName).sorted()
  }

  /// The results of a baseline.
  ///
  /// - Throws: ``ReportError`` if the file is missing or has no results.
  package func read(_ name: String) throws(ReportError) -> Report { try ResultsFile.read(file(of: name)) }

  /// Removes a baseline.
  ///
  /// - Throws: ``ReportError`` if it cannot be removed.
  package func remove(_ name: String) throws(ReportError) {
    do {
      try FileManager.default.removeItem(atPath: file(of: name))
    } catch {
      throw ReportError(file: file(of: name), problem: .unremovable(reason: OutputError.reason(error)))
    }
  }
}
