// What a fetch reads of groups of rows: a row for each value of an attribute, with aggregates over the rows with this
// value.
public import CoreDataModel
public import ObjectGraph

/// How rows are grouped, and what is computed for each group.
///
/// ```swift
/// let networks = RowGrouping(by: "net", [Aggregate(.count), Aggregate(.maximum, of: "magnitude")])
/// networks.description  // "count, max(magnitude) by net"
/// ```
public struct RowGrouping: Sendable, Hashable, CustomStringConvertible {
  /// The attribute to group by.
  ///
  /// Rows without a value form their own group.
  public let attribute: String
  /// The aggregates of each group, in this order.
  public let aggregates: [Aggregate]

  /// Groups by an attribute, with aggregates for each group.
  public init(by attribute: String, _ aggregates: [Aggregate]) {
    self.attribute = attribute
    self.aggregates = aggregates
  }

  /// The aggregates, then the grouping attribute.
  public var description: String { "\(aggregates.map(\.description).joined(separator: ", ")) by \(attribute)" }
}

/// A number computed from the rows of a group, independent of their order.
public struct Aggregate: Sendable, Hashable, CustomStringConvertible {
  /// The function.
  ///
  /// A sum is only possible for integers, because a sum of other numbers depends on their order.
  public enum Function: String, Sendable, Hashable, CaseIterable {
    case count
    case sum
    case minimum = "min"
    case maximum = "max"
  }

  /// The function of the aggregate.
  public let function: Function
  /// Its attribute; `nil` for the number of rows.
  public let attribute: String?

  /// An aggregate of an attribute's values, or the number of rows.
  public init(_ function: Function, of attribute: String? = nil) {
    self.function = function
    self.attribute = attribute
  }

  /// `count`, or `max(magnitude)`.
  public var description: String { function.rawValue + (attribute.map { "(\($0))" } ?? "") }

  /// The aggregate in SQL, over a column.
  public func sql(_ column: String?) -> String { "\(function.rawValue)(\(column ?? "*"))" }

  /// The aggregate's function in ObjectGraph.
  public var objectGraphFunction: AggregateFunction {
    switch function {
    case .count: .count
    case .sum: .sum
    case .minimum: .minimum
    case .maximum: .maximum
    }
  }

  /// The type of the result, in an entity.
  public func type(in entity: EntityDescription) -> AttributeType {
    switch function {
    case .count, .sum: .int64
    case .minimum, .maximum: attribute.flatMap { entity.attribute(named: $0)?.type } ?? .int64
    }
  }
}

/// What some strategies can do with stored rows in addition to reading them.
public enum FetchAbility: String, Sendable, Hashable, CaseIterable {
  /// Following relationships from each row.
  case follow
  /// Computing aggregates over groups of rows.
  case group
}
