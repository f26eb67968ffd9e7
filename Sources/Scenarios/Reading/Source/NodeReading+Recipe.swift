// The parts that recipes of synthetic values and of links share: bounds, and the numbers of distributions.
import BatchmarkEngine

extension NodeReading {
  /// A whole number, or a list of the minimum and the maximum.
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

extension NodeReading {
  /// Numbers and how often each occurs.
  func distribution(
    _ node: YAMLNode, of what: String, in range: ClosedRange<Int>
  ) -> Distribution? {
    guard let entries = entries(node, expected: "a mapping of \(what) and how often each occurs, such as {12: 300}")
    else { return nil }
    var counts: [Int: Int] = [:]
    var total = 0
    for entry in entries {
      let key = YAMLNode(.scalar(entry.key, isQuoted: false), at: entry.keyPlace)
      guard let number = wholeNumber(key, in: range), let count = wholeNumber(entry.value, in: 1...mostRows) else {
        return nil
      }
      if counts.updateValue(count, forKey: number) != nil {
        diagnose(entry.keyPlace, found: "the number \(number) again", expected: "each once")
      }
      total += count
      guard total <= mostRows else {
        diagnose(entry.value.place, found: "more than \(mostRows) in all", expected: "at most that many")
        return nil
      }
    }
    return Distribution(counts)
  }
}
