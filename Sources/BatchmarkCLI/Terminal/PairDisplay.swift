// The progress of comparisons by pairs: one line that is overwritten on a terminal, otherwise a line per step.
internal import Harness
internal import Reports
internal import BatchmarkEngine
internal import Support

/// Shows the progress of comparisons, one after the other.
struct PairDisplay {
  private var line: OverwrittenLine
  private let total: Int
  /// Whether steps are reported if no line can be overwritten.
  private let reportsSteps: Bool
  /// The clock, in nanoseconds.
  private let now: () -> UInt64
  private var done: Int
  private var name = ""
  /// The pairs that are being taken; `nil` if there are none.
  private var pairs: Pairs?
  /// Reasons for discarded pairs of this comparison, each reported once.
  private var reasons: Set<String> = []

  /// The pairs up to the next look.
  private struct Pairs {
    var wanted: Int
    var isConfirmation: Bool
    /// When the first pair of the comparison began, and its number.
    var start: UInt64
    var first: Int
  }

  /// Shows the progress of `total` comparisons; `done` of them are finished.
  init(
    total: Int, done: Int = 0, reportsSteps: Bool = true, line: OverwrittenLine = OverwrittenLine(),
    now: @escaping () -> UInt64 = { MonotonicClock.now() }
  ) {
    self.total = total
    self.done = done
    self.reportsSteps = reportsSteps
    self.line = line
    self.now = now
  }

  /// Begins a comparison with this name.
  mutating func begin(_ name: String) {
    self.name = name
    (pairs, reasons) = (nil, [])
    if line.isTerminal { rewrite(step: nil, left: nil) } else if reportsSteps { line.say(name) }
  }

  /// Shows an event.
  ///
  /// The comparison has the name of its cell, unless another one is given.
  mutating func show(_ event: PairEvent, as name: String? = nil) {
    switch event {
    case .began(let comparison, let isPlacebo):
      begin(name ?? (isPlacebo ? "placebo: \(comparison.baseCell.id) against itself" : comparison.headCell.id))
    case .pair(let number, let wanted, let isConfirmation): show(pair: number, of: wanted, isConfirmation)
    case .setAside(let reason):
      guard reportsSteps || line.isTerminal, reasons.insert(reason).inserted else { return }
      line.say("  a pair is set aside: \(reason)")
    }
  }

  /// Begins a round of profiles, which are taken after the comparison.
  mutating func show(profileRound round: Int, of rounds: Int) {
    rewrite(step: "causes, round \(round)/\(rounds)", left: nil)
  }

  /// Prints a line that stays.
  mutating func say(_ text: String) { line.say(text) }

  /// Ends the comparison; its result stays.
  mutating func finish(_ outcome: String) {
    done += 1
    line.say(outcome)
  }

  /// Clears the line.
  mutating func end() { line.clear() }

  private mutating func show(pair number: Int, of wanted: Int, _ isConfirmation: Bool) {
    let kind = isConfirmation ? "fresh pairs" : "pairs"
    // Print a line for each look, not for each pair.
    if !line.isTerminal && reportsSteps && (pairs?.wanted != wanted || pairs?.isConfirmation != isConfirmation) {
      line.say("  \(kind) up to \(wanted)")
    }
    var known = pairs ?? Pairs(wanted: wanted, isConfirmation: isConfirmation, start: now(), first: number)
    if known.isConfirmation != isConfirmation { (known.start, known.first) = (now(), number) }
    (known.wanted, known.isConfirmation) = (wanted, isConfirmation)
    pairs = known
    var left: String?
    if number > known.first {
      let seconds = Double(now() &- known.start) / 1e9 / Double(number - known.first) * Double(wanted - number + 1)
      left = seconds < 1 ? "next look in under 1 s" : "next look in about \(HumanUnits.duration(seconds))"
    }
    rewrite(step: "\(kind) \(number)/\(wanted)", left: left)
  }

  /// `██████░░░░░░░░░░ 3/8 · quakes/objectgraph/save · pairs 13/24 · next look in about 12 s`.
  ///
  /// Parts that do not fit are dropped as a whole.
  private mutating func rewrite(step: String?, left: String?) {
    let count = "\(min(done + 1, total))/\(total)"
    let share = "\(OverwrittenLine.bar(done, of: total)) \(count)"
    let name = name.onOneLine
    line.rewrite([
      [share, name, step, left], [share, name, step], [count, name, step], [count, step, left], [count, step], [count],
    ])
  }
}
