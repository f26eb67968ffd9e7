// Archives attribute values: defaults, and the bounds of validation rules.
internal import CoreDataModel

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension ArchiveWriter {
  /// The reference to an archived default value; the null object's for null.
  mutating func archived(_ value: AttributeValue) -> PropertyList {
    switch value {
    case .null, .reference: nothing
    case .integer(let number): add(.integer(number))
    case .boolean(let flag): add(.boolean(flag))
    case .real(let number): add(.real(number))
    case .string(let text): add(.string(text))
    case .binary(let data): add(.data(data))
    case .date(let date): add(["NSDate", "NSObject"], ["NS.time": .real(date.timeIntervalSinceReferenceDate)])
    case .uuid(let uuid):
      add(["NSUUID", "NSObject"], ["NS.uuidbytes": .data(withUnsafeBytes(of: uuid.uuid) { Data($0) })])
    case .uri(let url):
      add(["NSURL", "NSObject"], ["NS.base": nothing, "NS.relative": add(.string(url.absoluteString))])
    case .decimal(let number): archived(number)
    }
  }

  /// A bound, archived as a number if possible.
  mutating func bound(_ value: AttributeValue) -> PropertyList {
    switch value {
    case .integer(let number): .integer(number)
    case .real(let number): .real(number)
    case .date(let date): .real(date.timeIntervalSinceReferenceDate)
    default: archived(value)
    }
  }

  /// A decimal number: a whole number in up to eight 16-bit parts, and the power of ten to multiply it by.
  private mutating func archived(_ number: Decimal) -> PropertyList {
    var parts = [UInt32](repeating: 0, count: 8)
    for digit in "\(number.significand.magnitude)".compactMap(\.wholeNumberValue) {
      var carry = UInt32(digit)
      for index in parts.indices {
        let product = parts[index] * 10 + carry
        (parts[index], carry) = (product & 0xFFFF, product >> 16)
      }
    }
    let length = (parts.lastIndex { $0 != 0 } ?? -1) + 1
    return add(
      ["NSDecimalNumber", "NSNumber", "NSValue", "NSObject"],
      [
        "NS.exponent": .integer(Int64(number.exponent)), "NS.length": .integer(Int64(length)),
        "NS.negative": .boolean(number.sign == .minus && length > 0), "NS.compact": .boolean(true),
        "NS.mantissa.bo": .integer(1),
        "NS.mantissa": .data(Data(parts.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })),
      ])
  }
}
