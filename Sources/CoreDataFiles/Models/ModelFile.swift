// Reads a model from the XML of a model file: its entities with what they declare, and its configurations.
internal import CoreDataModel

/// Reads the elements of a model file.
struct ModelFile {
  /// Elements of a model that do not affect its store: the editor's layout, composite types (their attributes get
  /// remarks), and notes.
  private static let otherElements: Set = ["elements", "composite", "userInfo"]
  /// The attributes of a fetch request that are read; models use either name for the last one.
  private static let templateAttributes: Set = [
    "name", "entity", "predicateString", "fetchLimit", "fetchBatchSize", "includeSubentities", "includesSubentities",
  ]
  /// The defaults of fetch requests, which an editor may write and every template has.
  private static let impliedOptions = [
    "includePropertyValues": "YES", "includePendingChanges": "YES", "returnObjectsAsFaults": "YES",
  ]

  private let root: ModelElement
  var draft = ModelDraft()

  init(_ root: ModelElement) { self.root = root }

  mutating func read() throws(MalformedContent) -> ModelDraft {
    guard root.name == "model" else {
      throw MalformedContent(found: "the XML element \(root.name.debugDescription)", expected: "model")
    }
    if let identifier = root["userDefinedModelVersionIdentifier"], !identifier.isEmpty {
      draft.versionIdentifiers = [identifier]
    }
    for child in root.children {
      switch child.name {
      case "entity": try draft.append(try entity(child))
      case "configuration": readConfiguration(child)
      case "fetchRequest": try readTemplate(child)
      default:
        if !ModelFile.otherElements.contains(child.name) { remarkUnknown(child, "The model") }
      }
    }
    return draft
  }

  private mutating func entity(_ element: ModelElement) throws(MalformedContent) -> EntityDescription {
    let name = try self.name(of: element)
    var entity = EntityDescription(
      name, superentity: element["parentEntity"], isAbstract: element.isSet("isAbstract"),
      renamingIdentifier: otherName(element, than: name), versionHashModifier: element["versionHashModifier"])
    for child in element.children {
      try draft.count(parts: 1 + child.children.reduce(0) { $0 + 1 + $1.children.count })
      switch child.name {
      case "attribute":
        if let attribute = try attribute(child, named: try self.name(of: child), of: name) {
          entity.attributes.append(attribute)
        }
      case "relationship":
        if let relationship = relationship(child, named: try self.name(of: child), of: name) {
          entity.relationships.append(relationship)
        }
      case "uniquenessConstraints":
        entity.uniquenessConstraints += child.children(named: "uniquenessConstraint").map { constraint in
          constraint.children(named: "constraint").compactMap { $0["value"] }
        }
      case "fetchIndex":
        if let index = fetchIndex(child, named: try self.name(of: child), of: name) {
          entity.fetchIndexes.append(index)
        }
      case "fetchedProperty":
        draft.remark(
          "\(name).\(try self.name(of: child)) is a fetched property, which has no place in a store: it is left out.")
      case "compoundIndexes", "userInfo": break
      default: remarkUnknown(child, name)
      }
    }
    addOldIndexes(element, to: &entity)
    return entity
  }

  /// The compound indexes and the indexed attributes of models before iOS 11.
  private func addOldIndexes(_ element: ModelElement, to entity: inout EntityDescription) {
    for indexes in element.children(named: "compoundIndexes") {
      for index in indexes.children(named: "compoundIndex") {
        entity.addCompoundIndex(on: index.children(named: "index").compactMap { $0["value"] })
      }
    }
    for child in element.children(named: "attribute") where child.isSet("indexed") {
      if let name = child["name"], entity.attribute(named: name)?.isTransient == false {
        entity.addIndex(onAttribute: name)
      }
    }
  }

  private mutating func fetchIndex(
    _ element: ModelElement, named name: String, of entity: String
  ) -> FetchIndexDescription? {
    let parts = element.children(named: "fetchIndexElement")
    var reason: String?
    if element["partialIndexPredicate"] != nil { reason = "covers some rows only" }
    if parts.contains(where: { $0["type"] == "RTree" }) { reason = "is an R-tree" }
    if parts.contains(where: { $0["expressionString"] != nil || $0["expression"] != nil }) {
      reason = "is over an expression"
    }
    if let reason {
      draft.remark("The fetch index \(entity).\(name) \(reason): it is left out.")
      return nil
    }
    return FetchIndexDescription(
      name, elements: parts.map { .init($0["property"] ?? "", isAscending: $0["order"] != "descending") })
  }

  private mutating func readConfiguration(_ element: ModelElement) {
    guard let name = element["name"] else { return }
    draft.configurations[name] = element.children(named: "memberEntity").compactMap { $0["name"] }.sorted()
  }

  private mutating func readTemplate(_ element: ModelElement) throws(MalformedContent) {
    try draft.count(parts: 1)
    let name = try self.name(of: element)
    let entity = try ModelDraft.checked(element["entity"] ?? "")
    draft.fetchRequestTemplates[name] = FetchRequestTemplate(
      entityName: entity, predicateFormat: element["predicateString"].flatMap { $0.isEmpty ? nil : $0 },
      fetchLimit: element["fetchLimit"].flatMap(Int.init) ?? 0,
      fetchBatchSize: element["fetchBatchSize"].flatMap(Int.init) ?? 0,
      includesSubentities: element["includeSubentities"] != "NO" && element["includesSubentities"] != "NO")
    var unread: [String] = []
    for (option, value) in element.attributes.sorted(by: { $0.key < $1.key })
    where !ModelFile.templateAttributes.contains(option) && ModelFile.impliedOptions[option] != value {
      unread.append(try ModelDraft.checked(option))
    }
    if !unread.isEmpty {
      draft.remark(
        "The fetch request template \(name.debugDescription) is read without \(unread.joined(separator: ", ")).")
    }
    for child in element.children where !ModelFile.otherElements.contains(child.name) {
      remarkUnknown(child, "The fetch request template \(name.debugDescription)")
    }
  }

  // MARK: - Names

  private func name(of element: ModelElement) throws(MalformedContent) -> String {
    if let name = element["name"] { return try ModelDraft.checked(name) }
    throw MalformedContent(found: "a nameless \(element.name) at line \(element.line)", expected: "a name")
  }

  /// The renaming identifier, which equals the name if nothing was renamed.
  func otherName(_ element: ModelElement, than name: String) -> String? {
    element["elementID"].flatMap { $0 == name || $0.isEmpty ? nil : $0 }
  }

  private mutating func remarkUnknown(_ element: ModelElement, _ position: String) {
    draft.remark(
      "\(position) has the element \(element.name) at line \(element.line), which is not known: it is left out.")
  }
}
