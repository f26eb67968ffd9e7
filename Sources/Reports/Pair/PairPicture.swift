// A comparison pair by pair: the ratios, and how the interval narrows.
internal import Analysis
internal import Charts

enum PairPicture {
  /// `nil` without pairs.
  static func course(_ comparison: PairComparison, number: Int, _ rules: PairRules) -> Picture? {
    let course = comparison.course(rules)
    let pairs = course.ratios.enumerated().filter { $0.element.isFinite }.map { number, ratio in
      LineChart.Point(x: Double(number + 1), y: ratio - 1)
    }
    guard !pairs.isEmpty else { return nil }
    let looks = course.looks.map { look in
      LineChart.Point(
        x: Double(look.pairs), y: look.ratio.median - 1, low: look.ratio.low.map { $0 - 1 },
        high: look.ratio.high.map { $0 - 1 })
    }
    var series = [
      LineChart.Series(label: "each pair", appearance: Appearance(index: 1), points: pairs, style: .marks)
    ]
    if !looks.isEmpty {
      series.append(
        LineChart.Series(label: "all pairs so far", appearance: Appearance(index: 0), points: looks))
    }
    let last = course.looks.last.map { "After \($0.pairs) pairs \(PairMarkdown.signedPercent($0.ratio.median - 1))." }
    return Picture(
      "pair", "\(number)",
      chart: LineChart(
        title: "Change of the time, pair by pair: \(comparison.label)",
        summary: last ?? "Too few pairs for an estimate.",
        x: Axis(title: "pair", kind: .linear) { Digits.trimmed($0) },
        y: Axis(title: "change", kind: .linear) {
          $0 == 0 ? "0" : ($0 < 0 ? "−" : "+") + Digits.trimmed(100 * $0.magnitude) + " %"
        },
        series: series,
        rules: [
          .init(.horizontal, at: 0, label: "no change"),
          .init(.horizontal, at: (comparison.timeRules(rules) ?? rules).margin, label: "the margin"),
        ]))
  }
}
