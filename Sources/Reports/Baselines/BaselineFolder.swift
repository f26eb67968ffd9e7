// Baselines: results of runs that are kept by name, to compare others with.
package import Analysis
internal import Support

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A folder of baselines: one file each, which is the results.json of its run.
package struct BaselineFolder: Sendable {
  /// The default folder for baselines.
  package static let standard = "Reports/baselines"

  package let path: String

  package init(_ path: String) { self.path = path }

  /// Whether a baseline may be called so: a name, and no path or hidden file.
  package static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 100 && !text.hasPrefix(".") && Scenarios.isName(text)
  }

  /// The file of a baseline, whether it is there or not.
  package func file(of name: String) -> String { FilePath(path).appending(name + ".json").string }

  /// Whether there is a baseline of that name.
  package func has(_ name: String) -> Bool { BaselineFolder.isName(name) && FileKind(at: file(of: name)) == .plainFile }

  /// The names of all baselines, sorted; empty if there is no folder.
  package func names() -> [String] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return files.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(".json".count)) }
      .filter(BaselineFolder.isName).sorted()
  }

  /// The results of a baseline.
  ///
  /// - Throws: ``ReportError`` for a file that is missing or is none of results.
  package func read(_ name: String) throws(ReportError) -> Report { try ResultsFile.read(file(of: name)) }

  /// Removes a baseline.
  ///
  /// - Throws: ``ReportError`` when it cannot be removed.
  package func remove(_ name: String) throws(ReportError) {
    do {
      try FileManager.default.removeItem(atPath: file(of: name))
    } catch {
      throw ReportError(file: file(of: name), problem: .unremovable(reason: OutputError.reason(error)))
    }
  }
}
