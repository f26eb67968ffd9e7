// The integrity of a store: no keys without rows, no required relationships without objects, no pairs known to only one
// end.

/// The rules of an object graph, checked in a store's file.
///
/// SQLite's own `PRAGMA integrity_check` checks pages and indexes. This checks the references between rows. It does not check
/// counts of to-many relationships, which are validation rules that batch requests do not follow.
///
/// ```swift
/// let integrity = try coordinator.integrity(of: store)
/// for breach in integrity.breaches { print(breach) }  // such as: 2 keys of Quake.region lead to no row
/// ```
public struct StoreIntegrity: Sendable, Hashable, Codable {
  /// A rule that every row of a store must follow.
  public enum Rule: String, Sendable, Hashable, Codable, CaseIterable {
    /// Every key has a row.
    case keyLeadsToRow = "key_leads_to_row"
    /// The row has the relationship's destination entity or a sub-entity.
    case keyLeadsToEntity = "key_leads_to_entity"
    /// The entity number next to a key is that of its row.
    case entityNumberOfKey = "entity_number_of_key"
    /// A required to-one relationship has an object.
    case requiredObject = "required_object"
    /// Both ends of a one-to-one relationship, or of a relationship that is its own inverse, refer to each other.
    case bothEnds = "both_ends"
  }

  /// A broken rule in one relationship.
  public struct Breach: Sendable, Hashable, Codable, CustomStringConvertible {
    public var rule: Rule
    /// The entity that declares the relationship.
    public var entity: String
    public var relationship: String
    /// How many keys, rows or pairs break the rule.
    public var count: Int
    /// The first such rows, as URIs of their objects, three at most.
    public var examples: [String]

    public init(rule: Rule, entity: String, relationship: String, count: Int, examples: [String]) {
      self.rule = rule
      self.entity = entity
      self.relationship = relationship
      self.count = count
      self.examples = examples
    }

    public var description: String {
      let name = "\(entity).\(relationship)"
      let text =
        switch (rule, count == 1) {
        case (.keyLeadsToRow, true): "1 key of \(name) leads to no row"
        case (.keyLeadsToRow, false): "\(count) keys of \(name) lead to no row"
        case (.keyLeadsToEntity, true): "1 key of \(name) leads to a row of another entity"
        case (.keyLeadsToEntity, false): "\(count) keys of \(name) lead to rows of other entities"
        case (.entityNumberOfKey, true): "1 key of \(name) has the number of another entity beside it"
        case (.entityNumberOfKey, false): "\(count) keys of \(name) have the numbers of other entities beside them"
        case (.requiredObject, true): "1 row has no object in \(name), which is required"
        case (.requiredObject, false): "\(count) rows have no object in \(name), which is required"
        case (.bothEnds, true): "1 pair of \(name) is known to one of its ends only"
        case (.bothEnds, false): "\(count) pairs of \(name) are known to one of their ends only"
        }
      return examples.isEmpty
        ? text : "\(text): \(examples.joined(separator: ", "))\(count > examples.count ? ", …" : "")"
    }
  }

  /// The broken rules, by entity and relationship; empty for a valid store.
  public internal(set) var breaches: [Breach] = []
  /// How many relationships were checked.
  ///
  /// A many-to-many relationship counts once; a one-to-many is checked from its to-one end.
  public internal(set) var relationships = 0
  /// How many keys of to-one relationships were followed.
  public internal(set) var keys = 0
  /// How many pairs of many-to-many relationships were checked.
  public internal(set) var pairs = 0

  /// Whether no rule is broken.
  public var isSound: Bool { breaches.isEmpty }
}
