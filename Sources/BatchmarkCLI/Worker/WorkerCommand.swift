// `worker`: the hidden command that takes one sample. It must stay synchronous: no task, no second thread that the
// sample did not start itself.
internal import Analysis
internal import ArgumentParser
internal import Foundation
internal import Harness
internal import BatchmarkEngine
internal import Instruments
internal import Support

struct WorkerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "worker", abstract: "Take one sample; for the harness alone.", shouldDisplay: false)

  /// The job has it too; but address randomization ends before anything is read.
  @Argument var pass: String

  static func arguments(of pass: Pass) -> [String] { ["worker", pass.rawValue] }

  func run() throws {
    guard let pass = Pass(rawValue: pass) else {
      throw CommandError(.usage, "found the pass '\(pass)'; the worker command is for the harness alone")
    }
    let notes = pass == .timing ? [] : fixAddresses()
    let channel = try AnswerChannel()
    do {
      try channel.send(SampleOutcome(answer: try takeSample(pass, notes: notes)))
    } catch {
      try channel.send(SampleOutcome(answer: "\(error)"))
    }
  }

  private func takeSample(_ pass: Pass, notes: [String]) throws -> Sample {
    let line = JobChannel.readLine()
    let format = try JSONDecoder().decode(JobFormat.self, from: line).format
    guard format == SampleJob.currentFormat else {
      throw CommandError(
        .notComparable,
        "found a job in \(format.map { "format \($0)" } ?? "a format without a number"); expected format "
          + "\(SampleJob.currentFormat): compare builds of one format")
    }
    let job = try JSONDecoder().decode(SampleJob.self, from: line)
    JobChannel.endWithHarness()
    // The harness removes what is in there, however the worker ends.
    PrivateFolder.choosePlace(job.directory)
    guard job.pass == pass else {
      throw CommandError(
        .internalError, "the worker was started for \(pass.rawValue) and got a \(job.pass.rawValue) job")
    }
    try checkProcess(job)
    var sample = try SampleTaker(engines: Batchmark.engines).take(job)
    sample.notes += notes
    return sample
  }

}
