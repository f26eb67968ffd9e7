// What a fetch reads of groups of rows: a row for each value of an attribute, with aggregates over the rows that have it.
public import CoreDataModel
public import ObjectGraph

/// How rows are grouped, and what is worked out for each group.
///
/// ```swift
/// let networks = RowGrouping(by: "net", [Aggregate(.count), Aggregate(.maximum, of: "magnitude")])
/// networks.description  // "count, max(magnitude) by net"
/// ```
public struct RowGrouping: Sendable, Hashable, CustomStringConvertible {
  /// The attribute whose values make the groups; rows without one are a group of their own.
  public let attribute: String
  /// What is worked out for each group, in this order.
  public let aggregates: [Aggregate]

  /// Groups by an attribute, with aggregates of each.
  public init(by attribute: String, _ aggregates: [Aggregate]) {
    self.attribute = attribute
    self.aggregates = aggregates
  }

  /// The aggregates, then the attribute that they are grouped by.
  public var description: String { "\(aggregates.map(\.description).joined(separator: ", ")) by \(attribute)" }
}

/// A number computed from the rows of a group, whatever their order.
public struct Aggregate: Sendable, Hashable, CustomStringConvertible {
  /// What is worked out; a sum is one of integers, since the sum of other numbers depends on their order.
  public enum Function: String, Sendable, Hashable, CaseIterable {
    case count
    case sum
    case minimum = "min"
    case maximum = "max"
  }

  /// What is worked out.
  public let function: Function
  /// The attribute that it is of; nil for the number of rows.
  public let attribute: String?

  /// An aggregate of an attribute's values, or the number of rows.
  public init(_ function: Function, of attribute: String? = nil) {
    self.function = function
    self.attribute = attribute
  }

  /// `count`, or `max(magnitude)`.
  public var description: String { function.rawValue + (attribute.map { "(\($0))" } ?? "") }

  /// The same in SQL, over a column.
  public func sql(_ column: String?) -> String { "\(function.rawValue)(\(column ?? "*"))" }

  /// The same as ObjectGraph knows it.
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

/// What some strategies can do with stored rows, beside reading them.
public enum FetchAbility: String, Sendable, Hashable, CaseIterable {
  /// Following relationships from each row.
  case follow
  /// Working out aggregates over groups of rows.
  case group
}
