// What every instrument of an exact pass does: attach before a sample, mark where a phase begins, read where it ends,
// detach. The timing pass has clocks alone, which are not instruments in this sense.
package import BatchmarkEngine

/// Measures phases: made before a sample, which attaches it, and asked around each phase.
///
/// Instruments of a pass are nested: the first of ``InstrumentList`` begins last and ends first, so that the work of
/// the others is not in its figures.
package protocol Instrument: SendableMetatype {
  /// The pass it belongs to.
  static var pass: Pass { get }
  /// The figures it makes.
  static var metrics: [MetricDeclaration] { get }

  /// Attaches it.
  ///
  /// - Throws: What keeps it from working here, in a sentence.
  init(in context: InstrumentContext) throws

  /// The engine is about to open its store.
  mutating func engineOpens(storeAt path: String)

  /// The engine has opened its store, and read it or written to it.
  mutating func engineHasOpened(storeAt path: String)

  /// Marks the beginning of a phase.
  mutating func phaseBegins(_ phase: Phase) throws

  /// Returns the figures of the phase; a figure that could not be measured is left out, never zero.
  mutating func phaseEnds(_ phase: Phase) throws -> [MetricID: Int64]

  /// Detaches it after the last phase; returns the figures that turned out invalid, or are missing in some phase.
  mutating func detach() -> [MetricAbsence]

  /// Remarks on this sample that a reader of its figures must know.
  var remarks: [String] { get }
}

extension Instrument {
  package mutating func engineOpens(storeAt path: String) {}

  package mutating func engineHasOpened(storeAt path: String) {}

  package mutating func detach() -> [MetricAbsence] { [] }

  package var remarks: [String] { [] }
}

/// Figures that a sample does not have, and why.
package struct MetricAbsence: Codable, Sendable, Hashable {
  package var metrics: [MetricID]
  /// Why, without a full stop and without the figures' names, which are shown beside it.
  package let reason: String
  /// Whether no phase has them.
  ///
  /// Otherwise some phases have them, and this is why the others do not.
  package let isOfEveryPhase: Bool

  package init(_ metrics: [MetricID], because reason: String, isOfEveryPhase: Bool = true) {
    self.metrics = metrics
    self.reason = reason
    self.isOfEveryPhase = isOfEveryPhase
  }

  /// Peaks of another process in phases that stayed below an earlier one.
  static func peaks(_ metrics: some Sequence<MetricID>) -> [MetricAbsence] {
    let metrics = metrics.sorted { $0.rawValue < $1.rawValue }
    if metrics.isEmpty { return [] }
    return [
      MetricAbsence(
        metrics, because: "a program's peak cannot be set back, and an earlier phase's was higher",
        isOfEveryPhase: false)
    ]
  }
}

/// What the instruments of a sample share.
package final class InstrumentContext {
  private var sampler: MemorySampler?
  /// The process that does the work; nil where it is this one.
  package var process: MeasuredProcess?

  package init() {}

  deinit { stop() }

  /// The sampler of all instruments that need one; started for the first that asks.
  ///
  /// - Throws: ``InstrumentError/threadNotStarted(errorNumber:)``
  package func memorySampler() throws(InstrumentError) -> MemorySampler {
    if let sampler { return sampler }
    let sampler = MemorySampler()
    try sampler.start()
    self.sampler = sampler
    return sampler
  }

  /// Stops what was started.
  package func stop() {
    sampler?.stop()
    sampler = nil
  }
}

/// All instruments, in the order of their columns.
package enum InstrumentList {
  package static let all: [any Instrument.Type] = [
    HeapInstrument.self, ResidentSetInstrument.self, JemallocInstrument.self,
    WALInstrument.self, FileInstrument.self, DatabaseSizeInstrument.self, StatementInstrument.self,
    PageCacheInstrument.self, WaitInstrument.self,
  ]

  /// Attaches the instruments of a pass.
  ///
  /// - Throws: The reason why one of them does not work here.
  package static func attach(_ pass: Pass, in context: InstrumentContext) throws -> [any Instrument] {
    try all.filter { $0.pass == pass }.map { try $0.init(in: context) }
  }
}
