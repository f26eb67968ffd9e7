// Everything observed of a worker that has ended, and the result: a sample, or a sentence about what went wrong.
internal import Foundation
internal import Instruments
internal import BatchmarkEngine
internal import Support

/// What is known about a worker that has ended.
struct WorkerReport: Sendable {
  enum End: Sendable, Hashable {
    case exited(Int32)
    case signalled(Int32)
    /// Stopped by the harness after this many seconds.
    case timedOut(Double)
    /// Stopped by the harness because it wrote too much output.
    case flooding
  }

  var end: End
  var output: [UInt8]
  var standardError: String

  /// The sample the job asked for, or why there is none.
  func outcome(of job: SampleJob) -> SampleOutcome {
    func failure(_ reason: String) -> SampleOutcome {
      .failure(FailedSample(job, reason: reason, standardError: standardError))
    }
    // An answer does not count if the worker crashed afterwards, because its memory may have been corrupt.
    switch end {
    case .timedOut(let limit):
      return failure("the worker had not ended after \(WorkerReport.seconds(limit)) and was stopped")
    case .flooding: return failure("the worker had \(WorkerReport.flood) and was stopped")
    case .signalled(let signal): return failure("the worker was killed by \(WorkerReport.name(ofSignal: signal))")
    case .exited: break
    }
    guard !output.allSatisfy({ $0 == UInt8(ascii: "\n") }) else {
      return failure("the worker ended without an answer\(status)")
    }
    if let format = otherFormat {
      var failed = FailedSample(
        job,
        reason: "the worker's build answers in \(format); expected format \(SampleJob.currentFormat): "
          + "compare builds of one format", standardError: standardError)
      failed.isOtherFormat = true
      return .failure(failed)
    }
    guard let answer = SampleOutcome(answer: Data(output)) else {
      let found = String(decoding: output.prefix(80), as: UTF8.self).debugDescription
      return failure("the worker's answer was \(found); expected one sample as a line of JSON")
    }
    let sample: Sample
    do {
      sample = try answer.result.get()
    } catch {
      // Remove the folder's path: it is padded, and the folder is gone when this is read.
      return failure(error.reason.replacingOccurrences(of: job.directory + "/", with: ""))
    }
    guard end == .exited(0) else { return failure("the worker ended without a sample\(status)") }
    guard sample.cell == job.cell.id, sample.pass == job.pass, sample.round == job.round else {
      return failure("the worker answered for \(sample.cell), \(sample.pass.rawValue) round \(sample.round)")
    }
    return .sample(sample)
  }

  /// Whether it is the answer of a worker of some build.
  var isAnswer: Bool { answer != nil }

  /// How it ended without an answer, with the last line of its standard error, as the end of a sentence.
  var endingWithoutAnswer: String {
    let line = standardError.split(whereSeparator: \.isNewline).last.map { " (\($0.prefix(200)))" } ?? ""
    if case .signalled(let signal) = end { return "was killed by \(WorkerReport.name(ofSignal: signal))\(line)" }
    return "ended without a worker's answer\(status)\(line)"
  }

  /// The answer of a worker of any build; `nil` for anything else.
  private var answer: [String: Any]? {
    guard let answer = try? JSONSerialization.jsonObject(with: Data(output)) as? [String: Any],
      answer["sample"] != nil || answer["error"] != nil
    else { return nil }
    return answer
  }

  /// A description of the answer's format if it differs from this build's; `nil` if it is the same, or if there is no
  /// answer.
  private var otherFormat: String? {
    guard let answer, answer["format"] as? Int != SampleJob.currentFormat else { return nil }
    return answer["format"].map { "format \($0)" } ?? "a format without a number"
  }

  private var status: String {
    if case .exited(let status) = end, status != 0 { " and with status \(status)" } else { "" }
  }

  /// What a process with too much output has done.
  static let flood = "written more than \(ChildProcess.mostOutput >> 20) MiB"

  /// `600 s`, `0.5 s`.
  static func seconds(_ seconds: Double) -> String {
    let whole = seconds.rounded()
    return whole == seconds && whole < 1e15 ? "\(Int(clamping: whole)) s" : "\(seconds) s"
  }

  /// `signal 11 (SIGSEGV)`.
  static func name(ofSignal signal: Int32) -> String {
    let names: [Int32: String] = [
      SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE", SIGHUP: "SIGHUP", SIGILL: "SIGILL", SIGINT: "SIGINT",
      SIGKILL: "SIGKILL, perhaps for want of memory", SIGPIPE: "SIGPIPE", SIGQUIT: "SIGQUIT", SIGSEGV: "SIGSEGV",
      SIGSYS: "SIGSYS", SIGTERM: "SIGTERM", SIGTRAP: "SIGTRAP", SIGXCPU: "SIGXCPU", SIGXFSZ: "SIGXFSZ",
    ]
    return names[signal].map { "signal \(signal) (\($0))" } ?? "signal \(signal)"
  }
}
