// The possible values of a key that a sweep, a setting or a cell can set.
internal import BatchmarkEngine

/// The values of a key.
package enum ValueDomain: Sendable, Hashable {
  /// One of the words.
  case words([String])
  /// A name defined in the file.
  case name
  /// On or off, or one of more words.
  case onOff(or: [String])
  /// A whole number. `of` says what it counts, with a leading space.
  case number(ClosedRange<Int>, of: String)
  /// The seed of random numbers: any 64-bit number.
  case seed
  case powerOfTwo(ClosedRange<Int>)
  /// A percentage.
  case share
  /// A whole number, or a percentage.
  case countOrShare(ClosedRange<Int>)
  /// A positive number of rows, or all.
  case rows
  /// A positive number of bytes with its unit, or none.
  case bytes
  /// Operations per second.
  case rate(ClosedRange<Int>)

  /// The values of a strategy's parameter.
  init(_ domain: Parameter.Domain) {
    switch domain {
    case .rows: self = .rows
    case .bytes: self = .bytes
    case .words(let words): self = domain == Switch.domain ? .onOff(or: []) : .words(words)
    }
  }

  static func number(_ range: ClosedRange<Int>) -> ValueDomain { .number(range, of: "") }

  /// A description of the values, for the reference of keys.
  package var description: String {
    switch self {
    case .words(let words): words.joined(separator: ", ")
    case .name: "name"
    case .onOff(let more): (["on", "off"] + more).joined(separator: ", ")
    case .number(let range, _): "\(range.lowerBound) to \(range.upperBound)"
    case .seed: "0 to \(UInt64.max)"
    case .powerOfTwo(let range): "power of two, \(range.lowerBound) to \(range.upperBound)"
    case .share: "percentage"
    case .countOrShare(let range): "\(range.lowerBound) to \(range.upperBound), or a percentage"
    case .rows: "number of rows, or all"
    case .bytes: "size such as 16 MiB, or none"
    case .rate(let range): "rate such as 200/s, \(range.lowerBound)/s to \(range.upperBound)/s"
    }
  }

  /// Two values, for the example of a list.
  var example: String {
    switch self {
    case .words(let words): "[\(words.prefix(2).joined(separator: ", "))]"
    case .name: "[one, another]"
    case .onOff: "[off, on]"
    case .number(let range, _): range.upperBound > 1_000 ? "[1_000, 10_000]" : "[1, 2]"
    case .seed: "[1, 2]"
    case .powerOfTwo: "[4096, 8192]"
    case .share, .countOrShare: "[0%, 10%]"
    case .rows: "[100, all]"
    case .bytes: "[4 MiB, none]"
    case .rate: "[100/s, 1_000/s]"
    }
  }
}
