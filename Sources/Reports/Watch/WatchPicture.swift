// A watched program over time: the write-ahead log of each database, and resident memory.
internal import Analysis
internal import Charts

enum WatchPicture {
  /// More lines cannot be distinguished.
  private static let mostLines = 8

  /// A line for each write-ahead log, the highest first; `nil` if none grew.
  static func logs(_ report: WatchReport) -> Picture? {
    let grown = report.databases.filter { database in database.walGrowth.contains { $0.highestBytes > 0 } }
    let highest = Array(grown.sorted { $0.walPeakBytes > $1.walPeakBytes }.prefix(mostLines))
    let shown = Array(zip(highest, names(of: highest)))
    guard !shown.isEmpty else { return nil }
    let series = shown.enumerated().map { index, line in
      LineChart.Series(
        label: line.1, appearance: Appearance(index: index), points: points(of: line.0), style: .step)
    }
    let words = shown.map { database, name in "\(name): at most \(HumanUnits.bytes(database.walPeakBytes))" }
    let rest = grown.count > shown.count ? " \(grown.count - shown.count) lower ones are not shown." : ""
    return Picture(
      "watch", "wal",
      chart: LineChart(
        title: "Growth of the WAL", summary: words.joined(separator: "; ") + "." + rest, x: .elapsed,
        y: .bytes("size of the WAL"), series: series))
  }

  /// For each interval of time, its maximum size and then its last one.
  private static func points(of database: WatchReport.Database) -> [LineChart.Point] {
    database.walGrowth.flatMap { moment in
      [moment.highestBytes, moment.lastBytes].map { LineChart.Point(x: moment.seconds, y: Double($0)) }
    }
  }

  /// The names of the files, or their whole paths if several files have the same name.
  private static func names(of databases: [WatchReport.Database]) -> [String] {
    let paths = databases.map(WatchProse.name)
    let files = paths.map { path in path.split(separator: "/").last.map(String.init) ?? path }
    return zip(paths, files).map { path, file in files.count { $0 == file } > 1 ? path : file }
  }

  /// Resident memory and the heap; `nil` if the program ended before the second reading.
  static func memory(_ report: WatchReport) -> Picture? {
    let points = report.growth.compactMap { moment in
      moment.residentBytes.map { LineChart.Point(x: moment.seconds, y: Double($0)) }
    }
    guard points.count > 1, let highest = report.growth.compactMap(\.residentBytes).max() else { return nil }
    let heap = report.growth.compactMap { moment in
      moment.heapBytes.map { LineChart.Point(x: moment.seconds, y: Double($0)) }
    }
    var series = [LineChart.Series(label: "resident", appearance: Appearance(index: 0), points: points)]
    if heap.count > 1 {
      series.append(LineChart.Series(label: "live heap", appearance: Appearance(index: 1), points: heap))
    }
    return Picture(
      "watch", "memory",
      chart: LineChart(
        title: "Memory", summary: "Resident: at most \(HumanUnits.bytes(highest)) when it was looked at.", x: .elapsed,
        y: .bytes("of all processes that use SQLite"), series: series))
  }
}

extension Axis {
  /// Seconds since the program began.
  fileprivate static var elapsed: Axis {
    Axis(title: "time since the program began", kind: .linear) { HumanUnits.time($0) }
  }
}
