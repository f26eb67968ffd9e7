// Numbers and how often each occurs, as profiles of synthetic data have them.
import BatchmarkEngine

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
        diagnose(entry.value.place, found: "more than \(mostRows) in all", expected: "at most so many")
        return nil
      }
    }
    return Distribution(counts)
  }
}
