// Arithmetic exactly as SQLite does it.
#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

extension ArithmeticOperator {
  /// Null for null, for a division by zero and for NaN; `nil` if a side is not a number.
  func callAsFunction(_ left: ComparableValue, _ right: ComparableValue) -> ComparableValue? {
    if left.isNull || right.isNull { return .null }
    if isBitwise || self == .modulus { return integral(left, right) }
    if self != .power, case .integer(let left) = left, case .integer(let right) = right {
      if let exact = integer(left, right) { return exact }
    }
    guard let left = left.double, let right = right.double else { return nil }
    switch self {
    case .add: return .number(left + right)
    case .subtract: return .number(left - right)
    case .multiply: return .number(left * right)
    case .divide: return right == 0 ? .null : .number(left / right)
    default: return .number(raised(left, to: right))
    }
  }

  /// Integer operators, which drop the fractions of doubles; `nil` if a side is not a number.
  private func integral(_ left: ComparableValue, _ right: ComparableValue) -> ComparableValue? {
    guard let first = left.cutOff, let second = right.cutOff else { return nil }
    switch self {
    case .bitwiseAnd: return .integer(first & second)
    case .bitwiseOr: return .integer(first | second)
    case .bitwiseXor: return .integer(first ^ second)
    case .shiftLeft: return .integer(first << second)
    case .shiftRight: return .integer(first >> second)
    default:
      if second == 0 { return .null }
      // The lowest integer divided by -1 overflows, although its remainder exists.
      let remainder = second == -1 ? 0 : first % second
      if case (.integer, .integer) = (left, right) { return .integer(remainder) }
      return .real(Double(remainder))
    }
  }

  /// `nil` if the result overflows.
  private func integer(_ left: Int64, _ right: Int64) -> ComparableValue? {
    let (value, overflow) =
      switch self {
      case .add: left.addingReportingOverflow(right)
      case .subtract: left.subtractingReportingOverflow(right)
      case .multiply: left.multipliedReportingOverflow(by: right)
      default: left.dividedReportingOverflow(by: right)
      }
    if self == .divide, right == 0 { return .null }
    return overflow ? nil : .integer(value)
  }
}

extension ComparableValue {
  /// The value as an integer without its fraction, clamped to 64 bits; `nil` if it is not a number.
  fileprivate var cutOff: Int64? {
    switch self {
    case .integer(let value): value
    case .real(let value): value >= 0x1p63 ? .max : value < -0x1p63 ? .min : Int64(value)
    default: nil
    }
  }
}

/// The C library's power function, which SQL also uses.
func raised(_ base: Double, to exponent: Double) -> Double { pow(base, exponent) }

extension AggregateFunction {
  /// The function over values without nulls: numbers for sum and average, one kind for the others; `nil` if integers
  /// overflow.
  func callAsFunction(_ values: [ComparableValue]) -> ComparableValue? {
    switch self {
    case .count: return .integer(Int64(values.count))
    case .sum: return CompensatedSum.isSQLites ? CompensatedSum(values).value : sum(values)
    case .average:
      if values.isEmpty { return .null }
      let sum =
        CompensatedSum.isSQLites ? CompensatedSum(values).double : values.reduce(0) { $0 + ($1.double ?? 0) }
      return .number(sum / Double(values.count))
    case .minimum: return values.dropFirst().reduce(values.first ?? .null) { $1.order(to: $0) == .less ? $1 : $0 }
    case .maximum: return values.dropFirst().reduce(values.first ?? .null) { $1.order(to: $0) == .greater ? $1 : $0 }
    }
  }

  private func sum(_ values: [ComparableValue]) -> ComparableValue? {
    var total: Int64 = 0
    var isExact = true
    for value in values {
      guard case .integer(let integer) = value else {
        return .number(values.reduce(0) { $0 + ($1.double ?? 0) })
      }
      let (next, overflow) = total.addingReportingOverflow(integer)
      if overflow { isExact = false }
      total = next
    }
    return isExact ? .integer(total) : nil
  }
}
