// An inspection as a page of headings, facts, tables and lists, which is rendered as Markdown or for a terminal.
internal import Analysis

/// The parts of a page, in order.
struct InspectionPage {
  enum Block {
    case heading(Int, String)
    /// Names with their values.
    case facts([(name: String, text: String)])
    case table(Grid)
    case list([String])
    case sentence(String)
  }

  /// A table of text; its first column is left-aligned.
  struct Grid {
    let columns: [(title: String, alignment: Table.Alignment)]
    var rows: [[String]] = []

    init(left: [String], right: [String] = [], leftAgain: [String] = []) {
      columns = left.map { ($0, .left) } + right.map { ($0, .right) } + leftAgain.map { ($0, .left) }
    }
  }

  private(set) var blocks: [Block]

  init(_ blocks: [Block]) { self.blocks = blocks }

  init(_ inspection: StoreInspection) {
    blocks = [.heading(1, inspection.file.name), .facts(inspection.fileFacts)]
    blocks.append(.heading(2, "Entities"))
    blocks.append(.table(InspectionPage.entities(inspection.entities)))
    for entity in inspection.entities { append(entity) }
    if !inspection.joinTables.isEmpty {
      blocks.append(.heading(2, "Join tables"))
      blocks.append(.table(InspectionPage.joinTables(inspection.joinTables)))
    }
    blocks.append(.heading(2, "Sizes"))
    if let objects = inspection.sizes.objects {
      blocks.append(.table(InspectionPage.sizes(objects)))
    } else {
      blocks.append(
        .sentence("This SQLite was built without the dbstat table, which alone knows the sizes of tables and indexes."))
    }
    blocks.append(.heading(2, "History"))
    blocks.append(inspection.history.map { .facts($0.facts) } ?? .sentence("The store has never kept history."))
    blocks.append(.heading(2, "Anomalies"))
    blocks.append(inspection.anomalies.isEmpty ? .sentence("None were found.") : .list(inspection.anomalies))
    if !inspection.model.remarks.isEmpty {
      blocks.append(.heading(2, "Remarks"))
      blocks.append(.list(inspection.model.remarks))
    }
  }

  // MARK: - Entities

  private static func entities(_ entities: [StoreInspection.Entity]) -> Grid {
    var table = Grid(
      left: ["entity", "inherits from"], right: ["number", "rows", "with sub-entities", "last key"])
    for entity in entities {
      table.rows.append([
        entity.name + (entity.isAbstract ? " (abstract)" : ""), entity.superentity ?? "",
        entity.number.map { "\($0)" } ?? "none", Digits.grouped(entity.rows),
        Digits.grouped(entity.rowsWithSubentities), entity.lastKey.map { Digits.grouped($0) } ?? "",
      ])
    }
    return table
  }

  private mutating func append(_ entity: StoreInspection.Entity) {
    if entity.attributes.isEmpty && entity.relationships.isEmpty { return }
    blocks.append(.heading(3, entity.name))
    if !entity.attributes.isEmpty { blocks.append(.table(InspectionPage.attributes(entity.attributes))) }
    if !entity.relationships.isEmpty { blocks.append(.table(InspectionPage.relationships(entity.relationships))) }
  }

  private static func attributes(_ attributes: [StoreInspection.Attribute]) -> Grid {
    let hasValues = attributes.contains { $0.values != nil }
    var table = Grid(
      left: ["attribute", "type", "optional", "derived from", "column"],
      right: ["null"] + (hasValues ? ["distinct"] : []), leftAgain: hasValues ? ["range", "most frequent"] : [])
    for attribute in attributes {
      table.rows.append(
        [
          attribute.name, attribute.type.rawValue, attribute.isOptional ? "optional" : "", attribute.derivation ?? "",
          attribute.column ?? "none", percent(attribute.nullShare),
        ] + (hasValues ? attribute.valueTexts : []))
    }
    return table
  }

  private static func relationships(_ relationships: [StoreInspection.Relationship]) -> Grid {
    var table = Grid(
      left: ["relationship", "leads to", "inverse", "optional", "delete rule", "kept in"], right: ["linked", "links"])
    for relationship in relationships {
      let count = relationship.isToMany ? (relationship.isOrdered ? "many, ordered" : "many") : "one"
      table.rows.append([
        relationship.name, "\(count): \(relationship.destination)", relationship.inverse ?? "none",
        relationship.isOptional ? "optional" : "", relationship.deleteRule.words, relationship.column ?? "none",
        percent(relationship.linkedShare), relationship.links.map { Digits.grouped($0) } ?? "",
      ])
    }
    return table
  }

  // MARK: - Tables

  private static func joinTables(_ tables: [StoreInspection.JoinTable]) -> Grid {
    var table = Grid(left: ["join table", "between"], right: ["rows"])
    for join in tables { table.rows.append([join.name, HumanUnits.list(join.ends), Digits.grouped(join.rows)]) }
    return table
  }

  private static func sizes(_ objects: [StoreInspection.Sizes.Object]) -> Grid {
    var table = Grid(left: ["name", "is"], right: ["pages", "size", "share", "unused"])
    for object in objects {
      table.rows.append([
        object.name, object.kind == .index ? "index of \(object.table)" : "table", Digits.grouped(object.pages),
        HumanUnits.bytes(object.bytes), percent(object.share), HumanUnits.bytes(object.unusedBytes),
      ])
    }
    return table
  }

  /// `12.5 %`; empty without a share.
  static func percent(_ share: Double?) -> String {
    share.map { Digits.fixed($0 * 100, decimals: 1) + " %" } ?? ""
  }
}

extension DeleteRule {
  fileprivate var words: String {
    switch self {
    case .noAction: "no action"
    case .nullify, .cascade, .deny: rawValue
    }
  }
}

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
