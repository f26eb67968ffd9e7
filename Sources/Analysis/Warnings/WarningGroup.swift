// Warnings grouped by kind, the worst first, and the numbers in their advice.
internal import Harness
internal import BatchmarkEngine
internal import Support

/// Warnings of one kind.
package struct WarningGroup {
  package let kind: RunWarning.Kind
  package let warnings: [RunWarning]

  /// The warnings grouped by kind, in the order of the kinds, the worst of each kind first.
  package static func all(_ warnings: [RunWarning]) -> [WarningGroup] {
    RunWarning.Kind.allCases.compactMap { kind in
      let own = warnings.filter { $0.kind == kind }
      return own.isEmpty ? nil : WarningGroup(kind: kind, warnings: own.enumerated().sorted(by: isWorse).map(\.element))
    }
  }

  private static func isWorse(_ one: (offset: Int, element: RunWarning), _ other: (offset: Int, element: RunWarning))
    -> Bool
  {
    let (first, second) = (severity(one.element), severity(other.element))
    return first == second ? one.offset < other.offset : first > second
  }

  /// The quantity that determines the advice, so that the worst warning's advice is shown.
  private static func severity(_ warning: RunWarning) -> Double {
    switch warning {
    case .noisyTime(_, let halfWidth, _, _): halfWidth
    case .shortTime(_, let seconds, _): -seconds
    case .smallWALLimit(_, _, let bytes): Double(bytes)
    case .fewProcessors(_, let processes, _): Double(processes)
    case .unkeptRate(_, _, let late, let due): Double(late) / Double(max(due, 1))
    default: 0
    }
  }
}

extension RunWarning {
  /// The rounds after which the interval is probably as narrow as the aim: it narrows with their square root.
  package static func rounds(for halfWidth: Double, aim: Double, after samples: Int) -> Int {
    let factor = halfWidth > 30 * aim ? 30 : halfWidth / aim
    return Int(clamping: (Double(samples) * factor * factor).rounded(.up))
  }

  /// The smallest limit of the WAL, in whole MiB, with which a database of this size fits before a transaction is
  /// ended.
  package static func walLimit(forDatabaseOf bytes: Int64) -> Int64 {
    let mebibyte: Int64 = 1 << 20
    return (bytes * 3 / 2 + mebibyte - 1) / mebibyte * mebibyte
  }

  /// The number of rows that takes a good time, rounded to two digits.
  package static func rows(for seconds: Double, of rows: Int) -> Int {
    let wanted = Double(max(rows, 1)) * min(WarningLimits.aim / max(seconds, 1e-9), 1e6)
    var unit = 1.0
    while wanted / unit >= 100 { unit *= 10 }
    return Int(clamping: min((wanted / unit).rounded(.up) * unit, 1e15))
  }
}
