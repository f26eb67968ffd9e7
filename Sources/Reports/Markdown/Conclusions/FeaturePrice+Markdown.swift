// What a feature costs, in sentences and a table.
internal import Analysis
internal import Harness
internal import Scenarios
internal import Workloads

extension FeaturePrice: Conclusion {
  var title: String { "The price of \(key)" }

  /// Where there are few, each is told first; else the range of each value.
  var leading: Int { offers.count > FeaturePrice.few ? ranges.count : offers.count }

  var sentences: [String] { (offers.count > FeaturePrice.few ? ranges : []) + offers.map { $0.sentence(key) } }

  private static let few = 3

  /// One sentence a value: between which cells its price lies.
  private var ranges: [String] {
    var known: Set<String> = []
    return offers.map(\.with.setting.text).filter { known.insert($0).inserted }.map { value in
      range(of: offers.filter { $0.with.setting.text == value }, value: Markdown.code("\(key)=\(value)"))
    }
  }

  private func range(of offers: [Offer], value: String) -> String {
    let told = offers.compactMap { offer in offer.comparison.map { (offer: offer, comparison: $0) } }
      .sorted { $0.comparison.ratio.median < $1.comparison.ratio.median }
    guard let least = told.first, let most = told.last else {
      return "What \(value) costs cannot be told: none of its cells has a time."
    }
    func end(_ end: (offer: Offer, comparison: Comparison)) -> String {
      "\(end.comparison.wording) (\(Markdown.code(end.offer.without.cell.label)))"
    }
    let seen = told.count { [.slower, .faster].contains($0.comparison.verdict) }
    let judged = told.contains { $0.comparison.verdict != .undecided }
    var parts = [
      told.count == 1 ? "**\(value)** takes \(end(most))" : "**\(value)** takes from \(end(least)) to \(end(most))",
      judged
        ? "a difference can be seen in \(seen) of \(HumanUnits.counted(told.count, "cell"))"
        : "there are too few rounds to tell, and all of it may be chance",
    ]
    parts += Offer.figures.compactMap { name, figure in
      let changes = offers.compactMap { offer in
        offer.notableChange(of: figure).map { (cell: offer.without.cell, change: $0) }
      }
      return changes.max { $0.change.with < $1.change.with }.map { most in
        "\(name) up to \(HumanUnits.bytes(most.change.with)) instead of \(HumanUnits.bytes(most.change.without)) "
          + "(\(Markdown.code(most.cell.label)))"
      }
    }
    return parts.joined(separator: "; ") + "."
  }

  var method: String? {
    "The *price* of a parameter's value is taken from two cells that differ in it alone: the time a user waits for, telling "
      + "other contexts included, in each round with it divided by that without it, and the difference for each row."
  }

  var tables: [MarkdownTable] {
    var table = MarkdownTable(
      "Cell",
      [
        "Instead of", "Time without", "Time with", "Adds [95 %]", "Adds a row [95 %]", "Heap peak", "WAL peak",
        "WAL written", "Database",
      ])
    for offer in offers {
      let noTime = "one of the two has no time"
      func change(_ reason: String, _ figure: (CellResults) -> Int64?) -> MarkdownTable.Value {
        .figure(offer.change(of: figure), or: reason) { change in
          let (without, with) = (HumanUnits.bytes(change.without), HumanUnits.bytes(change.with))
          return without == with ? with : "\(without) → \(with)"
        }
      }
      let notCounted = "one of the two has no counters pass"
      table.append(
        offer.with.cell.label,
        [
          .text("\(key)=\(offer.without.setting.text)"),
          .figure(offer.times.without, or: noTime) { HumanUnits.time($0) },
          .figure(offer.times.with, or: noTime) { HumanUnits.time($0) },
          .figure(offer.comparison, or: noTime) { HumanUnits.addition($0.ratio) },
          .figure(offer.secondsARow, or: noTime) { HumanUnits.time($0) },
          change("one of the two has no memory pass") { $0.main?.metrics[.heapPeak] },
          change(notCounted) { $0.main?.metrics[.walPeak] },
          change(notCounted) { $0.main?.metrics[.walBytesWritten] },
          change("one of the two has no sample") { $0.storeSample?.contents.databaseBytes },
        ])
    }
    return [table]
  }
}

extension FeaturePrice.Offer {
  /// From which change on a figure of memory or files is told of beside the time.
  private static let notable = 1.05

  fileprivate func sentence(_ key: String) -> String {
    let value = Markdown.code("\(key)=\(with.setting.text)")
    let name = Markdown.code(without.cell.label)
    let text: String
    switch comparison?.verdict {
    case nil: text = "What \(value) costs \(name) cannot be told: one of the two has no time"
    case .slower?: text = "**\(value) costs \(name) time**: \(amount)"
    case .faster?: text = "**\(value) spares \(name) time**: \(amount)"
    case .indistinguishable?: text = "**\(value) costs \(name) no time that can be seen**: \(amount)"
    case .undecided?:
      text = "What \(value) costs \(name) in time cannot be told of so few rounds: \(amount), which may be chance"
    }
    return ([text] + changes).joined(separator: "; ") + "."
  }

  /// `+12.3 % [10.1, 14.0], 1.20 µs a row`; a multiple where it is one.
  private var amount: String {
    guard let ratio = comparison?.ratio else { return "" }
    let relation =
      ratio.median >= 2 ? Comparison(ratio: ratio).wording : HumanUnits.addition(ratio)
    guard [.slower, .faster].contains(comparison?.verdict) else { return relation }
    return relation + (secondsARow.map { ", \($0.median > 0 ? "+" : "")\(HumanUnits.time($0)) a row" } ?? "")
  }

  /// Figures beside time that are not the same, or nearly so.
  private var changes: [String] {
    FeaturePrice.Offer.figures.compactMap { name, figure in
      notableChange(of: figure).map {
        "\(name) \(HumanUnits.bytes($0.with)) instead of \(HumanUnits.bytes($0.without))"
      }
    }
  }

  /// What is told of beside time.
  fileprivate static var figures: [(name: String, figure: (CellResults) -> Int64?)] {
    [
      ("heap at its peak", { $0.main?.metrics[.heapPeak] }), ("the WAL at its peak", { $0.main?.metrics[.walPeak] }),
      ("the database", { $0.storeSample?.contents.databaseBytes }),
    ]
  }

  /// A figure without and with the feature, where the larger is no multiple of the smaller that reads like 1.
  fileprivate func notableChange(of figure: (CellResults) -> Int64?) -> (without: Int64, with: Int64)? {
    guard let (without, with) = change(of: figure) else { return nil }
    let (more, less) = (Double(max(without, with)), Double(min(without, with)))
    return more > less * FeaturePrice.Offer.notable ? (without, with) : nil
  }
}
