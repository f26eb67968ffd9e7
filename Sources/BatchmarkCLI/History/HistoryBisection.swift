// `history bisect`: builds and compares the commits between which a change happened, until one is left.
internal import Analysis
internal import Foundation
internal import Harness
internal import Reports
internal import Support

/// One invocation of `history bisect`.
struct HistoryBisection {
  let session: HistorySession
  let change: HistoryChange
  let branch: String
  /// Further options of each `pair`.
  let options: [String]
  let recipe: BuildRecipe
  let format: OutputFormat

  /// Builds and compares commits, and reports the one with the change.
  func run() throws -> CommandStatus {
    let judgement = HistoryJudgement(session.line)
    guard let pair = judgement.pair(change.key, base: change.base, head: change.head) else {
      throw CommandError(
        .notComparable,
        "found no cell \(change.key.cell) in the newest runs of the history; expected it: add a run that has it")
    }
    // The range from the last commit at the old level to the first that certainly has the new one, including those
    // without runs.
    let commits = Array(try session.repository.firstParents(of: branch).reversed())
    guard let first = commits.firstIndex(of: change.base), let last = commits.firstIndex(of: change.head) else {
      throw CommandError(
        .notComparable,
        "found no commits \(change.base) and \(change.head) on the branch; expected both: fetch the whole branch")
    }
    let folder = OutputFolder(nil)
    try folder.checkIsNew()
    let builds = try RevisionBuilds(recipe)
    let base = try builds.build(of: change.base)
    defer { withExtendedLifetime(base) {} }
    // The builds between which the change happened, kept until they are explained.
    var ends = [first: base]
    let found = try BisectionOutcome(good: first, bad: last) { index in
      let build = try builds.build(of: commits[index])
      ends[index] = build
      let status = try compare(
        base, build, pair, explains: false, in: "\(folder.path)/\(HistoryCommit.name(of: commits[index]))")
      if status == .regression { ends = ends.filter { $0.key <= index } }
      if status == .success { ends = ends.filter { $0.key >= index } }
      return status
    }
    try format.output(words(on: found, commits))
    var document = HistoryBisectDocument(
      change: HistoryChangeEntry(change), outcome: HistoryBisectDocument.Outcome(found.status),
      base: commits[found.good], head: commits[found.bad])
    if found.status == .regression, let good = ends[found.good], let bad = ends[found.bad], !isUnexplained {
      defer { withExtendedLifetime((good, bad)) {} }
      let explained = folder.path + "/explained"
      let causes = try causes(good, bad, pair, in: explained)
      try format.output(causes.map { "\($0.line)\n" }.joined())
      document.causes = causes.map(\.sentence)
      let report = ReportFiles(machinesIn: explained).markdown
      if FileManager.default.fileExists(atPath: report) {
        document.report = report
        try format.output("\n\(report.onOneLine)\n")
      }
    }
    return try format.document(document, found.status)
  }

  /// Whether the user wants no causes.
  private var isUnexplained: Bool { options.contains(HistoryBisection.noExplain) }
  private static let (explain, noExplain) = ("--explain", "--no-explain")

  private func compare(
    _ base: RevisionBuild, _ head: RevisionBuild, _ pair: HistoryPair, explains: Bool, in out: String
  ) throws -> CommandStatus {
    // Explain only the two commits that are found.
    let own = options.filter { $0 != HistoryBisection.explain && $0 != HistoryBisection.noExplain }
    let status = try ToolProcess.status(
      of: [Executable.path, "pair", base.executable, head.executable] + pair.options + limits(pair) + own
        + [explains ? HistoryBisection.explain : HistoryBisection.noExplain, "--out", out])
    return CommandStatus(rawValue: status) ?? .internalError
  }

  /// The options that make `pair` judge only the changed metric; empty if the user chose others.
  private func limits(_ pair: HistoryPair) -> [String] {
    options.contains(change.key.isTime ? "--exact-only" : "--time-only") ? [] : pair.limits
  }

  /// The causes of the change between two adjacent commits, or why none could be searched for.
  private func causes(
    _ good: RevisionBuild, _ bad: RevisionBuild, _ pair: HistoryPair, in out: String
  ) throws -> [PairText.FirstCause] {
    let status = try compare(good, bad, pair, explains: true, in: out)
    let file = "\(out)/\(PairReportWriter.resultsName)"
    guard FileManager.default.fileExists(atPath: file) else {
      return [unknown("without results", status)]
    }
    let causes = PairText.causes(try PairFile.read(file))
    return causes.isEmpty ? [unknown("without an explanation", status)] : causes
  }

  private func unknown(_ lack: String, _ status: CommandStatus) -> PairText.FirstCause {
    PairText.FirstCause(
      "the cause is not known: the comparison of the two commits ended with status \(status.rawValue) and \(lack)")
  }

  private func words(on found: BisectionOutcome, _ commits: [String]) -> String {
    let (old, new) = (HistoryCommit.name(of: commits[found.good]), HistoryCommit.name(of: commits[found.bad]))
    return switch found.status {
    case .success: "a live comparison of \(old) and \(new) does not confirm the change\n"
    case .regression: "\(new) is the first commit with the change; \(old) before it does not have it\n"
    default: "a comparison had no verdict; the change came after \(old), with \(new) at the latest\n"
    }
  }
}

/// The adjacent commits between which a change happened, according to comparisons with the first commit.
struct BisectionOutcome: Hashable {
  /// The newest commit without the change, and the oldest with it.
  private(set) var good: Int
  private(set) var bad: Int
  /// A regression if the change was found, success if the ends do not differ; otherwise the status that ended the
  /// search.
  private(set) var status: CommandStatus

  /// Compares the end first, to confirm the change, and then the middle of the remaining range.
  ///
  /// O(log(bad − good)) comparisons.
  ///
  /// - Parameters:
  ///   - good: A commit without the change.
  ///   - bad: A later commit that should have it.
  ///   - compare: Compares a commit with the first one and returns a regression or success.
  init(good: Int, bad: Int, compare: (Int) throws -> CommandStatus) rethrows {
    (self.good, self.bad) = (good, bad)
    status = try compare(bad)
    while status == .regression, self.bad - self.good > 1 {
      let middle = (self.good + self.bad) / 2
      switch try compare(middle) {
      case .regression: self.bad = middle
      case .success: self.good = middle
      case let other: status = other
      }
    }
  }
}
