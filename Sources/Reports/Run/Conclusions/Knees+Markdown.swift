// From which value of a parameter on more gains next to nothing, in sentences and a table.
internal import Analysis

extension Knees: EvidenceSection {
  var title: String { "How much is enough: \(key)" }

  func backs(_ finding: Finding) -> Bool {
    switch finding.kind {
    case .knee(let parameter, _), .noKnee(let parameter, _): parameter == key
    default: false
    }
  }

  var method: String? {
    "The *knee* of a sweep is its smallest value that is shown to take at most \(Knees.margin.percent) longer than the best, by the "
      + "Hodges-Lehmann interval of the ratios in the rounds that all values have."
  }

  var tables: [Table] {
    var table = Table(
      "Cell",
      [
        .text(key, .right), .time("Time"), .ratio("Against the best"), .bytes("Heap peak"), .bytes("WAL peak"),
        .bytes("WAL written"),
      ])
    for line in lines {
      for (point, ratio) in zip(line.points, line.shownRatios) {
        let main = point.cell.main
        table.append(
          line.series.label,
          [
            .text(point.setting.title), .figure(main.wall), .figure(ratio), .figure(main[.heapPeak]),
            .figure(main[.walPeak]), .figure(main[.walBytesWritten]),
          ])
      }
    }
    return [table]
  }
}

extension Double {
  /// A share as a whole number of a hundred: `5 %`.
  fileprivate var percent: String { Digits.fixed(self * 100, decimals: 0) + " %" }
}
