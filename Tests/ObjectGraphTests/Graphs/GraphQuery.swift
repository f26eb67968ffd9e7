// Fetches with results that the plain model knows.
@testable import CoreDataModel
import ObjectGraph

/// A query for the objects of an entity, as a predicate's format and as the model evaluates it.
struct GraphQuery: CustomStringConvertible {
  let entity: String
  let format: String
  let argument: Int
  /// Whether only changes to the objects themselves can affect the result: then unsaved changes decide.
  let isLocal: Bool

  var description: String { "\(entity) where \(format) [\(argument)]" }

  private static let templates: [(entity: String, format: String, isLocal: Bool)] = [
    ("Item", "value > %@", true),
    ("Item", "group == nil", true),
    ("Item", "group.id == %@", true),
    ("Item", "partner.id == %@", true),
    ("Item", "children.@count >= %@", true),
    ("Item", "friends.@count >= %@", true),
    ("Item", "ANY tags.id == %@", true),
    ("Group", "items.@count >= %@", true),
    ("Group", "leader != nil AND value >= %@", true),
    ("Tag", "ANY items.id == %@", true),
    ("Book", "pages.@count >= %@", true),
    ("Page", "book.id == %@", true),
    ("Item", "group.value >= %@", false),
    ("Item", "parent.partner.value >= %@", false),
    ("Group", "ANY items.value >= %@", false),
    ("Group", "ALL items.value >= %@", false),
    ("Tag", "SUBQUERY(items, $item, $item.value >= %@).@count >= 1", false),
  ]

  static func random(using generator: inout SeededGenerator, _ state: GraphState) -> GraphQuery {
    let template = generator.pick(templates)
    let named = template.format.contains("id ==")
    let argument =
      named
      ? generator.pick(state.records.keys.sorted() + [0]) : Int.random(in: 0..<4, using: &generator)
    return GraphQuery(
      entity: template.entity, format: template.format, argument: argument, isLocal: template.isLocal)
  }

  /// The records that match.
  func answer(_ view: GraphView) -> [Int] {
    view.state.ids(of: entity).filter { id in
      guard let record = view.state.records[id] else { return false }
      func value(_ id: Int?) -> Int64? {
        if let id, case .integer(let value)? = view.state.records[id]?.values["value"] { value } else { nil }
      }
      func reaches(_ id: Int?) -> Bool { value(id).map { $0 >= Int64(argument) } ?? false }
      switch format {
      case "value > %@": return value(id).map { $0 > Int64(argument) } ?? false
      case "group == nil": return record.links["group"] == nil
      case "group.id == %@": return record.links["group"] == argument
      case "partner.id == %@": return record.links["partner"] == argument
      case "book.id == %@": return record.links["book"] == argument
      case "children.@count >= %@": return view.toMany(id, "children").count >= argument
      case "friends.@count >= %@": return view.toMany(id, "friends").count >= argument
      case "items.@count >= %@": return view.toMany(id, "items").count >= argument
      case "pages.@count >= %@": return view.toMany(id, "pages").count >= argument
      case "ANY tags.id == %@": return view.toMany(id, "tags").contains(argument)
      case "ANY items.id == %@": return view.toMany(id, "items").contains(argument)
      case "leader != nil AND value >= %@": return record.links["leader"] != nil && reaches(id)
      case "group.value >= %@": return reaches(record.links["group"])
      case "parent.partner.value >= %@":
        return reaches(record.links["parent"].flatMap { view.state.records[$0]?.links["partner"] })
      case "ALL items.value >= %@": return view.toMany(id, "items").allSatisfy { reaches($0) }
      default: return view.toMany(id, "items").contains { reaches($0) }
      }
    }
  }
}
