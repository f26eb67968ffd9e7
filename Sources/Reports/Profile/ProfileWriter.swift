// Writes all files of a profile together.
package import Analysis

/// Writes a profile as files.
package struct ProfileWriter: Sendable {
  private let directory: String

  /// - Parameter directory: The folder of the files. It and its parents are created if they are missing.
  package init(directory: String) { self.directory = directory.isEmpty ? "." : directory }

  /// Writes every file and replaces older ones with the same name.
  ///
  /// A reader never sees an incomplete file.
  ///
  /// - Returns: The path of the page.
  /// - Throws: ``ReportError`` with the file, the system's reason and advice.
  @discardableResult
  package func write(_ results: ProfileResults) throws(ReportError) -> String {
    let folder = FilePath(directory)
    let files = ProfileWriter.files(of: results)
    let page = folder.appending("profile.md").string
    let document = ProfileMarkdown.document(results, files: files.map(\.name))
    var texts = [
      (path: page, text: document.markdown),
      (
        path: folder.appending("profile.html").string,
        text: Page(title: "Profile of \(results.cell.id)", document: document).html
      ),
    ]
    for file in files { texts.append((path: folder.appending(file.name).string, text: file.text)) }
    try publish(texts, document.pictures, in: directory)
    return page
  }

  /// Every file except the page, by name.
  static func files(of results: ProfileResults) -> [(name: String, text: String)] {
    var files = [("stages.csv", ProfileCSV.stages(results)), ("statements.csv", ProfileCSV.statements(results))]
    for phase in results.phases {
      if let stacks = phase.stacks, !stacks.isEmpty {
        files.append(("\(phase.phase.rawValue).folded", stacks.foldedText))
      }
    }
    for phase in results.phases {
      if let stacks = phase.heapStacks, !stacks.isEmpty { files.append(("heap.folded", stacks.foldedText)) }
    }
    for phase in results.phases {
      if let stacks = phase.peakStacks, !stacks.isEmpty {
        files.append(("heap-peak.folded", stacks.foldedText))
      }
      if !phase.heapTimeline.isEmpty { files.append((ProfileCSV.heapFile, ProfileCSV.heap(phase))) }
    }
    if let heap = results.heap { files.append((ProfileInstrument.heapFile, heap)) }
    return files.map { (name: $0.0, text: $0.1) }
  }
}

extension [String: Int] {
  /// Folded stacks in the format of flame-graph programs: one stack and its samples per line, the most frequent first.
  var foldedText: String {
    sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.key) \($0.value)\n" }.joined()
  }
}
