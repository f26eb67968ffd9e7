// Writes attribute values as SQL literals, because a column's default cannot be a parameter.
internal import CoreDataModel

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension AttributeValue {
  /// The literal for the stored form of the value.
  var literal: String {
    switch self {
    case .null, .reference: "NULL"
    case .integer(let number): "\(number)"
    case .boolean(let flag): flag ? "1" : "0"
    case .real(let number): AttributeValue.literal(number)
    case .decimal(let decimal): AttributeValue.literal(Double(decimal.description) ?? .nan)
    case .date(let date): AttributeValue.literal(date.timeIntervalSinceReferenceDate)
    case .string(let text): AttributeValue.literal(text)
    case .uri(let url): AttributeValue.literal(url.absoluteString)
    case .binary(let data): AttributeValue.literal(data)
    case .uuid(let uuid): AttributeValue.literal(withUnsafeBytes(of: uuid.uuid) { Data($0) })
    }
  }

  private static func literal(_ number: Double) -> String {
    // SQLite reads a number that is too large as infinity.
    if number.isInfinite { return number < 0 ? "-9e999" : "9e999" }
    return number.isNaN ? "NULL" : "\(number)"
  }

  /// A literal ends at a zero byte, so text that contains one is written as bytes.
  private static func literal(_ text: String) -> String {
    if text.utf8.contains(0) { return "CAST(\(literal(Data(text.utf8))) AS TEXT)" }
    return "'" + text.unicodeScalars.map { $0 == "'" ? "''" : String($0) }.joined() + "'"
  }

  private static func literal(_ data: Data) -> String {
    "x'" + data.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "'"
  }
}
