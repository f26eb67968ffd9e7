// Whether SQLite's meter saw all that the engine did: a figure of a part would be too small, and look like a good one.
internal import SQLiteDriver

/// Watches the connections of a sample for what takes them out of the meter's sight.
struct MeterCoverage {
  private let meter: SQLiteMeter
  private let before: ConnectionCounters
  private var storePath: String?
  private var connectionsBeforeEngine = 0
  private var isEngineUnseen = false

  init(_ meter: SQLiteMeter) {
    self.meter = meter
    before = meter.connections()
  }

  mutating func engineOpens(storeAt path: String) {
    storePath = path
    connectionsBeforeEngine = meter.connections(of: path).opened
  }

  mutating func engineHasOpened(storeAt path: String) {
    if meter.connections(of: path).opened == connectionsBeforeEngine { isEngineUnseen = true }
  }

  /// Why the figures of files are not whole, if they are not.
  func filesAbsence(_ metrics: [MetricDeclaration]) -> [MetricAbsence] {
    if isEngineUnseen { return [MetricAbsence(metrics.map(\.id), because: MeterCoverage.unseen)] }
    guard meter.connections().unmetered > before.unmetered else { return [] }
    return [
      MetricAbsence(
        metrics.map(\.id),
        because: "the figures of files are not known: a connection did not go through SQLite's default VFS, which is "
          + "metered")
    ]
  }

  /// Why the figures of statements are not whole, if they are not; to be asked when the engine has closed its store.
  func statementsAbsence(_ metrics: [MetricDeclaration]) -> [MetricAbsence] {
    if isEngineUnseen { return [MetricAbsence(metrics.map(\.id), because: MeterCoverage.unseen)] }
    let subject = "the figures of statements and page caches are not known: "
    if meter.connections().untraced > before.untraced {
      return [MetricAbsence(metrics.map(\.id), because: subject + "a connection's trace was taken by another hook")]
    }
    guard let storePath, meter.connections(of: storePath).open > 0 else { return [] }
    return [
      MetricAbsence(
        metrics.map(\.id),
        because: subject + "the engine left a connection open, and whether its trace was taken shows as it closes")
    ]
  }

  private static let unseen =
    "the figures of files, statements and page caches are not known: the engine opened its store through another SQLite "
    + "library, or in another process"
}
