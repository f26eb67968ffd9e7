// What a scenario's figures allow to conclude: first in one paragraph, then sentence by sentence with its tables.
internal import Analysis
internal import Harness

extension MarkdownReport {
  /// The answer to the scenario's question.
  static func answer(of conclusions: Conclusions, in document: inout MarkdownDocument) {
    document.paragraph(conclusions.answer.joined(separator: " "))
  }

  static func conclusionSections(of conclusions: Conclusions, level: Int, in document: inout MarkdownDocument) {
    for conclusion in conclusions.all where !conclusion.tables.isEmpty {
      document.heading(level, conclusion.title)
      document.list(conclusion.sentences.map { MarkdownItem($0) })
      for table in conclusion.tables { document.table(table) }
    }
  }

  /// How the conclusions of a run were come by, each way once.
  static func conclusionMethods(of results: RunResults) -> [MarkdownItem] {
    var known: Set<String> = []
    return results.scenarios.flatMap { Conclusions($0).methods }.filter { known.insert($0).inserted }
      .map { MarkdownItem($0) }
  }
}
