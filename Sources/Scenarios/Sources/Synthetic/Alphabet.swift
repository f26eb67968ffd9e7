// Words for the characters of synthetic values, and for their distribution.

/// The characters of texts.
enum Alphabet: String, CaseIterable {
  case lowercase, uppercase, letters, digits, alphanumeric, hexadecimal, printable

  static let standard = Alphabet.alphanumeric

  /// The characters, all of them ASCII.
  var characters: [[UInt8]] {
    let ranges: [ClosedRange<UInt8>] =
      switch self {
      case .lowercase: [0x61...0x7A]
      case .uppercase: [0x41...0x5A]
      case .letters: [0x61...0x7A, 0x41...0x5A]
      case .digits: [0x30...0x39]
      case .alphanumeric: [0x30...0x39, 0x61...0x7A, 0x41...0x5A]
      case .hexadecimal: [0x30...0x39, 0x61...0x66]
      case .printable: [0x20...0x7E]
      }
    return ranges.flatMap { $0.map { [$0] } }
  }
}

/// The shape of a distribution, by name.
enum DistributionShape: String, CaseIterable {
  case uniform, normal, zipf
}
