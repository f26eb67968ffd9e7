// What a fetch reads: which rows, in which order, and which part of them.
package import CoreDataModel
public import ObjectGraph

/// The rows that a fetch reads.
///
/// ```swift
/// let page = FetchQuery(order: "code", offset: 40, limit: 20)
/// page.description  // "by code from 40, at most 20"
/// ```
public struct FetchQuery: Sendable, Hashable, CustomStringConvertible {
  /// The selected rows; `nil` for all of them.
  public let condition: RowCondition?
  /// The unique attribute that orders them, so that every engine has the same order; `nil` for any order.
  public let order: String?
  public let isAscending: Bool
  /// How many of them are skipped.
  public let offset: Int
  /// How many are read at most; `nil` for all.
  public let limit: Int?
  /// The relationships to follow from each row, one after the other; empty for none.
  public let path: [String]
  /// The attribute to group the rows by, and what to read of each group instead of its rows; `nil` to read rows.
  public let grouping: RowGrouping?
  /// A list of values taken from the rows, one of which each row must have; `nil` without a list.
  ///
  /// The condition contains the list for engines.
  package var among: ValueList?

  /// A query for all rows, or for those that the parameters select.
  public init(
    where condition: RowCondition? = nil, order: String? = nil, isAscending: Bool = true, offset: Int = 0,
    limit: Int? = nil, following path: [String] = [], grouping: RowGrouping? = nil
  ) {
    self.condition = condition
    self.order = order
    self.isAscending = isAscending
    self.offset = offset
    self.limit = limit
    self.path = path
    self.grouping = grouping
  }

  /// Whether it reads only a part of the rows that match the condition.
  public var isPart: Bool { offset > 0 || limit != nil }

  /// The ability that a strategy needs to answer it; `nil` for a query that every strategy can answer.
  package var ability: FetchAbility? { !path.isEmpty ? .follow : grouping != nil ? .group : nil }

  /// The same query, with the values of its list in its condition.
  package func listing(_ values: [AttributeValue]) -> FetchQuery {
    guard let among else { return self }
    let list = RowCondition.comparison(attribute: among.attribute, .isIn, values)
    return FetchQuery(
      where: condition.map { .and([$0, list]) } ?? list, order: order, isAscending: isAscending, offset: offset,
      limit: limit, following: path, grouping: grouping)
  }

  /// The query as a fetch request's sort descriptors.
  public var sortDescriptors: [FetchSortDescriptor] {
    order.map { [FetchSortDescriptor($0, ascending: isAscending)] } ?? []
  }

  /// The selected rows, as a predicate's format; `nil` for all rows.
  package var chosen: String? {
    let list = among.map { (condition == nil ? "" : " AND ") + "\($0)" } ?? ""
    let words = (condition.map { "\($0)" } ?? "") + list
    return words.isEmpty ? nil : words
  }

  /// The order, the part, the relationships and the groups; `nil` for a plain fetch of all rows.
  package var manner: String? {
    let order = order.map { " by \($0)\(isAscending ? "" : " descending")" } ?? ""
    let part = (offset > 0 ? " from \(offset)" : "") + (limit.map { ", at most \($0)" } ?? "")
    let followed = path.isEmpty ? "" : ", with \(path.joined(separator: "."))"
    let grouped = grouping.map { ", \($0)" } ?? ""
    let words = order + part + followed + grouped
    return words.isEmpty ? nil : String(words.drop { $0 == " " || $0 == "," })
  }

  /// Which rows it reads, and then how.
  public var description: String {
    let words = [chosen, manner].compactMap(\.self).joined(separator: ", ")
    return words.isEmpty ? "every row" : words
  }
}

/// A number of values of a unique attribute, evenly spread over the rows of a source.
package struct ValueList: Sendable, Hashable, CustomStringConvertible {
  package let attribute: String
  package let count: Int

  package init(of attribute: String, count: Int) {
    self.attribute = attribute
    self.count = count
  }

  /// The maximum number of values: SQLite allows 32,766 parameters in a statement.
  package static let most = 30_000

  /// The rows with values in the list, of `all` rows; all of them if there are no more.
  package func rows(of all: Int) -> [Int] {
    count >= all ? Array(0..<all) : (0..<count).map { $0 * all / count }
  }

  package var description: String { "\(attribute) IN \(count) values" }
}
