// Parses numbers in feeds and scenarios: whole numbers exactly, others as the nearest double.

/// A number read from text.
enum NumberToken: Hashable {
  /// A whole number that fits into 64 bits.
  case whole(Int64)
  /// Any other finite number.
  case real(Double)

  /// The number as a double.
  var real: Double {
    switch self {
    case .whole(let number): Double(number)
    case .real(let number): number
    }
  }

  /// Reads decimal digits with an optional sign, fraction and exponent: `10`, `-0.66`, `+1e3`, `.5`, `5.`.
  ///
  /// The result is `nil` for anything else, including spaces and words for infinity, and for numbers beyond a double's
  /// range.
  init?(_ text: ArraySlice<UInt8>) {
    var rest = text
    var digits = 0
    var isWhole = true
    func skipDigits() -> Int {
      let start = rest.startIndex
      while let byte = rest.first, (0x30...0x39).contains(byte) { rest.removeFirst() }
      return rest.startIndex - start
    }
    if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { rest.removeFirst() }
    digits += skipDigits()
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      isWhole = false
      digits += skipDigits()
    }
    guard digits > 0 else { return nil }
    if let letter = rest.first, letter | 0x20 == UInt8(ascii: "e") {
      rest.removeFirst()
      isWhole = false
      if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { rest.removeFirst() }
      guard skipDigits() > 0 else { return nil }
    }
    guard rest.isEmpty else { return nil }
    let string = String(decoding: text, as: UTF8.self)
    if isWhole, let number = Int64(string) {
      self = .whole(number)
    } else if let number = Double(string), number.isFinite {
      self = .real(number)
    } else {
      return nil
    }
  }
}

/// A number with or without a fraction and with or without underscores between its digits; neither `inf` nor `0x10`.
func decimalNumber(_ text: some StringProtocol) -> Double? {
  let bytes = text.split(separator: "_", omittingEmptySubsequences: false).joined()
  guard !text.hasPrefix("_"), !text.hasSuffix("_"), !text.contains("__") else { return nil }
  return NumberToken(Array(bytes.utf8)[...])?.real
}

/// A share as a percentage, such as `5%` or `2.5%`: the shortest decimal that is read back as the same share.
func percentText(_ share: Double) -> String {
  var scale: Int64 = 1
  for decimals in 0...15 {
    guard let units = Int64(exactly: (share * 100 * Double(scale)).rounded()) else { break }
    var text = "\(units / scale)"
    if decimals > 0 {
      let fraction = "\(units % scale)"
      text += "." + String(repeating: "0", count: decimals - fraction.count) + fraction
    }
    if decimalNumber(text).map({ $0 / 100 }) == share { return "\(text)%" }
    scale *= 10
  }
  return "\(share * 100)%"
}
