// Reads archived attribute values: defaults, and the bounds of validation rules.
internal import CoreDataModel

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension KeyedArchive {
  /// The value for an attribute of the type; null if there is none, `nil` if it is not a value of that type.
  func attributeValue(_ value: PropertyList?, of type: AttributeType) -> AttributeValue? {
    guard let plain = resolved(value) else { return .null }
    switch type {
    case .boolean: return plain.boolean.map { .boolean($0) }
    case .int16, .int32, .int64: return plain.integer.flatMap { AttributeValue.integer($0).conformed(to: type) }
    case .float, .double: return plain.real.flatMap { AttributeValue.real($0).conformed(to: type) }
    case .decimal: return decimal(value, plain).map { .decimal($0) }
    case .date: return date(value, plain).map { .date($0) }
    case .string: return string(value).map { .string($0) }
    case .binary: return data(value).map { .binary($0) }
    case .uuid: return uuid(value).map { .uuid($0) }
    case .uri: return url(value).map { .uri($0) }
    case .transformable: return nil
    }
  }

  func data(_ value: PropertyList?) -> Data? {
    if let data = resolved(value)?.data { return data }
    guard let object = object(value), object.isKind(of: "NSData") else { return nil }
    return resolved(object.values["NS.data"])?.data ?? object.values["NS.bytes"]?.data
  }

  private func date(_ value: PropertyList?, _ plain: PropertyList) -> Date? {
    if case .date(let date) = plain { return date }
    guard let object = object(value), object.isKind(of: "NSDate") else { return nil }
    return object.values["NS.time"]?.real.map { Date(timeIntervalSinceReferenceDate: $0) }
  }

  private func uuid(_ value: PropertyList?) -> UUID? {
    guard let object = object(value), object.isKind(of: "NSUUID"), let bytes = data(object.values["NS.uuidbytes"]),
      bytes.count == 16
    else { return nil }
    return bytes.withUnsafeBytes { buffer in
      var uuid = UUID().uuid
      withUnsafeMutableBytes(of: &uuid) { $0.copyMemory(from: buffer) }
      return UUID(uuid: uuid)
    }
  }

  private func url(_ value: PropertyList?) -> URL? {
    guard let object = object(value), object.isKind(of: "NSURL"),
      resolved(object.values["NS.base"]) == nil, let text = string(object.values["NS.relative"])
    else { return nil }
    return URL(string: text)
  }

  /// A decimal number: a whole number in up to eight 16-bit parts, and the power of ten to multiply it by.
  private func decimal(_ value: PropertyList?, _ plain: PropertyList) -> Decimal? {
    if let whole = plain.integer { return Decimal(whole) }
    if case .real(let number) = plain, number.isFinite { return Decimal(string: "\(number)") }
    guard let object = object(value), object.isKind(of: "NSDecimalNumber"),
      let exponent = object.values["NS.exponent"]?.integer, (-128...127).contains(exponent),
      let mantissa = data(object.values["NS.mantissa"]), mantissa.count == 16,
      let length = object.values["NS.length"]?.integer, (0...8).contains(length)
    else { return nil }
    let isNegative = object.values["NS.negative"]?.boolean ?? false
    // A negative decimal of length 0 is NaN.
    if length == 0 { return isNegative ? nil : Decimal(0) }
    // A byte order of 1 means little-endian (CFByteOrder).
    let isLittleEndian = object.values["NS.mantissa.bo"]?.integer != 2
    let bytes = Array(mantissa)
    var number = Decimal(0)
    for part in (0..<Int(length)).reversed() {
      let (first, second) = (Int(bytes[part * 2]), Int(bytes[part * 2 + 1]))
      number = number * 65_536 + Decimal(isLittleEndian ? second << 8 | first : first << 8 | second)
    }
    number *= Decimal(sign: isNegative ? .minus : .plus, exponent: Int(exponent), significand: 1)
    return number.isNaN ? nil : number
  }
}
