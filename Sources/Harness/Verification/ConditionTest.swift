// Whether a row of the source meets a condition, evaluated independently of the engines.
internal import BatchmarkEngine
internal import CoreDataModel
internal import ObjectGraph

/// A condition prepared for testing many rows.
indirect enum ConditionTest {
  case comparison(column: Int, ComparisonOperator, [StoredValue])
  /// Whether the value is in a list. It uses hashes, because the list may be long.
  case membership(column: Int, Set<RowHash>)
  case constant(Bool)
  case and([ConditionTest])
  case or([ConditionTest])
  case not(ConditionTest)

  /// Finds the condition's attributes among those of the rows.
  ///
  /// A missing one is null in every row.
  init(_ condition: RowCondition, attributes: [AttributeDescription]) {
    switch condition {
    case .comparison(let name, let comparison, let values):
      let column = attributes.firstIndex { $0.name == name }
      let type = column.map { attributes[$0].type } ?? .string
      let stored = values.map { StoredValue($0, type: type) }
      self =
        comparison == .isIn
        ? .membership(column: column ?? -1, Set(stored.map(\.hash)))
        : .comparison(column: column ?? -1, comparison, stored)
    case .constant(let value): self = .constant(value)
    case .and(let terms): self = .and(terms.map { ConditionTest($0, attributes: attributes) })
    case .or(let terms): self = .or(terms.map { ConditionTest($0, attributes: attributes) })
    case .not(let term): self = .not(ConditionTest(term, attributes: attributes))
    }
  }

  /// Whether the row meets the condition.
  ///
  /// The closure returns the row's stored value of a column.
  func holds(_ value: (Int) -> StoredValue) -> Bool {
    switch self {
    case .comparison(let column, let comparison, let values): comparison.holds(value(column), values)
    case .membership(let column, let list): list.contains(value(column).hash)
    case .constant(let truth): truth
    case .and(let terms): terms.allSatisfy { $0.holds(value) }
    case .or(let terms): terms.contains { $0.holds(value) }
    case .not(let term): !term.holds(value)
    }
  }
}

extension ComparisonOperator {
  fileprivate func holds(_ value: StoredValue, _ values: [StoredValue]) -> Bool {
    guard let first = values.first else { return false }
    switch self {
    case .equal: return value.equals(first)
    case .notEqual: return !value.equals(first)
    case .less: return value.precedes(first) == true
    case .lessOrEqual: return first.precedes(value) == false
    case .greater: return first.precedes(value) == true
    case .greaterOrEqual: return value.precedes(first) == false
    case .between: return values.count == 2 && value.precedes(first) == false && values[1].precedes(value) == false
    case .beginsWith: return value.text?.utf8.starts(with: (first.text ?? "").utf8) == true
    case .contains: return value.text.map { contains($0, first.text ?? "") } == true
    // A list is a membership; conditions never have the others.
    case .isIn, .endsWith, .like, .matches: return false
    }
  }

  /// Compares bytes, as SQLite does.
  private func contains(_ text: String, _ part: String) -> Bool {
    let (text, part) = (Array(text.utf8), Array(part.utf8))
    guard text.count >= part.count else { return false }
    return (0...(text.count - part.count)).contains { text[$0...].starts(with: part) }
  }
}

extension StoredValue {
  /// A hash of the value: null equals only null, and text is compared byte by byte.
  fileprivate var hash: RowHash {
    var hash = RowHash()
    add(to: &hash)
    return hash
  }

  /// Null equals only null; text is compared byte by byte.
  func equals(_ other: StoredValue) -> Bool {
    integer == other.integer && real == other.real && blob == other.blob
      && text.map { Array($0.utf8) } == other.text.map { Array($0.utf8) }
  }

  /// Whether the value comes before the other; `nil` if they have no order, as with null.
  func precedes(_ other: StoredValue) -> Bool? {
    if let one = integer, let two = other.integer { return one < two }
    if let one = real, let two = other.real { return one < two }
    if let one = text, let two = other.text { return one.utf8.lexicographicallyPrecedes(two.utf8) }
    return nil
  }
}
