// Cells that did other work than the rest, and comparisons of cells by their roles, as sentences.
internal import Analysis

extension Prose {
  /// The cells that are ranked separately, and why.
  func work(_ findings: [Finding]) -> [String] {
    let differences = findings.compactMap { finding -> WorkDifference? in
      if case .unequalWork(let difference) = finding.kind { difference } else { nil }
    }
    // If many differ only in durability, one sentence says so.
    if findings.count > 2, differences.allSatisfy(\.isOfDurabilityAlone) {
      let pragmas = Set(differences.flatMap(\.durability).map(\.name)).sorted().map { Markdown.code($0) }
      return ["Cells are ranked with those that are as durable as they are, by \(HumanUnits.list(pragmas))."]
    }
    return zip(findings, differences).map { sentence(on: $0, $1) }
  }

  private func sentence(on finding: Finding, _ difference: WorkDifference) -> String {
    let cells = finding.cells
    let isOne = cells.count == 1
    let others = scenario.cells.count == cells.count + 1 ? "the other" : "the others"
    var parts: [String] = []
    if difference.linkedRows > 0 {
      parts.append("also stored \(HumanUnits.counted(difference.linkedRows, "relationship"))")
    } else if difference.linkedRows < 0 {
      parts.append("left out \(HumanUnits.counted(-difference.linkedRows, "relationship")) that \(others) stored")
    } else if difference.hasOtherLinks {
      parts.append("linked rows to other objects")
    }
    if difference.rows != 0 {
      let rows = HumanUnits.counted(abs(difference.rows), "row")
      parts.append("ended with \(rows) \(difference.rows > 0 ? "more" : "fewer")")
    } else if difference.hasOtherAttributes {
      parts.append("ended with other values")
    }
    if difference.indexes != 0 {
      let indexes = HumanUnits.counted(abs(difference.indexes), "index", plural: "indexes")
      parts.append(difference.indexes > 0 ? "also kept \(indexes)" : "kept \(indexes) fewer")
    } else if difference.hasOtherIndexes {
      parts.append("kept other indexes")
    }
    if !difference.durability.isEmpty {
      let pragmas = difference.durability.map { Markdown.code("\($0.name)=\($0.word)") }
      parts.append("committed with \(HumanUnits.list(pragmas))")
    }
    if !difference.unansweredPragmas.isEmpty {
      let pragmas = HumanUnits.list(difference.unansweredPragmas.map { Markdown.code($0) })
      let unknown =
        "\(isOne ? "does" : "do") not answer \(pragmas), so it is not known how durable \(isOne ? "its" : "their") commits are"
      if parts.isEmpty {
        return "\(names(cells)) \(unknown), and \(isOne ? "it is" : "they are") not ranked with \(others)."
      }
      parts.append(unknown)
    }
    let start = difference.isOfLinksAlone ? "All cells stored the same attributes; only " : ""
    let amount =
      difference.isOfMore ? "more" : difference.isOfLess ? "less" : "other"
    let subject = start.isEmpty && !isOne ? subject(of: finding, difference) : nil
    return
      "\(start)\(subject ?? names(cells)) \(HumanUnits.list(parts)), so \(isOne ? "it" : "they") did \(amount) work and "
      + "\(isOne ? "is" : "are") not ranked with \(others)."
  }

  /// The cells of a finding by a setting that only they have under their conditions, such as a merge policy; `nil` if
  /// there is none.
  private func subject(of finding: Finding, _ difference: WorkDifference) -> String? {
    guard difference.durability.isEmpty, difference.unansweredPragmas.isEmpty, let index = finding.group,
      groups.indices.contains(index)
    else { return nil }
    let conditions = groups[index].name
    let own = ownParameters(of: index).map { Markdown.code("\($0.key)=\($0.value)") }
    if own.isEmpty { return nil }
    let subject = "cells with \(HumanUnits.list(own))"
    return conditions.isEmpty ? subject.uppercasedFirst : "At \(Markdown.code(conditions)), \(subject)"
  }

  /// Whether the answer's place names what distinguishes its cells.
  func isSaidByPlace(_ finding: Finding, _ difference: WorkDifference, of answer: Answer) -> Bool {
    guard let index = finding.group, index == answer.group else { return false }
    let named = Set(placeParameters(of: index).map(\.key))
    return subject(of: finding, difference) != nil
      || (difference.isOfDurabilityAlone && named.isSuperset(of: difference.durability.map(\.name)))
  }

  /// The text in a group's place, in addition to its conditions.
  private func ownParameters(of index: Int) -> [(key: String, value: String)] {
    placeParameters(of: index).filter { own in !groups[index].conditions.contains { $0.key == own.key } }
  }

  /// What distinguishes a group from others with the same conditions: `with 2,000 relationships`; `nil` for a group
  /// without any.
  func ending(of group: ComparableGroup) -> String? {
    let namesakes = groups.filter { $0.conditions == group.conditions }
    let alike = namesakes.compactMap(\.ending)
    guard alike.count > 1, let own = group.ending else { return nil }
    var parts: [String] = []
    if Set(alike.map(\.relationships)).count > 1 {
      parts.append(
        own.linkedRows == 0 ? "without relationships" : "with \(HumanUnits.counted(own.linkedRows, "relationship"))")
    }
    let pragmas = own.durability.filter { pragma in !alike.allSatisfy { $0.durability.contains(pragma) } }
    if !pragmas.isEmpty {
      parts.append("with \(HumanUnits.list(pragmas.map { Markdown.code("\($0.name)=\($0.word)") }))")
    }
    let unanswered = Set(alike.flatMap(\.durability).map(\.name)).subtracting(own.durability.map(\.name)).sorted()
    if !unanswered.isEmpty {
      parts.append("that do not answer \(HumanUnits.list(unanswered.map { Markdown.code($0) }))")
    }
    if Set(alike.map(\.indexes)).count > 1 {
      parts.append("with \(HumanUnits.counted(own.indexes.count, "index", plural: "indexes"))")
    }
    if Set(alike.map(\.contentHash)).count > 1 {
      parts.append(
        settings(of: group, apartFrom: namesakes.filter { $0 != group }).map { "with \(HumanUnits.list($0, by: "or"))" }
          ?? "that ended with \(HumanUnits.counted(own.rows, "row")) (hash \(Markdown.code(own.contentHash)))")
    }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  /// The values of a parameter that only cells of this group have, such as merge policies; `nil` if no parameter
  /// distinguishes the groups.
  private func settings(of group: ComparableGroup, apartFrom others: [ComparableGroup]) -> [String]? {
    let keys = Set((group.cells + others.flatMap(\.cells)).compactMap(cell).flatMap(\.cell.parameters.keys))
    return keys.subtracting(group.conditions.map(\.key)).sorted().lazy.map { key in
      let own = Set(group.cells.map { setting(key, of: $0) })
      return own.isDisjoint(with: others.flatMap(\.cells).map { setting(key, of: $0) }) ? own.sorted() : []
    }.first { !$0.isEmpty }
  }

  /// Whether cells other than the chosen one were measured under its conditions, and no two of them did the same work.
  func isAloneInItsWork(_ answer: Answer) -> Bool {
    guard let index = answer.group, groups.allSatisfy({ $0.cells.count == 1 }) else { return false }
    return groups.indices.contains { other in
      other != index && groups[other].conditions == groups[index].conditions
        && cell(groups[other].cells[0])?.cell.showsHarnessCost == false
    }
  }

  // MARK: The order of tables

  /// The order of the cells in a table, if neither its first column nor headings show it; `nil` otherwise.
  func order(hasHeadings: Bool = false) -> String? {
    let order = scenario.rowOrder
    let figure = order.figure.map { "\(figureWords($0)), which the question is about" } ?? "wall time"
    let start =
      order.isByWork && !hasHeadings
      ? "Cells that did equal work stand together, in the order of their \(figure)."
      : order.figure != nil || order.leavesRatios ? "Cells are in the order of their \(figure)." : nil
    let ratios =
      order.leavesRatios
      ? "The ratio to the reference is the median of those of the rounds, so it can have another order." : nil
    let sentences = [start, ratios].compactMap(\.self)
    return sentences.isEmpty ? nil : sentences.joined(separator: " ")
  }

  // MARK: Roles

  /// `save` takes … times as long as `b` …; findings of one group share a sentence.
  func roles(_ findings: [Finding]) -> [String] {
    byGroup(findings).map { own in
      let save = own.first?.cells.first.map(name) ?? ""
      let certain = own.filter { $0.certainty == .certain }.map { finding in
        let ratio = finding.estimates[0]
        return [
          HumanUnits.ratioMedian(ratio), "times as long as", name(finding.cells[1]), HumanUnits.ratioInterval(ratio),
        ].compactMap(\.self).joined(separator: " ")
      }
      let undecided = own.filter { $0.certainty == .undecided }
      let alike = undecided.filter { $0.estimates[0].isWithinFivePercent }.map { name($0.cells[1]) }
      func isLikely(_ finding: Finding) -> Bool { (finding.estimates[0].low ?? 0) > 1 }
      func named(_ findings: [Finding]) -> [String] {
        findings.map { "\(name($0.cells[1])) (\(range($0.estimates[0])))" }
      }
      let open = undecided.filter { !$0.estimates[0].isWithinFivePercent }
      let (likely, noisy) = (named(open.filter(isLikely)), named(open.filter { !isLikely($0) }))
      let few = named(own.filter { $0.certainty == .tooFewRounds })
      var parts: [String] = []
      if !certain.isEmpty { parts.append("\(save) takes \(HumanUnits.list(certain))") }
      if !alike.isEmpty { parts.append("\(save) takes the same time as \(HumanUnits.list(alike)) to within 5 %") }
      if !likely.isEmpty {
        parts.append("\(save) may take longer than \(HumanUnits.list(likely)), but that is not certain")
      }
      if !noisy.isEmpty { parts.append("too noisy to rank \(save) and \(HumanUnits.list(noisy))") }
      if !few.isEmpty { parts.append("too few rounds to rank \(save) and \(HumanUnits.list(few))") }
      return "**Object by object against batches.** \(parts.joined(separator: "; ").uppercasedFirst)."
    }
  }

  /// Each cell compared with the reference, the nearest first.
  ///
  /// If there are many, the nearest two and the furthest.
  func reference(_ findings: [Finding]) -> [String] {
    byGroup(findings).map { own in
      let reference = own.first?.cells.last.map(name) ?? ""
      let isCut = own.count > Prose.mostListed
      let listed = isCut ? Array(own.prefix(2) + own.suffix(1)) : own
      let areFew = listed.count > 1 && listed.allSatisfy { $0.certainty == .tooFewRounds }
      let words = listed.enumerated().map { index, finding in
        let ratio = finding.estimates[0]
        let doubt = !areFew && finding.certainty == .tooFewRounds ? " (too few rounds for an interval)" : ""
        let figure = index == 0 ? "takes \(times(ratio))" : HumanUnits.ratio(ratio)
        return "\(name(finding.cells[0])) \(figure)\(doubt)"
      }
      let order = isCut ? " (the nearest two and the furthest)" : ""
      return "**Against the reference**, \(reference)\(order): \(HumanUnits.list(words))"
        + (areFew ? "; too few rounds for intervals." : ".")
    }
  }

  /// More cells are summarized by the two ends; the tables list all of them.
  private static let mostListed = 6

  /// Findings of one group that share their first or their last cell, in the order of their first occurrence.
  private func byGroup(_ findings: [Finding]) -> [[Finding]] {
    var parts: [[Finding]] = []
    for finding in findings {
      let known = parts.firstIndex { part in
        part[0].group == finding.group
          && (part[0].cells.last == finding.cells.last || part[0].cells.first == finding.cells.first)
      }
      if let known { parts[known].append(finding) } else { parts.append([finding]) }
    }
    return parts
  }
}

extension WorkDifference {
  fileprivate var isOfDurabilityAlone: Bool {
    !durability.isEmpty && unansweredPragmas.isEmpty && linkedRows == 0 && !hasOtherLinks && rows == 0
      && !hasOtherAttributes && !isOfIndexes
  }

  private var isOfIndexes: Bool { indexes != 0 || hasOtherIndexes }

  /// More of at least one thing, and less of none.
  fileprivate var isOfMore: Bool { min(linkedRows, indexes) >= 0 && max(linkedRows, indexes) > 0 && rows >= 0 }

  fileprivate var isOfLess: Bool { max(linkedRows, indexes) <= 0 && min(linkedRows, indexes) < 0 && rows <= 0 }

  fileprivate var isOfLinksAlone: Bool {
    linkedRows > 0 && rows == 0 && !hasOtherAttributes && durability.isEmpty && unansweredPragmas.isEmpty
      && !isOfIndexes
  }
}

extension StorePragma {
  /// The value as scenarios spell it, if SQLite returns the number of a word.
  var word: String {
    let words = [
      "synchronous": ["off", "normal", "full", "extra"], "auto_vacuum": ["none", "full", "incremental"],
      "temp_store": ["default", "file", "memory"],
    ]
    guard let words = words[name], let number = Int(value), words.indices.contains(number) else { return value }
    return words[number]
  }
}
