// Files that earlier commands stored, or that somebody else wrote in their place: runs, baselines, comparisons,
// self-tests and histories. They are read and written in every form of the commands.
import Analysis
import Charts
import Foundation
import Harness
import Instruments
import Support

@testable import Reports

/// Reads results like `compare`, `baseline`, `merge`, `check --export` and `history add`, and writes every form of a
/// report about them.
func readResults(_ path: String) {
  guard let results = try? ResultsFile.read(path) else { return }
  let comparison = (base: "a", comparison: StoredComparison(base: results, head: results))
  _ = StoredComparisonMarkdown.render([comparison], head: "b")
  _ = RunReport.html(results)
  _ = TerminalTable.render(results, color: true)
  _ = SummaryCSV.render(results) + SamplesCSV.render(results) + GrowthCSV.render(results)
  _ = LatencyCSV.render(results) + LatencyCourseCSV.render(results)
  _ = try? ResultsFile.render(results)
  _ = BaselineDocument.markdown(of: [("a", results)])
  for format in ExchangeFormat.allCases { _ = try? format.text(results) }
  _ = try? ShardMerge([(name: "a", results: results)], isPartial: true)
  _ = try? HistoryRecord(results, commit: nil)
}

/// Reads a comparison like `report` and `merge`, and writes every form of it.
func readPair(_ path: String) {
  guard let results = try? PairFile.read(path) else { return }
  let document = PairMarkdown.document(results, hasPictures: true)
  _ = document.markdown + Page(title: PairMarkdown.title(of: results), document: document).html
  _ = document.pictures.map { $0.chart.file() }
  _ = PairText.render(results) + PairJUnit.render(results) + PairAnnotations.render(results)
  _ = try? PairFile.render(results)
  guard let merge = try? PairMerge([(name: "a", results: results)], isPartial: true) else { return }
  _ = PairMachineReport.document(merge).markdown + MachineCSV.machines(merge)
}

/// Resumes a self-test with its own header and writes its result.
func readSelfTest(_ bytes: [UInt8]) {
  let line = Data(bytes.prefix { $0 != UInt8(ascii: "\n") })
  // The command has its own header. Use this one if the journal can be read.
  guard line.withUnsafeBytes(Nesting.obstacle(json:)) == nil,
    let header = try? JSONDecoder().decode(SelfTestJournal.Header.self, from: line),
    let journal = try? SelfTestJournal(in: folder, header: header)
  else { return }
  let page = SelfTestMarkdown.render(journal.trials, header: header, environment: [], command: "selftest")
  _ = page.markdown + page.html
}

/// Reads a history from records in the bytes, separated by lines of dashes, and judges it.
///
/// Each record is used for six commits, so that there are enough commits for changes.
func readHistory(_ bytes: [UInt8]) {
  let place = folder + "/history"
  let mark = Data("\n---\n".utf8)
  var rest = Data(bytes)[...]
  var texts: [Data] = []
  while texts.count < 4, let range = rest.range(of: mark) {
    texts.append(Data(rest[..<range.lowerBound]))
    rest = rest[range.upperBound...]
  }
  texts.append(Data(rest))
  try? FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(atPath: place) }
  for (index, text) in texts.enumerated() {
    _ = FileManager.default.createFile(atPath: "\(place)/\(index).json", contents: text)
  }
  let history = HistoryFolder(place)
  guard let (found, foreign) = try? history.read() else { return }
  var commits: [String] = []
  var records: [HistoryRecord] = found.map(\.record)
  for (_, record) in found {
    for _ in 0..<6 {
      var copy = record
      copy.commit = "commit\(commits.count)"
      commits.append(copy.commit)
      records.append(copy)
    }
  }
  let line = HistoryLine(records, firstParents: commits.reversed())
  let judgement = HistoryJudgement(line)
  let commands = HistoryCommands(program: "batchmark", options: []) { $0 }
  let page = HistoryPage(judgement, commands: commands, foreign: foreign)
  _ = page.brief() + page.html + HistoryList.runs(line) + HistoryList.series(judgement, isWhole: true)
  _ = page.document(hasSeries: true).pictures.map { $0.chart.file() }
  for (_, record) in found { _ = try? history.add(record) }
}

/// Reads accepted changes, adds an existing one again, and writes them.
func readAccepted(_ path: String) {
  guard var changes = try? AcceptedChangesFile.read(path) else { return }
  if let change = changes.changes.first { changes.add(change) }
  try? AcceptedChangesFile.write(changes, to: path)
}
