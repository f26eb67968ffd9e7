// Writing the files: all or none, and every error has its file, its reason and advice.
import Analysis
import Charts
import Foundation
import Harness
import MissionTags
@testable import Reports
import Testing

/// Calls the body with a new directory and removes it afterwards.
func withTemporaryDirectory<Result>(_ body: (String) throws -> Result) throws -> Result {
  let directory = FileManager.default.temporaryDirectory.appending(path: "reports-\(UUID().uuidString)").path
  try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(atPath: directory) }
  return try body(directory)
}

private let fileNames = [
  "growth.csv", "latency-over-time.csv", "latency.csv", "report.html", "report.md", "results.json", "samples.csv",
  "summary.csv",
]

@Suite("A5 · the files of a report")
struct ReportWriterTests {
  private func names(in directory: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
  }

  private func text(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
  }

  @Test("Scenarios with names that differ only in case have separate pictures", .tags(.a5))
  func capitals() throws {
    var results = Fixture.standard.results
    let one = RunReport.full(results).pictures.count
    var other = results.scenarios[0]
    other.name = "Earthquakes"
    results.scenarios.append(other)
    let pictures = RunReport.full(results).pictures
    #expect(pictures.count == 2 * one && Set(pictures.map(\.path)).count == 2 * one)
    #expect(RunReport.markdown(results).contains("](charts/Earthquakes-ranking.svg)"))
  }

  @Test("The report has every file, and nothing else", .tags(.a5))
  func files() throws {
    try withTemporaryDirectory { directory in
      let results = Fixture.standard.results
      let folder = directory + "/deep/er"
      let written = try ReportWriter(directory: folder).write(results)
      #expect(try names(in: folder) == ["charts"] + fileNames)
      let pictures = RunReport.full(results).pictures
      #expect(pictures.count == 5)
      #expect(try names(in: folder + "/charts") == pictures.map { "\($0.name).svg" }.sorted())
      for picture in pictures {
        #expect(try text("\(folder)/\(picture.path)") == picture.chart.file())
        #expect(try text(written.markdown).contains("](\(picture.path))") == (picture.name == "earthquakes-ranking"))
      }
      #expect(try text(written.markdown) == RunReport.markdown(results))
      #expect(try text(written.html) == RunReport.html(results))
      #expect(try text(ReportWriter.File.summary.path(in: folder)) == SummaryCSV.render(results))
      #expect(try text(ReportWriter.File.samples.path(in: folder)) == SamplesCSV.render(results))
      #expect(try text(ReportWriter.File.growth.path(in: folder)) == GrowthCSV.render(results))
      #expect(try text(ReportWriter.File.latency.path(in: folder)) == LatencyCSV.render(results))
      #expect(try text(ReportWriter.File.latencyCourse.path(in: folder)) == LatencyCourseCSV.render(results))
      let stored = try #require(written.results)
      #expect(try text(stored) == ResultsFile.render(results))
      #expect(try ResultsFile.read(stored).run.seed == 42)
    }
  }

  @Test("Older files are replaced, and others are left alone", .tags(.a5))
  func replacement() throws {
    try withTemporaryDirectory { directory in
      try Data("old".utf8).write(to: URL(filePath: directory + "/report.md"))
      try Data("{}".utf8).write(to: URL(filePath: directory + "/journal.jsonl"))
      let written = try ReportWriter(directory: directory + "/").write(Fixture.standard.results)
      #expect(written.markdown == directory + "/report.md")
      #expect(try text(written.markdown).contains("\nearthquakes · 100,000 rows · "))
      #expect(try names(in: directory) == (fileNames + ["charts", "journal.jsonl"]).sorted())
    }
  }

  @Test("A folder below a file cannot be created", .tags(.a5))
  func underFile() throws {
    try withTemporaryDirectory { directory in
      let file = directory + "/file"
      try Data().write(to: URL(filePath: file))
      for path in [file, file + "/folder", file + "/folder/deeper"] {
        let error = try #require(throws: ReportError.self) {
          try ReportWriter(directory: path).write(Fixture.standard.results)
        }
        #expect(error.description.contains("cannot create the directory: Not a directory"))
        #expect(error.description.hasSuffix("part of the path is a file; name another folder"))
      }
      #expect(try names(in: directory) == ["file"])
    }
  }

  @Test(
    "A full device leaves nothing behind, and existing files unchanged", .tags(.a5),
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "this system has no /dev/full"),
    arguments: fileNames)
  func fullDevice(name: String) throws {
    try withTemporaryDirectory { directory in
      try Data("old".utf8).write(to: URL(filePath: directory + "/report.md"))
      try FileManager.default.createSymbolicLink(
        atPath: HiddenFile.path(for: "\(directory)/\(name)"), withDestinationPath: "/dev/full")
      let error = try #require(throws: ReportError.self) {
        try ReportWriter(directory: directory).write(Fixture.standard.results)
      }
      #expect(error.file == "\(directory)/\(name)")
      #expect(error.description.contains("\(name): cannot write: No space left on device; free space"))
      #expect(try names(in: directory) == ["report.md"])
      #expect(try text(directory + "/report.md") == "old")
    }
  }
}

extension ReportWriterTests {
  @Test("An error that appears only when data is flushed is reported", .tags(.a5))
  func flush() throws {
    try withTemporaryDirectory { directory in
      // The null device accepts every byte but cannot be flushed.
      let path = directory + "/report.md"
      try FileManager.default.createSymbolicLink(
        atPath: HiddenFile.path(for: path), withDestinationPath: "/dev/null")
      let error = try #require(throws: ReportError.self) { _ = try StagedFile("text", for: path) }
      #expect(error.description.contains("report.md: cannot flush to the disk: "))
      #expect(try names(in: directory).isEmpty)
    }
  }

  @Test("Neither a link's target nor a file beside it is overwritten", .tags(.a5))
  func links() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/report.md"
      try Data("mine".utf8).write(to: URL(filePath: directory + "/mine"))
      for link in [path, HiddenFile.path(for: path)] { symlink("mine", link) }
      try StagedFile("text", for: path).publish()
      #expect(try text(path) == "text")
      #expect(try text(directory + "/mine") == "mine")
      #expect(try names(in: directory) == ["mine", "report.md"])
    }
  }

  @Test("A file that cannot be renamed is reported, and no temporary file stays", .tags(.a5))
  func rename() throws {
    try withTemporaryDirectory { directory in
      try FileManager.default.createDirectory(
        atPath: directory + "/samples.csv/inner", withIntermediateDirectories: true)
      let error = try #require(throws: ReportError.self) {
        try ReportWriter(directory: directory).write(Fixture.standard.results)
      }
      #expect(error.file == directory + "/samples.csv")
      #expect(error.description.contains("cannot move the finished file into place: "))
      #expect(try !names(in: directory).contains { $0.hasSuffix(".partial") })
    }
  }

  @Test("An empty name means the working directory", .tags(.a5))
  func emptyName() {
    #expect(ReportFiles(ofRunIn: ".").markdown == "./report.md")
    #expect(HiddenFile.path(for: "report.md").hasPrefix(".report.md."))
  }
}
