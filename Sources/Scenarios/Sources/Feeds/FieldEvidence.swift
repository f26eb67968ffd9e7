// What the values of one field of a feed have in common, updated value by value.
import BatchmarkEngine
import CoreDataModel

/// The types that the values of one field can still have.
struct FieldEvidence {
  private(set) var values = 0
  private var canBeBoolean = true
  private var canBeWhole = true
  private var canBeReal = true
  private var canBeDate = true
  private var canBeUUID = true
  /// Whether some JSON value is not a text, and whether some value contains other values.
  private var hasOtherThanText = false
  private var hasStructure = false
  /// Hashes of the values so far; `nil` once a value has occurred twice, or if no value can be a key.
  private var seen: Set<Int>? = []

  /// The narrowest type that can hold every value.
  var type: AttributeType {
    if values == 0 { return .string }
    if canBeBoolean { return .boolean }
    if canBeWhole { return .int64 }
    if canBeReal { return .double }
    if canBeDate { return .date }
    return canBeUUID ? .uuid : .string
  }

  /// Whether an attribute of the type can hold every value.
  ///
  /// A text attribute holds only texts.
  var isOfOneKind: Bool { !hasStructure && !(type == .string && hasOtherThanText) }

  /// Whether no value occurred twice, and the type can be a key's.
  var isDifferent: Bool { seen != nil && [.int64, .uuid, .string].contains(type) }

  /// Adds the values of a column of text.
  mutating func note(_ column: BytesColumn, rows: Int) {
    for row in 0..<rows {
      if let text = column[row] { note(text: ArraySlice(text)) }
    }
  }

  /// Adds a CSV value.
  ///
  /// Empty text is null.
  mutating func note(text: ArraySlice<UInt8>) {
    if text.isEmpty { return }
    note(text, isText: true)
    if canBeBoolean { canBeBoolean = text.elementsEqual("true".utf8) || text.elementsEqual("false".utf8) }
    guard canBeWhole || canBeReal else { return }
    // A number that begins with 0 is a code: as a number it would lose its zeros.
    let digits = text.first == UInt8(ascii: "-") ? text.dropFirst() : text
    let second = digits.dropFirst().first
    let isCode = digits.first == UInt8(ascii: "0") && second.map { (0x30...0x39).contains($0) } == true
    switch isCode ? nil : NumberToken(text) {
    case .whole: break
    case .real: canBeWhole = false
    case nil: (canBeWhole, canBeReal) = (false, false)
    }
  }

  /// Adds an object or a list.
  mutating func noteStructure() { hasStructure = true }

  /// Adds a JSON value.
  mutating func note(_ value: FieldValue) {
    switch value {
    case .null: return
    case .text(let text):
      note(text, isText: true)
      (canBeBoolean, canBeWhole, canBeReal) = (false, false, false)
    case .boolean:
      values += 1
      hasOtherThanText = true
      (canBeWhole, canBeReal, canBeDate, canBeUUID, seen) = (false, false, false, false, nil)
    case .number(let number):
      hasOtherThanText = true
      if case .real = number { canBeWhole = false }
      // Compare digits, because two numbers of more than 53 bits may be the same double.
      let digits = if case .whole(let whole) = number { "\(whole)" } else { "\(number.real)" }
      (canBeBoolean, canBeDate, canBeUUID) = (false, false, false)
      note(ArraySlice(digits.utf8), isText: false)
    }
  }

  private mutating func note(_ text: ArraySlice<UInt8>, isText: Bool) {
    values += 1
    if isText {
      if canBeDate { canBeDate = ISO8601.seconds(text) != nil }
      if canBeUUID { canBeUUID = AttributeValue(text: String(decoding: text, as: UTF8.self), type: .uuid) != nil }
    }
    if seen?.insert(text.hashValue).inserted == false || canBeReal && !canBeWhole || canBeDate { seen = nil }
  }
}
