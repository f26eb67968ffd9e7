// The judgement of a worker that has ended, and its environment.
import MissionTags
@testable import Analysis
import Foundation
@testable import Harness
import HarnessFixtures
import Instruments
import BatchmarkEngine
@testable import Support
import Testing

@Suite("A6 · what a worker's end means", .tags(.a6))
struct WorkerReportTests {
  private let job = SampleJob(
    scenarioText: "", scenarioFile: "q.yml", overrides: [],
    cell: Cell(scenario: "quakes", engine: "objectgraph", strategy: "save"), pass: .timing, round: 2,
    directory: "/tmp")

  private func reason(_ end: WorkerReport.End, output: String) -> String? {
    let report = WorkerReport(end: end, output: Array(output.utf8), standardError: "last words")
    guard case .failure(let failure) = report.outcome(of: job).result else { return nil }
    #expect(failure.standardError == "last words")
    return failure.reason
  }

  private func line(_ answer: SampleOutcome) throws -> String {
    String(decoding: try JSONEncoder().encode(answer), as: UTF8.self) + "\n"
  }

  @Test("A valid answer and a normal end make a sample")
  func success() throws {
    let good = try line(SampleOutcome(answer: sample(job.cell.id, round: 2)))
    #expect(reason(.exited(0), output: good) == nil)
  }

  @Test("An answer with another format number, or none, comes from a build that cannot be compared")
  func otherFormat() throws {
    for (format, found) in [(1 as Int?, "format 1"), (nil, "a format without a number")] {
      let number = "\"format\":\(SampleJob.currentFormat)"
      let answer = try line(SampleOutcome(answer: sample(job.cell.id, round: 2)))
      let text =
        if let format {
          answer.replacing(number, with: "\"format\":\(format)")
        } else {
          answer.replacing("\(number),", with: "").replacing(",\(number)", with: "")
        }
      #expect(text != answer)
      let report = WorkerReport(end: .exited(0), output: Array(text.utf8), standardError: "")
      guard case .failure(let failure) = report.outcome(of: job).result else {
        Issue.record("a sample in \(found)")
        continue
      }
      #expect(failure.isOtherFormat)
      #expect(
        failure.reason.hasPrefix("the worker's build answers in \(found); expected format \(SampleJob.currentFormat)"),
        "\(failure.reason)")
    }
  }

  @Test("A metric that this build does not know is left out; any other unknown part makes the answer invalid")
  func unknownMetric() throws {
    var right = sample(job.cell.id, round: 2)
    right.phases = [PhaseMeasurement(phase: .ingest, rows: 3, wallSeconds: 0.125, metrics: [.walFrames: 7])]
    let text = try line(SampleOutcome(answer: right))
    let other = text.replacing("\"wal_frames\":7", with: "\"of_tomorrow\":9223372036854775807,\"wal_frames\":7")
    #expect(other != text)
    guard
      case .success(let read) = WorkerReport(end: .exited(0), output: Array(other.utf8), standardError: "").outcome(
        of: job
      ).result
    else {
      Issue.record("no sample")
      return
    }
    #expect(read.phases == right.phases)
    let wrong = other.replacing("\"phase\":\"ingest\"", with: "\"phase\":\"of_tomorrow\"")
    #expect(reason(.exited(0), output: wrong)?.contains("expected one sample as a line of JSON") == true)
  }
}

extension WorkerReportTests {
  @Test("Every other end is named in one sentence")
  func failures() throws {
    let good = try line(SampleOutcome(answer: sample(job.cell.id, round: 2)))
    #expect(reason(.signalled(SIGSEGV), output: good) == "the worker was killed by signal 11 (SIGSEGV)")
    #expect(reason(.timedOut(600), output: good) == "the worker had not ended after 600 s and was stopped")
    #expect(reason(.timedOut(0.5), output: "") == "the worker had not ended after 0.5 s and was stopped")
    #expect(reason(.exited(0), output: "\n") == "the worker ended without an answer")
    #expect(reason(.exited(7), output: "") == "the worker ended without an answer and with status 7")
    #expect(reason(.exited(7), output: good) == "the worker ended without a sample and with status 7")
    #expect(
      reason(.exited(0), output: "hello") == "the worker's answer was \"hello\"; expected one sample as a line of JSON")
    let error = try line(SampleOutcome(answer: "row 3 was not stored"))
    #expect(reason(.exited(0), output: error) == "row 3 was not stored")
    let long = try line(SampleOutcome(answer: "disk full on /tmp/store.sqlite"))
    #expect(reason(.exited(0), output: long) == "disk full on store.sqlite")
    let other = try line(SampleOutcome(answer: sample(job.cell.id, round: 3)))
    #expect(
      reason(.exited(0), output: other) == "the worker answered for quakes/objectgraph/save, timing round 3")
  }

  @Test("Only the end of a long stream is kept")
  func tail() {
    var tail = OutputTail(limit: 10)
    for number in 0..<1000 { Array("\(number),".utf8).withUnsafeBytes { tail.append($0) } }
    #expect(tail.text == "7,998,999,")
    var short = OutputTail(limit: 10)
    Array("abc".utf8).withUnsafeBytes { short.append($0) }
    #expect(short.text == "abc")
  }

  @Test("A worker's environment is the same for every user; the meter is loaded only in its own pass")
  func environment() {
    let environment = WorkerEnvironment(
      meter: "/lib/meter.so", inheriting: ["HOME": "/root", "SECRET": "x", "LD_LIBRARY_PATH": "/swift"])
    let plain = ["LC_ALL=C", "LD_LIBRARY_PATH=/swift", "PATH=/usr/bin:/bin", "SWIFT_DETERMINISTIC_HASHING=1", "TZ=UTC"]
    #expect(environment.variables(preloadsMeter: false) == plain)
    let metered = environment.variables(preloadsMeter: true).filter { !plain.contains($0) }
    #expect(metered.count == 1 && metered.first?.hasSuffix("=/lib/meter.so") == true)
    #expect(WorkerEnvironment(meter: nil, inheriting: [:]).variables(preloadsMeter: true).count == 4)
  }

  @Test("A worker of the timing pass is metered only if its cell has the meter attached", .tags(.a2))
  func attachedMeter() {
    func isMetered(_ pass: Pass, _ word: String?) -> Bool {
      let cell = Cell(
        scenario: "quakes", engine: "objectgraph", strategy: "save",
        parameters: word.map { ["attached": .word($0)] } ?? [:])
      return SampleJob(
        scenarioText: "", scenarioFile: "", overrides: [], cell: cell, pass: pass, round: 1, directory: "/tmp"
      ).isMetered
    }
    for word in [nil, "metering_vfs", "sampler"] {
      #expect(Pass.allCases.filter { isMetered($0, word) } == [.memory])
    }
    #expect(Pass.allCases.filter { isMetered($0, "allocation_meter") } == [.timing, .memory])
  }
}
