// How time and memory grow with rows, in sentences and tables.
internal import Analysis
internal import Harness
internal import Scenarios
internal import Statistics
internal import Workloads

extension Growth: Conclusion {
  var title: String { "Growth with rows" }

  var leading: Int { sentences.count }

  var sentences: [String] { [time, reference, memory].compactMap(\.self) }

  var method: String? {
    "*Exponents* are those of time ∝ rows to the power of the exponent: the median of the slopes between all pairs of "
      + "samples of different sizes, on logarithmic scales, and its interval by Kendall's test (Theil and Sen). Below 1 a "
      + "fixed cost shows, which the exponent between the two largest sizes has least of."
  }

  // MARK: Sentences

  private var time: String? {
    let groups: [(Verdict, String)] = [
      (.slower, "more slowly than the rows with"), (.proportional, "in proportion to the rows with"),
      (.faster, "**faster than the rows** with"), (.unclear, "in a way that no one exponent tells with"),
    ]
    var parts = groups.compactMap { verdict, words -> String? in
      let told = lines.filter { $0.verdict == verdict }
      return told.isEmpty ? nil : "\(words) \(HumanUnits.list(told.compactMap(exponent)))"
    }
    if !parts.isEmpty { parts[0] = "time grows " + parts[0] }
    let undecided = lines.filter { $0.verdict == .undecided }.compactMap(exponent)
    if !undecided.isEmpty {
      parts.append("how time grows cannot be told of so few rounds with \(HumanUnits.list(undecided))")
    }
    guard !parts.isEmpty, let least = sizes.first, let most = sizes.last else { return nil }
    return "**From \(least.title) to \(most.title) rows** \(parts.joined(separator: "; "))."
  }

  /// A strategy with its exponent: `save` (exponent 1.12 [1.10, 1.15]).
  private func exponent(_ line: Line) -> String? {
    line.exponent.map { "\(Markdown.code(line.series.label)) (exponent \(HumanUnits.ratio(Estimate($0))))" }
  }

  /// How far each is from the reference with the most rows.
  private var reference: String? {
    guard let most = sizes.last else { return nil }
    let ratios = lines.compactMap { line -> (line: Line, ratio: Estimate)? in
      guard let last = line.points.last, last.setting == most, !last.cell.cell.isReference else { return nil }
      return last.cell.main?.timesReference.map { (line, $0) }
    }
    if ratios.isEmpty { return nil }
    let words = ratios.sorted { $0.ratio.median < $1.ratio.median }.map { line, ratio in
      let note = Comparison(ratio: ratio).verdict == .indistinguishable ? " (indistinguishable)" : ""
      return "\(Markdown.code(line.series.label)) \(HumanUnits.ratio(ratio))\(note)"
    }
    return "At \(most.title) rows, in times the reference: \(HumanUnits.list(words))."
  }

  /// What each further row keeps in memory, or how little all of them do.
  private var memory: String? {
    let known = lines.compactMap { line in line.heap.map { (name: Markdown.code(line.series.label), heap: $0) } }
    // What performance asks of the handler styles; a page cache that fills up stays below a few MiB.
    let flat = known.filter { $0.heap.bytes < Growth.flat }
    let growing = known.filter { $0.heap.bytes >= Growth.flat }.map { name, heap in
      "\(Digits.significant(Double(heap.bytes) / Double(heap.rows))) bytes with \(name)"
    }
    var parts: [String] = []
    if !growing.isEmpty { parts.append("each further row adds \(HumanUnits.list(growing))") }
    if let most = flat.map(\.heap.bytes).max() {
      let bound = most > 0 ? "grows by \(HumanUnits.bytes(most)) at most" : "does not grow"
      parts.append("it \(bound) with \(HumanUnits.list(flat.map(\.name)))")
    }
    return parts.isEmpty ? nil : "Of heap at its peak \(parts.joined(separator: "; "))."
  }

  /// Growth over the whole range that is called none.
  private static let flat: Int64 = 64 << 10

  // MARK: Tables

  var tables: [MarkdownTable] {
    var time = table("Wall time of the main phase", ["Exponent [95 %]", "Between the two largest [95 %]"])
    var reference = table("Times the reference", [])
    var heap = table("Heap peak", ["Bytes a further row"])
    for line in lines {
      let exponents = [line.exponent, line.tail].map { exponent in
        MarkdownTable.Value.figure(exponent, or: "fewer than two sizes have a time") { HumanUnits.ratio(Estimate($0)) }
      }
      time.append(
        line.series.label,
        values(of: line) { MarkdownReport.wall(of: $0, in: $0.mainPhase) } + exponents)
      reference.append(
        line.series.label,
        values(of: line) { cell in
          .figure(cell.main?.timesReference, or: "there is no reference of this size, or no round in common with it") {
            cell.cell.isReference ? "1 (the reference)" : HumanUnits.ratio($0)
          }
        })
      let further = MarkdownTable.Value.figure(line.heap, or: "fewer than two sizes have a memory pass") { heap in
        Digits.significant(Double(heap.bytes) / Double(heap.rows))
      }
      heap.append(
        line.series.label, values(of: line) { MarkdownReport.bytes(.heapPeak, of: $0, in: $0.mainPhase) } + [further])
    }
    return [time, reference, heap]
  }

  private func table(_ first: String, _ others: [String]) -> MarkdownTable {
    MarkdownTable(first, sizes.map { "\($0.title) rows" } + others)
  }

  private func values(of line: Line, _ value: (CellResults) -> MarkdownTable.Value) -> [MarkdownTable.Value] {
    sizes.map { size in
      line.points.first { $0.setting.order == size.order }.map { value($0.cell) } ?? .absent("no such cell was run")
    }
  }
}

extension Estimate {
  fileprivate init(_ exponent: ScalingExponent) {
    self.init(
      median: exponent.exponent, low: exponent.interval?.lowerBound, high: exponent.interval?.upperBound)
  }
}
