// The values of keys as a JSON Schema has them.
//
// Editors read YAML as version 1.2 has it, where `10_000` and `off` are text; other readers follow version 1.1, where they
// are a number and a truth value. Both are allowed.

extension ValueDomain {
  /// The values, in either reading of YAML.
  var jsonSchema: JSONSchema {
    switch self {
    case .words(let words):
      let isTruth = words.contains { ["on", "off", "yes", "no"].contains($0) }
      return .anyOf([.words(words)] + (isTruth ? [JSONSchema(.boolean)] : []))
    case .name: return .text(matching: "^[A-Za-z0-9_.-]+$")
    case .onOff(let more):
      return .anyOf([
        .words(["on", "off", "true", "false", "yes", "no"] + more), JSONSchema(.boolean), .integers(0...1),
      ])
    case .number(let range, _):
      return .anyOf([.integers(range), ValueDomain.groupedDigits(signed: range.lowerBound < 0)])
    case .seed:
      var number = JSONSchema(.integer)
      number.minimum = 0
      return .anyOf([number, ValueDomain.groupedDigits(signed: false)])
    case .powerOfTwo(let range):
      var powers = JSONSchema(.integer)
      powers.numbers = (0..<Int.bitWidth - 1).map { 1 << $0 }.filter(range.contains)
      return .anyOf([powers, ValueDomain.groupedDigits(signed: false)])
    case .share: return ValueDomain.percentage
    case .countOrShare(let range):
      return .anyOf([.integers(range), ValueDomain.groupedDigits(signed: false), ValueDomain.percentage])
    case .rows: return .anyOf([.integers(1...mostRows), ValueDomain.groupedDigits(signed: false), .words(["all"])])
    case .bytes: return .text(matching: "^((?=[0-9_.]*[1-9])[0-9][0-9_]{0,11}(\\.[0-9]+)? ?(B|KiB|MiB|GiB)|none)$")
    case .rate: return .text(matching: "^ *\\+?[0-9]+(_[0-9]+)* */ *s *$")
    }
  }

  private static let percentage = JSONSchema.text(matching: "^(100|[0-9]{1,2}(\\.[0-9]+)?)%$")

  /// A number with underscores between its digits.
  private static func groupedDigits(signed: Bool) -> JSONSchema {
    .text(matching: "^\(signed ? "[+-]?" : "\\+?")[0-9]+(_[0-9]+)+$")
  }
}
