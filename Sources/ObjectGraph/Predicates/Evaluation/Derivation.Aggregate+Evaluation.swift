// Computes a derived attribute from the values that it is derived from.
internal import CoreDataModel

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension Derivation.Aggregate {
  /// The aggregate of values without nulls; null if a sum does not fit into an integer.
  func of(_ values: [AttributeValue]) -> AttributeValue {
    switch self {
    case .sum: return sum(values)
    case .average:
      switch sum(values) {
      case _ where values.isEmpty: return .null
      case .decimal(let sum): return .decimal(sum / Decimal(values.count))
      case .real(let sum): return .real(sum / Double(values.count))
      // Computed with doubles from the start, an average cannot overflow.
      default: return .real(values.reduce(0) { $0 + (ComparableValue($1).double ?? 0) } / Double(values.count))
      }
    case .minimum: return values.min { $0.precedes($1) } ?? .null
    case .maximum: return values.max { $0.precedes($1) } ?? .null
    }
  }

  /// 0 if there are no values.
  private func sum(_ values: [AttributeValue]) -> AttributeValue {
    var integer: Int64 = 0
    var real = 0.0
    var decimal = Decimal(0)
    var isReal = false
    var isDecimal = false
    for value in values {
      switch value {
      case .integer(let number):
        let (total, overflow) = integer.addingReportingOverflow(number)
        if overflow { return .null }
        integer = total
      case .boolean(let flag): integer += flag ? 1 : 0
      case .real(let number):
        real += number
        isReal = true
      case .decimal(let number):
        decimal += number
        isDecimal = true
      default: return .null
      }
    }
    if isDecimal { return .decimal(decimal) }
    if !isReal { return .integer(integer) }
    return .real(CompensatedSum.isSQLites ? CompensatedSum(values.map { ComparableValue($0) }).double : real)
  }
}

extension AttributeValue {
  /// Compares in the order of predicates and sort descriptors; decimals have their own order.
  fileprivate func precedes(_ other: AttributeValue) -> Bool {
    if case (.decimal(let one), .decimal(let two)) = (self, other) { return one < two }
    return ComparableValue(self).order(to: ComparableValue(other)) == .less
  }
}
