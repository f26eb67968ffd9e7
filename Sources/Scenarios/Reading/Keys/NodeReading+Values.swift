// Reads the value of a key as the table of keys defines it.
import BatchmarkEngine

extension NodeReading {
  /// A value of a key, equal for two spellings of one value.
  func value(_ node: YAMLNode, of domain: ValueDomain) -> ParameterValue? {
    switch domain {
    case .words(let words): word(node, among: words).map { .word($0) }
    case .name: name(node).map { .word($0) }
    case .onOff(let more): onOff(node, or: more).map { .word($0) }
    case .number(let range, let what): wholeNumber(node, in: range, of: what).map { .count($0) }
    case .seed: seed(node).map { seed in Int(exactly: seed).map { .count($0) } ?? .word("\(seed)") }
    case .powerOfTwo(let range): powerOfTwo(node, in: range).map { .count($0) }
    case .share: share(node).map { .word(percentText($0)) }
    case .countOrShare(let range):
      amount(node, in: range).map { amount in
        switch amount {
        case .count(let count): .count(count)
        case .share(let share): .word(percentText(share))
        }
      }
    case .rows: rows(node)
    case .bytes: bytes(node)
    case .rate(let range): rate(node, in: range).map { .word("\($0)/s") }
    }
  }

  /// A value of a key that takes whole numbers.
  func count(_ node: YAMLNode, of domain: ValueDomain) -> Int? {
    if case .count(let count)? = value(node, of: domain) { count } else { nil }
  }

  /// A value of a key that takes the words of a type.
  func choice<Choice: RawRepresentable & CaseIterable>(_ node: YAMLNode, of _: Choice.Type) -> Choice?
  where Choice.RawValue == String {
    word(node, among: Choice.allCases.map(\.rawValue)).flatMap(Choice.init(rawValue:))
  }

  /// A number of rows, or a share of all rows.
  func amount(_ node: YAMLNode, in range: ClosedRange<Int>) -> RowShare? {
    if node.text?.hasSuffix("%") == true { return share(node).map(RowShare.share) }
    return wholeNumber(node, in: range, of: ", or a percentage,").map(RowShare.count)
  }

  private func name(_ node: YAMLNode) -> String? {
    let expected = "a name of ASCII letters, digits, '-', '_' and '.'"
    guard let name = text(node, expected: expected) else { return nil }
    if !isName(name) { diagnose(node.place, found: "the name \(shown(name))", expected: expected) }
    return isName(name) ? name : nil
  }

  /// Any 64-bit number.
  func seed(_ node: YAMLNode) -> UInt64? { wholeNumber(node, in: UInt64.min...UInt64.max) }

  /// `on` or `off`, as YAML authors write them, or one of more words.
  private func onOff(_ node: YAMLNode, or more: [String]) -> String? {
    let synonyms = ["true": "on", "yes": "on", "1": "on", "false": "off", "no": "off", "0": "off"]
    if let text = node.text?.lowercased(), let value = synonyms[text] { return value }
    return word(node, among: ["on", "off"] + more)
  }

  private func powerOfTwo(_ node: YAMLNode, in range: ClosedRange<Int>) -> Int? {
    guard let number = wholeNumber(node, in: range) else { return nil }
    if number.nonzeroBitCount == 1 { return number }
    let nearest = 1 << (Int.bitWidth - 1 - number.leadingZeroBitCount)
    diagnose(
      node.place, found: "\(number)", expected: "a power of two from \(range.lowerBound) to \(range.upperBound)",
      suggestion: String(nearest))
    return nil
  }

  /// A positive number of rows, or `all`.
  private func rows(_ node: YAMLNode) -> ParameterValue? {
    if node.text == "all" { return .all }
    if case .scalar(let text, isQuoted: false) = node.content, wholeNumberDigits(text) != nil {
      return count(node, of: .rowCount).map(ParameterValue.count)
    }
    diagnose(
      node.place, found: node.kind, expected: "a whole number of rows from 1 to \(mostRows), or all",
      suggestion: node.text.flatMap { nearestWord(to: $0, among: ["all"]) })
    return nil
  }

  /// A size with its unit, or `none`.
  private func bytes(_ node: YAMLNode) -> ParameterValue? {
    if node.text == "none" { return .word("none") }
    if let bytes = node.text.flatMap(ByteSize.bytes) { return .bytes(bytes) }
    let isNumber = node.text.flatMap(wholeNumberDigits) != nil
    diagnose(
      node.place, found: node.kind, expected: "a size such as 16 MiB (B, KiB, MiB and GiB are units), or none",
      suggestion: isNumber ? node.text.map { "\($0) B" } : nil)
    return nil
  }
}
