// Reads words and numbers in the notations that people use.
internal import BatchmarkEngine

extension NodeReading {
  /// Text that is not empty.
  func text(_ node: YAMLNode, expected: String) -> String? {
    guard let text = node.text, !node.isNothing, !text.isEmpty else {
      diagnose(node.place, found: node.kind, expected: expected)
      return nil
    }
    return text
  }

  /// One of some words, as declared, in any case.
  func word(_ node: YAMLNode, among words: [String]) -> String? {
    guard let text = text(node, expected: "one of " + words.joined(separator: ", ")) else { return nil }
    if words.contains(text) { return text }
    let lowercased = text.lowercased()
    if let word = words.first(where: { $0.lowercased() == lowercased }) { return word }
    diagnose(node.place, found: shown(text), word: text, words: words)
    return nil
  }

  /// Whether a node is true.
  ///
  /// A node that is neither true nor false is reported and counts as false.
  func isTrue(_ node: YAMLNode) -> Bool { word(node, among: ["true", "false"]) == "true" }

  /// A whole number in a range, with or without underscores between its digits.
  func wholeNumber<Number: FixedWidthInteger>(
    _ node: YAMLNode, in range: ClosedRange<Number>, of what: String = ""
  ) -> Number? {
    let expected = "a whole number\(what) from \(range.lowerBound) to \(range.upperBound)"
    guard case .scalar(let text, isQuoted: false) = node.content, let digits = wholeNumberDigits(text) else {
      diagnose(node.place, found: node.kind, expected: expected)
      return nil
    }
    guard let number = Number(digits), range.contains(number) else {
      diagnose(node.place, found: String(text.prefix(40)), expected: expected)
      return nil
    }
    return number
  }

  /// A percentage, as a number from 0 to 1.
  func share(_ node: YAMLNode) -> Double? {
    let expected = "a percentage from 0% to 100%"
    guard let text = text(node, expected: expected) else { return nil }
    if text.hasSuffix("%"), let percent = decimalNumber(text.dropLast()), (0...100).contains(percent) {
      return percent / 100
    }
    // A number without a percent sign is ambiguous: both 0.05 and 5 may mean five percent.
    let suggestion = decimalNumber(text[...]).flatMap { number -> String? in
      guard (0...100).contains(number) else { return nil }
      return number > 0 && number < 1 ? percentText(number) : "\(text)%"
    }
    diagnose(node.place, found: node.kind, expected: expected, suggestion: suggestion)
    return nil
  }

  /// A duration of at most a day, in seconds: `600 s`, `500 ms`, `10 min`, `1 h`.
  func seconds(_ node: YAMLNode) -> Double? {
    let expected = "a duration above 0 and up to 24 h, such as 600 s (ms, s, min and h are units)"
    guard let text = text(node, expected: expected) else { return nil }
    let number = text.prefix { $0.isNumber || "+-._".contains($0) }
    let unit = text.dropFirst(number.count).drop { $0 == " " }
    let factors: [Substring: Double] = ["ms": 0.001, "s": 1, "min": 60, "h": 3600]
    guard let factor = factors[unit], let value = decimalNumber(number), value > 0, value * factor <= 86_400 else {
      let suggestion = unit.isEmpty && decimalNumber(number) ?? 0 > 0 ? "\(text) s" : nil
      diagnose(node.place, found: node.kind, expected: expected, suggestion: suggestion)
      return nil
    }
    return value * factor
  }
}

/// Whether a text has only ASCII letters, digits, '-', '_' and '.', like a part of a cell's id.
package func isName(_ text: String) -> Bool {
  text.utf8.allSatisfy { byte in
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF) || "-_.".utf8.contains(byte)
  }
}
