// The tables behind a report's findings, section by section.
internal import Analysis

/// What backs findings of one kind.
protocol EvidenceSection {
  /// The heading over the tables.
  var title: String { get }
  /// Whole tables; empty where a table of every report does.
  var tables: [Table] { get }
  /// How the figures were come by, for the section on the method; nil where nothing needs to be said.
  var method: String? { get }
  /// Whether a finding is backed by it.
  func backs(_ finding: Finding) -> Bool
}

extension EvidenceSection {
  var method: String? { nil }
}

extension ScenarioAnalysis {
  /// In the order of the findings.
  var sections: [any EvidenceSection] {
    var sections: [any EvidenceSection] = []
    if let claim { sections.append(claim) }
    if let growth { sections.append(growth) }
    if let crossings { sections.append(crossings) }
    sections += knees as [any EvidenceSection] + prices as [any EvidenceSection]
    if let shares { sections.append(shares) }
    if let rowCosts { sections.append(rowCosts) }
    return sections
  }
}
