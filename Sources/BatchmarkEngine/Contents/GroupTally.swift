// Groups of rows that are counted one by one, as in an app that groups objects in memory.
public import CoreDataModel

/// Counts rows by the value of an attribute.
///
/// ```swift
/// var tally = GroupTally(RowGrouping(by: "net", [Aggregate(.count)]), of: quake)
/// let names = tally.names
/// tally.add { names[$0] == "net" ? "us" : .null }
/// tally.count  // 1
/// ```
public struct GroupTally {
  /// The value of a group.
  ///
  /// As in a store, texts with different bytes are different.
  private struct Key: Hashable {
    let value: AttributeValue

    static func == (one: Key, other: Key) -> Bool { one.value.isStored(as: other.value) }

    func hash(into hasher: inout Hasher) { hasher.combine(value) }
  }

  fileprivate struct Group {
    var rows: Int64 = 0
    /// The current value of each aggregate: null before the first value, 0 for a count.
    var values: [AttributeValue]
  }

  private let grouping: RowGrouping
  private let type: AttributeType
  private let types: [AttributeType]
  /// The functions of the aggregates.
  private let functions: [Aggregate.Function]
  /// The results without any row.
  private let none: [AttributeValue]
  private var groups: [Key: Group] = [:]

  /// Starts with no groups.
  public init(_ grouping: RowGrouping, of entity: EntityDescription) {
    self.grouping = grouping
    type = entity.attribute(named: grouping.attribute)?.type ?? .string
    types = grouping.aggregates.map { $0.type(in: entity) }
    functions = grouping.aggregates.filter { $0.attribute != nil }.map(\.function)
    none = functions.map { $0 == .count ? .integer(0) : .null }
  }

  /// The attributes that ``add(_:)`` asks for: the grouping attribute, then those of the aggregates.
  public var names: [String] { [grouping.attribute] + grouping.aggregates.compactMap(\.attribute) }

  /// The number of groups.
  public var count: Int { groups.count }

  /// Adds a row.
  ///
  /// `value` returns its value of an attribute, by the position in ``names``.
  public mutating func add(_ value: (Int) -> AttributeValue) {
    groups[Key(value: value(0)), default: Group(values: none)].add(functions, value)
  }

  /// Adds the groups to the rows of a fetch.
  public func add(to rows: inout FetchedRows) {
    for (key, group) in groups {
      var hash = RowHash()
      hash.add(key.value, type: type)
      var next = 0
      for (aggregate, type) in zip(grouping.aggregates, types) {
        if aggregate.attribute == nil {
          hash.add(group.rows)
        } else {
          hash.add(group.values[next], type: type)
          next += 1
        }
      }
      rows.add(hash)
    }
  }
}

extension GroupTally.Group {
  /// Adds a row; its first value is that of the group.
  @inline(__always)
  fileprivate mutating func add(_ functions: [Aggregate.Function], _ value: (Int) -> AttributeValue) {
    rows += 1
    for index in functions.indices {
      let value = value(index + 1)
      if value.isNull { continue }
      let known = values[index]
      switch functions[index] {
      case .count: values[index] = .integer((known.wholeNumber ?? 0) + 1)
      case .sum: values[index] = .integer((known.wholeNumber ?? 0) &+ (value.wholeNumber ?? 0))
      case .minimum: if known.isNull || value.precedes(known) { values[index] = value }
      case .maximum: if known.isNull || known.precedes(value) { values[index] = value }
      }
    }
  }
}

extension AttributeValue {
  fileprivate var wholeNumber: Int64? { if case .integer(let number) = self { number } else { nil } }

  /// Whether it comes before another value of its type.
  fileprivate func precedes(_ other: AttributeValue) -> Bool {
    switch (self, other) {
    case (.integer(let one), .integer(let two)): one < two
    case (.real(let one), .real(let two)): one < two
    case (.decimal(let one), .decimal(let two)): one < two
    case (.date(let one), .date(let two)): one < two
    default: false
    }
  }
}
