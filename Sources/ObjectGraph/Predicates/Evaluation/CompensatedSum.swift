// A sum of numbers computed as SQLite does since 3.43.
internal import SQLiteDriver

/// A sum that compensates for rounding errors, after Kahan and Babuška.
///
/// It is exact as long as all values are integers. It keeps SQLite's order of operations, so that both results are
/// equal to the last bit.
struct CompensatedSum {
  /// Whether the linked SQLite computes sums this way.
  static let isSQLites = SQLiteLibrary.versionNumber >= 3_043_000

  private var integers: Int64 = 0
  private var isExact = true
  private var overflows = false
  private var sum = 0.0
  private var error = 0.0

  init(_ values: [ComparableValue]) {
    for value in values {
      guard case .integer(let integer) = value else {
        approximate()
        overflows = false
        add(value.double ?? 0)
        continue
      }
      if isExact {
        let (next, isOver) = integers.addingReportingOverflow(integer)
        if !isOver {
          integers = next
          continue
        }
        overflows = true
        approximate()
      }
      let (large, small) = CompensatedSum.parts(of: integer)
      add(large)
      if small != 0 { add(small) }
    }
  }

  /// The sum; `nil` if integers overflow.
  var value: ComparableValue? { isExact ? .integer(integers) : overflows ? nil : .number(double) }

  /// The sum as a number, whatever its size.
  var double: Double { isExact ? Double(integers) : error.isFinite ? sum + error : sum }

  /// Continues with doubles.
  private mutating func approximate() {
    if !isExact { return }
    isExact = false
    (sum, error) = CompensatedSum.parts(of: integers)
  }

  private mutating func add(_ number: Double) {
    let next = sum + number
    error += abs(sum) > abs(number) ? (sum - next) + number : (number - next) + sum
    sum = next
  }

  /// An integer as the exact sum of two doubles.
  private static func parts(of integer: Int64) -> (large: Double, small: Double) {
    if integer.magnitude < 1 << 52 { return (Double(integer), 0) }
    let rest = integer % 16_384
    return (Double(integer - rest), Double(rest))
  }
}
