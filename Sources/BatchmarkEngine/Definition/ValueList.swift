// A list of values that a scenario gives by its length, because nobody writes down ten thousand of them.

/// So many values of a unique attribute, evenly spread over the rows that a source gives.
package struct ValueList: Sendable, Hashable, CustomStringConvertible {
  package let attribute: String
  package let count: Int

  package init(of attribute: String, count: Int) {
    self.attribute = attribute
    self.count = count
  }

  /// The most values: SQLite takes 32,766 parameters in a statement.
  package static let most = 30_000

  /// The rows whose values are in the list, of so many: all where there are no more.
  package func rows(of all: Int) -> [Int] {
    count >= all ? Array(0..<all) : (0..<count).map { $0 * all / count }
  }

  package var description: String { "\(attribute) IN \(count) values" }
}
