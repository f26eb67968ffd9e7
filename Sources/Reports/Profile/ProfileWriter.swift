// All files of a profile, written together.
package import Analysis

/// Writes a profile as files.
package struct ProfileWriter: Sendable {
  private let directory: String

  /// - Parameter directory: The folder of the files; created, with those above it, when it is missing.
  package init(directory: String) { self.directory = directory.isEmpty ? "." : directory }

  /// Writes every file, in place of older ones of the same name; a reader never sees half a file.
  ///
  /// - Returns: The path of the page.
  /// - Throws: ``ReportError`` naming the file, the system's reason and what to do.
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

  /// Every file but the page, by its name.
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
  /// Folded stacks as flame-graph programs read them: a stack and its samples a line, the most frequent first.
  var foldedText: String {
    sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.key) \($0.value)\n" }.joined()
  }
}
