// The cost of a feature, as sentences and a table.
internal import Analysis

extension FeaturePrice: EvidenceSection {
  var title: String { "The price of \(key)" }

  func backs(_ finding: Finding) -> Bool {
    switch finding.kind {
    case .price(let parameter, _, _), .priceInBytes(let parameter, _, _): parameter == key
    default: false
    }
  }

  var method: String? {
    "The *price* of a parameter's value is taken from two cells that differ in it alone: the time a user waits for, telling "
      + "other contexts included, in each round with it divided by that without it, and the difference for each row."
  }

  var tables: [Table] {
    var table = Table(
      "Cell",
      [
        .text("Instead of"), .time("Time without"), .time("Time with"), .change("Adds"), .time("Adds a row"),
        .bytes("Heap peak"), .bytes("WAL peak"), .bytes("WAL written"), .bytes("Database"),
      ])
    for offer in offers {
      let noTime = "one of the two has no time"
      func change(_ reason: String, _ figure: (CellReport) -> Int64?) -> Table.Value {
        offer.change(of: figure).map { .shift(from: $0.without, to: $0.with) } ?? .absent(reason)
      }
      let notCounted = "one of the two has no counters pass"
      table.append(
        offer.with.cell.label,
        [
          .text("\(key)=\(offer.without.setting.text)"),
          .figure(offer.times.without, or: noTime), .figure(offer.times.with, or: noTime),
          .addition(of: offer.comparison?.ratio, or: noTime),
          .figure(
            offer.secondsARow,
            or: offer.comparison == nil ? noTime : "the two handled their rows a different number of times"),
          change("one of the two has no memory pass") { $0.main.metrics[.heapPeak] },
          change(notCounted) { $0.main.metrics[.walPeak] },
          change(notCounted) { $0.main.metrics[.walBytesWritten] },
          change("one of the two has no sample") { $0.databaseBytes.figure },
        ])
    }
    return [table]
  }
}
