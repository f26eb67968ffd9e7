// The tasks of every instrument of an exact pass: attach before a sample, mark the beginning of a phase, read its end,
// detach. The timing pass only has clocks, which are not instruments in this sense.
package import BatchmarkEngine

/// Measures phases: created and attached before a sample, and called around each phase.
///
/// Instruments of a pass are nested: the first one in ``InstrumentList`` begins last and ends first, so that its
/// figures exclude the work of the others.
package protocol Instrument: SendableMetatype {
  /// The pass it belongs to.
  static var pass: Pass { get }
  /// The metrics that it measures.
  static var metrics: [MetricDeclaration] { get }

  /// Attaches it.
  ///
  /// - Throws: The reason why it does not work here, as a sentence.
  init(in context: InstrumentContext) throws

  /// Called when the engine is about to open its store.
  mutating func engineOpens(storeAt path: String)

  /// Called when the engine has opened its store, and read or written it.
  mutating func engineHasOpened(storeAt path: String)

  /// Marks the beginning of a phase.
  mutating func phaseBegins(_ phase: Phase) throws

  /// Returns the figures of the phase; a figure that could not be measured is omitted, never zero.
  mutating func phaseEnds(_ phase: Phase) throws -> [MetricID: Int64]

  /// Detaches it after the last phase; returns the figures that turned out to be invalid, or are missing in some phase.
  mutating func detach() -> [MetricAbsence]

  /// Remarks about this sample that a reader of its figures must know.
  var remarks: [String] { get }
}

extension Instrument {
  package mutating func engineOpens(storeAt path: String) {}

  package mutating func engineHasOpened(storeAt path: String) {}

  package mutating func detach() -> [MetricAbsence] { [] }

  package var remarks: [String] { [] }
}

/// Figures that are missing from a sample, and the reason.
package struct MetricAbsence: Codable, Sendable, Hashable {
  package var metrics: [MetricID]
  /// The reason, without a period and without the figures' names, which are shown next to it.
  package let reason: String
  /// Whether every phase lacks them.
  ///
  /// Otherwise only some phases do, and the reason is about those.
  package let isOfEveryPhase: Bool

  package init(_ metrics: [MetricID], because reason: String, isOfEveryPhase: Bool = true) {
    self.metrics = metrics
    self.reason = reason
    self.isOfEveryPhase = isOfEveryPhase
  }

  /// Peaks of another process in phases that stayed below an earlier peak.
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
  /// The process that does the work; `nil` if it is this one.
  package var process: MeasuredProcess?

  package init() {}

  deinit { stop() }

  /// The shared sampler; starts on first use.
  ///
  /// - Throws: ``InstrumentError/threadNotStarted(errorNumber:)``
  package func memorySampler() throws(InstrumentError) -> MemorySampler {
    if let sampler { return sampler }
    let sampler = MemorySampler()
    try sampler.start()
    self.sampler = sampler
    return sampler
  }

  /// Stops the sampler if it was started.
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
