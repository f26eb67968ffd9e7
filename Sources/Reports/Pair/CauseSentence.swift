// The cause of a comparison's change in one sentence, without the text around it.
internal import Analysis

/// Writes causes as text.
enum CauseSentence {
  /// Longer texts are truncated.
  private static let longest = 100

  /// The cause: "`INSERT INTO ZQUAKE …` is prepared 100,000 times instead of once".
  static func words(_ finding: CauseFinding) -> String {
    let text = finding.subject ?? finding.baseSubject ?? ""
    let subject = Markdown.code(cut([.newCode, .heap].contains(finding.kind) ? name(ofFunction: text) : text))
    guard let first = finding.evidence.first else { return subject }
    switch finding.kind {
    case .queryPlan:
      let plans = differingSteps(finding)
      return "\(subject) is answered by another plan: \(plans.head) instead of \(plans.base)"
    case .preparation: return "\(subject) is prepared \(instead(first, times))"
    case .statements:
      if first.base == 0 { return "\(subject) is run \(times(first.head)), which base never does" }
      if first.head == 0 { return "\(subject) is no longer run, which base does \(times(first.base))" }
      return "\(subject) is run \(instead(first, times))"
    case .automaticIndex: return "\(subject) puts \(instead(first, counted("row"))) into indexes made for one run"
    case .sorts: return "\(subject) sorts \(instead(first, times))"
    case .fullScan: return "\(subject) takes \(instead(first, counted("step"))) through whole tables"
    case .rows: return "\(subject) returns or changes \(instead(first, counted("row")))"
    case .vmSteps: return "\(subject) takes \(instead(first, counted("step"))) of SQLite's machine"
    case .checkpoints, .syncs, .writes, .reads: return ofFiles(finding, first)
    case .allocations:
      let stage = finding.subject.map { ", most of the difference in the stage \(Markdown.code($0))" } ?? ""
      return "\(amount(first)) instead of \(amount(first, isBase: true))\(stage)"
    case .heap:
      let place = finding.subject == nil ? "" : ", most of the difference allocated in \(subject)"
      return "the heap's peak is \(HumanUnits.bytes(first.head)) instead of \(HumanUnits.bytes(first.base))\(place)"
    case .otherThreads: return "other threads take \(instead(first, time)) of processor time"
    case .wait: return "\(instead(first, time)) pass without a processor at work"
    case .newCode:
      let all = finding.evidence.last.map { first.head > 0 ? $0.head : $0.base } ?? 0
      let seen = max(first.head, first.base)
      let share = all > 0 ? percent(Double(seen) / Double(all)) : ""
      return first.head > 0
        ? "\(subject) is in \(share) of head's stacks and in none of base's"
        : "\(subject) is in \(share) of base's stacks and in none of head's"
    case .statementTime: return "\(subject) takes \(instead(first, time)), and nothing that is counted of it differs"
    case .stage:
      // It has the rest of the change, beside what counters explain.
      return "the stage \(subject) takes \(instead(first, time)), which counters do not explain in full"
    }
  }

  /// Its part of the change, such as `91 % of the change`; empty if unknown.
  static func part(
    _ finding: CauseFinding, of change: PairExplanation.Change?, hasInterval: Bool = false
  ) -> String {
    guard let change, let part = finding.part else { return "" }
    let whole = change.isOfTime ? "the change" : "the growth of \(Markdown.code(change.metric))"
    let share = percent(part.share)
    guard let low = part.low, let high = part.high else { return "about \(share) of \(whole)" }
    let interval = [low, high].map { Digits.fixed(100 * $0, decimals: 0) }.joined(separator: ", ")
    return "\(share)\(hasInterval && low < high ? " [\(interval)]" : "") of \(whole)"
  }

  /// A share as text: `91 %`.
  static func percent(_ share: Double) -> String { "\(Digits.fixed(100 * share, decimals: 0)) %" }

  /// A figure of the evidence, with its unit.
  static func value(_ evidence: CauseFinding.Evidence, isBase: Bool) -> String {
    let value = isBase ? evidence.base : evidence.head
    if evidence.name.hasSuffix("_ns") { return time(value) }
    return isOfBytes(evidence) ? HumanUnits.bytes(value) : Digits.grouped(value)
  }

  private static func isOfBytes(_ evidence: CauseFinding.Evidence) -> Bool {
    ["_bytes", "bytes_written", "bytes_read"].contains { evidence.name.hasSuffix($0) }
  }

  static func cut(_ text: String) -> String {
    let line = text.onOneLine
    return line.count > longest ? line.prefix(longest - 1) + "…" : line
  }

  /// A function without its parameters: `SQLiteDriver.Connection.prepare`.
  private static func name(ofFunction text: String) -> String {
    // A private function has the mark of its file: "Module.(name in _0123)(label: Swift.Int)".
    let plain = text.replacing(/\(([^() ]+) in _[0-9A-F]+\)/) { $0.output.1 }
    let outer = plain.split(separator: " in ").last.map(String.init) ?? plain
    let name = String(outer.prefix { $0 != "(" })
    return name.isEmpty ? text : name
  }

  private static func times(_ count: Int64) -> String {
    switch count {
    case 0: "never"
    case 1: "once"
    case 2: "twice"
    default: "\(Digits.grouped(count)) times"
    }
  }

  private static func counted(_ noun: String) -> (Int64) -> String {
    { HumanUnits.counted(Int(clamping: $0), noun) }
  }

  private static func time(_ nanoseconds: Int64) -> String { HumanUnits.time(Double(nanoseconds) / 1e9) }

  private static func instead(_ evidence: CauseFinding.Evidence, _ words: (Int64) -> String) -> String {
    "\(words(evidence.head)) instead of \(words(evidence.base))"
  }

  private static func amount(_ evidence: CauseFinding.Evidence, isBase: Bool = false) -> String {
    let value = value(evidence, isBase: isBase)
    if isBase { return value }
    return isOfBytes(evidence) ? "\(value) are allocated" : counted("allocation")(evidence.head)
  }

  /// Metrics by file; the last one is for all files together.
  private static let syncs = [
    ("wal_syncs", "the WAL is synced"), ("db_syncs", "the database is synced"),
    ("journal_syncs", "the journal is synced"),
    ("directory_syncs", "the directory is synced"), ("syncs", "files are synced"),
  ]
  private static let writes = [
    ("wal_bytes_written", "to the WAL"), ("db_bytes_written", "to the database"),
    ("journal_bytes_written", "to the journal"), ("temp_bytes_written", "to temporary files"),
    ("bytes_written", "to files"),
  ]

  /// A counter of files has grown: names the file with the largest growth.
  private static func ofFiles(_ finding: CauseFinding, _ first: CauseFinding.Evidence) -> String {
    func named(_ name: String) -> CauseFinding.Evidence? { finding.evidence.first { $0.name == name } }
    func most(_ files: [(name: String, words: String)]) -> (evidence: CauseFinding.Evidence, words: String)? {
      let found = files.compactMap { file in named(file.name).map { (evidence: $0, words: file.words) } }
      let single = found.filter { $0.evidence.name != files.last?.name }
      return (single.isEmpty ? found : single).max { growth($0.evidence) < growth($1.evidence) }
    }
    switch finding.kind {
    case .checkpoints:
      if let count = named("checkpoints") {
        return "\(instead(count, counted("checkpoint"))) \(count.head == 1 ? "takes" : "take") place"
      }
      if let pages = named("checkpointed_pages") { return "checkpoints write \(instead(pages, counted("page")))" }
    case .syncs: if let file = most(syncs) { return "\(file.words) \(instead(file.evidence, times))" }
    case .writes:
      if let file = most(writes) { return "\(instead(file.evidence, HumanUnits.bytes)) are written \(file.words)" }
    default:
      if let bytes = named("bytes_read") { return "\(instead(bytes, HumanUnits.bytes)) are read from files" }
      if let misses = named("cache_misses") {
        return "\(instead(misses, counted("page"))) \(misses.head == 1 ? "is" : "are") not found in the page cache"
      }
    }
    return "\(Markdown.code(first.name)) is \(value(first, isBase: false)) instead of \(value(first, isBase: true))"
  }

  private static func growth(_ evidence: CauseFinding.Evidence) -> UInt64 { (evidence.head - evidence.base).magnitude }

  /// The first steps in which the plans differ.
  private static func differingSteps(_ finding: CauseFinding) -> (base: String, head: String) {
    let steps = [finding.basePlan, finding.headPlan].map { plan in
      (plan ?? "").split(separator: "\n").map { $0.drop { $0 == " " } }
    }
    func step(of side: Int) -> String {
      let own = steps[side].first { !steps[1 - side].contains($0) } ?? steps[side].first
      return own.map { Markdown.code(String($0)) } ?? "none"
    }
    return (step(of: 0), step(of: 1))
  }
}
