// Parses attribute values by type: defaults in scenarios, and the rarer fields of feeds.
import BatchmarkEngine
internal import Foundation
import CoreDataModel

extension AttributeValue {
  /// Reads a value of the type; `nil` if the text is not one.
  init?(text: String, type: AttributeType) {
    switch type {
    case .int16, .int32, .int64:
      guard let digits = wholeNumberDigits(text), let number = Int64(digits) else { return nil }
      self = .integer(number)
    case .boolean:
      guard let value = ["true": true, "false": false][text.lowercased()] else { return nil }
      self = .boolean(value)
    case .float, .double:
      guard let number = NumberToken(Array(text.utf8)[...])?.real else { return nil }
      self = .real(number)
    case .decimal:
      // NumberToken rejects text of which Decimal would silently parse only a prefix.
      guard NumberToken(Array(text.utf8)[...]) != nil, let number = Decimal(string: text) else { return nil }
      self = .decimal(number)
    case .date:
      guard let seconds = ISO8601.seconds(Array(text.utf8)[...]) else { return nil }
      self = .date(Date(timeIntervalSinceReferenceDate: seconds))
    case .string:
      self = .string(text)
    case .binary, .transformable:
      guard let data = Data(base64Encoded: text) else { return nil }
      self = .binary(data)
    case .uuid:
      guard let uuid = UUID(uuidString: text) else { return nil }
      self = .uuid(uuid)
    case .uri:
      // If the URL's text differs from the original, the value would not be read back as it was stored.
      guard let url = URL(string: text), url.absoluteString == text else { return nil }
      self = .uri(url)
    }
    guard mismatch(with: type) == nil else { return nil }
  }

  /// The format of a type's text, for messages.
  static func textForm(of type: AttributeType) -> String {
    switch type {
    case .int16: "a whole number from -32768 to 32767"
    case .int32: "a whole number from -2147483648 to 2147483647"
    case .int64: "a whole number of 64 bits"
    case .boolean: "true or false"
    case .float, .double, .decimal: "a number"
    case .date: "a time such as 2018-06-12T16:38:28.820Z"
    case .string: "text"
    case .binary, .transformable: "bytes in base64"
    case .uuid: "a UUID such as 3E4666BF-D5E5-4AA7-B8CE-CEFE41C7568A"
    case .uri: "a URI such as https://example.org/"
    }
  }
}
