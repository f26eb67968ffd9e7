// How far the run is: one line that is written over on a terminal, a line a sample anywhere else.
internal import Analysis
internal import Foundation
internal import Harness
internal import Instruments
internal import Reports
internal import Scenarios
internal import Workloads

/// Shows the events of a run.
struct ProgressDisplay {
  private let isTerminal: Bool
  /// Asked for each line anew: a window may have become narrower.
  private let columns: () -> Int
  private let isASCII: Bool
  private let rounds: (PlannedSample) -> Int
  private let write: (String) -> Void
  private var estimate: TimeEstimate
  private var done = 0
  private var total = 0
  /// Characters of the line that is written over.
  private var shown = 0

  /// Shows the progress of the samples to take; `rounds` tells how many rounds a sample's pass has.
  init(
    remaining: [PlannedSample], isTerminal: Bool = Console.Stream.error.isTerminal,
    columns: @escaping () -> Int = { Console.Stream.error.columns ?? 80 }, isASCII: Bool = !Console.usesUnicode,
    rounds: @escaping (PlannedSample) -> Int, write: @escaping (String) -> Void = Console.write(encoded:)
  ) {
    self.isTerminal = isTerminal
    self.columns = columns
    self.isASCII = isASCII
    self.rounds = rounds
    self.write = write
    estimate = TimeEstimate(remaining: remaining)
  }

  mutating func show(_ event: RunEvent) {
    switch event {
    case .began(let sample, let done, let total):
      (self.done, self.total) = (done, total)
      guard isTerminal else { return }
      let line = ProgressLine(
        done: done, total: total, sample: sample, rounds: rounds(sample), secondsLeft: estimate.secondsLeft)
      // One column stays free, since some terminals wrap when the last is filled.
      rewrite(line.text(columns: columns() - 1))
    case .measured(let sample, let seconds):
      estimate.took(seconds, sample)
      if !isTerminal { line("[\(done + 1)/\(total)] \(name(sample)): \(DurationText.words(seconds))") }
    case .failed(let failure):
      estimate.failed(failure.key)
      line("\(failure.cell), \(failure.pass.rawValue) round \(failure.round): failed: \(failure.reason)")
    case .gaveUp(let sample, let failures):
      estimate.leaveOut(sample.cell)
      line("\(sample.cell.id): failed \(failures) times in a row; its other samples are left out")
    case .stoppedEarly(let cell, let round, let reason):
      estimate.leaveOut(cell)
      line("\(cell.id): \(reason.words) its rounds after \(round) are left out")
    case .kept(let sample, let path):
      line("\(sample.cell.id): its store is \(path)")
    }
  }

  /// Leaves a clean line behind.
  mutating func end() { clear() }

  private func name(_ sample: PlannedSample) -> String {
    "\(sample.cell.id) · \(sample.pass.rawValue) round \(sample.round)/\(rounds(sample))"
  }

  private mutating func line(_ text: String) {
    clear()
    write(plain("\(Console.programName): \(text.onOneLine)\n"))
  }

  private mutating func rewrite(_ text: String) {
    write(erasure + plain(text))
    shown = text.count
  }

  private mutating func clear() {
    if shown > 0 { write(erasure) }
    shown = 0
  }

  /// Blanks over the last line, so that terminals that know no escape sequences are served too.
  private var erasure: String {
    shown > 0 ? "\r" + String(repeating: " ", count: max(min(shown, columns() - 1), 0)) + "\r" : ""
  }

  private func plain(_ text: String) -> String { isASCII ? TerminalText.ascii(text) : text }
}

extension EarlyStop {
  /// The reason, as the beginning of a sentence on what is left out.
  fileprivate var words: String {
    switch self {
    case .slow: "each of its rounds took more than \(DurationText.words(EarlyStop.slowSeconds));"
    case .limit(let seconds): "its rounds took more than \(DurationText.words(seconds));"
    case .timeShare(let seconds): "its share of the time is \(DurationText.words(seconds));"
    case .narrow: "its time is known as well as was asked;"
    }
  }
}
