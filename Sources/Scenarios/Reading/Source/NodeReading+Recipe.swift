// Parts that recipes of synthetic values and of links share: bounds, and the numbers of distributions.

extension NodeReading {
  /// A whole number, or a list of the least and the greatest.
  func bounds(_ node: YAMLNode, in range: ClosedRange<Int>, example: String) -> ClosedRange<Int>? {
    guard case .list(let items) = node.content else { return wholeNumber(node, in: range).map { $0...$0 } }
    guard items.count == 2 else {
      diagnose(
        node.place, found: "a list of \(items.count)", expected: "the least and the greatest, such as \(example)")
      return nil
    }
    guard let low = wholeNumber(items[0], in: range), let high = wholeNumber(items[1], in: range) else { return nil }
    guard low <= high else {
      diagnose(node.place, found: "[\(low), \(high)]", expected: "the smaller number first: [\(high), \(low)]")
      return nil
    }
    return low...high
  }

  /// The exponent of a Zipf distribution.
  func exponent(_ node: YAMLNode) -> Double? {
    let expected = "a number above 0 and up to 10, such as 1"
    guard let text = text(node, expected: expected) else { return nil }
    guard let number = decimalNumber(text), number > 0, number <= 10 else {
      diagnose(node.place, found: node.kind, expected: expected)
      return nil
    }
    return number
  }
}
