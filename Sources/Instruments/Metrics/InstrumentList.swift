// Which instruments there are. A new one is a file of its own and a line here.
package import BatchmarkEngine

/// All instruments, in the order of their columns.
package enum InstrumentList {
  package static let all: [any Instrument.Type] = [
    HeapInstrument.self, ResidentSetInstrument.self, JemallocInstrument.self,
    WALInstrument.self, FileInstrument.self, DatabaseSizeInstrument.self, StatementInstrument.self,
    PageCacheInstrument.self, WaitInstrument.self,
  ]

  /// Those of a pass, attached.
  ///
  /// - Throws: What keeps one of them from working here.
  package static func attach(_ pass: Pass, in context: InstrumentContext) throws -> [any Instrument] {
    try all.filter { $0.pass == pass }.map { try $0.init(in: context) }
  }
}
