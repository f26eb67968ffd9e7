// The check of a store in words: what was checked, the damage of the file and the broken rules.

internal import Analysis

extension InspectionPage {
  init(_ inspection: IntegrityInspection) {
    var blocks: [Block] = [.heading(1, inspection.file), .facts(inspection.facts)]
    func append(_ title: String, _ items: [String]) {
      blocks.append(.heading(2, title))
      blocks.append(items.isEmpty ? .sentence("None was found.") : .list(items))
    }
    append("Damage", inspection.damage)
    if let integrity = inspection.integrity {
      append("Broken rules", integrity.breaches.map { "\($0)." })
    } else {
      blocks.append(.heading(2, "Broken rules"))
      blocks.append(.sentence("The file is too damaged to check its rows."))
    }
    if let remarks = inspection.model?.remarks, !remarks.isEmpty {
      blocks.append(.heading(2, "Remarks"))
      blocks.append(.list(remarks))
    }
    self.init(blocks)
  }
}

extension IntegrityInspection {
  fileprivate var facts: [(name: String, text: String)] {
    var facts = [("store", isSound ? "sound" : "not sound")]
    if let model { facts.append(("model", "from the \(model.origin == .schema ? "tables" : model.origin.rawValue)")) }
    if let integrity {
      facts.append(
        (
          "checked",
          [
            HumanUnits.counted(integrity.relationships, "relationship"), HumanUnits.counted(integrity.keys, "key"),
            HumanUnits.counted(integrity.pairs, "pair") + " of many-to-many relationships",
          ].joined(separator: ", ")
        ))
    }
    if model?.origin == .schema {
      facts.append(("not checked", "required relationships and one-to-one pairs, which tables alone do not show"))
    }
    return facts.map { (name: $0.0, text: $0.1) }
  }
}
