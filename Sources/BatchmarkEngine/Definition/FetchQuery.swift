// What a fetch reads: which rows, in which order, and which part of them.
public import ObjectGraph

/// The rows that a fetch reads.
///
/// ```swift
/// let page = FetchQuery(order: "code", offset: 40, limit: 20)
/// page.description  // "by code from 40, at most 20"
/// ```
public struct FetchQuery: Sendable, Hashable, CustomStringConvertible {
  /// Which rows are meant; nil for all of them.
  public let condition: RowCondition?
  /// The unique attribute that they are ordered by, so that every engine finds the same; nil for no particular order.
  public let order: String?
  public let isAscending: Bool
  /// How many of them are left out at the start.
  public let offset: Int
  /// How many are read at most; nil for all.
  public let limit: Int?

  /// A query for all rows, or for those that the parameters leave.
  public init(
    where condition: RowCondition? = nil, order: String? = nil, isAscending: Bool = true, offset: Int = 0,
    limit: Int? = nil
  ) {
    self.condition = condition
    self.order = order
    self.isAscending = isAscending
    self.offset = offset
    self.limit = limit
  }

  /// Whether it reads a part of the rows that meet the condition.
  public var isPart: Bool { offset > 0 || limit != nil }

  /// The query as a fetch request's sort descriptors.
  public var sortDescriptors: [FetchSortDescriptor] {
    order.map { [FetchSortDescriptor($0, ascending: isAscending)] } ?? []
  }

  /// The condition as a predicate's format, then order and part.
  public var description: String {
    let order = order.map { " by \($0)\(isAscending ? "" : " descending")" } ?? ""
    let part = (offset > 0 ? " from \(offset)" : "") + (limit.map { ", at most \($0)" } ?? "")
    let words = (condition.map { "\($0)" } ?? "") + order + part
    return words.isEmpty ? "every row" : String(words.drop { $0 == " " || $0 == "," })
  }
}
