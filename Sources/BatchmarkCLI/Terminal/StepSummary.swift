// The file that GitHub shows with a job. A command appends its results to it.
internal import Foundation
internal import Harness
internal import Reports
internal import Support

/// The step summary of a job on GitHub's runners.
///
/// The variable GITHUB_STEP_SUMMARY has its path.
struct StepSummary {
  static let variable = "GITHUB_STEP_SUMMARY"

  private let path: String

  /// `nil` outside of such a job.
  init?() {
    guard let path = ProcessInfo.processInfo.environment[StepSummary.variable], !path.isEmpty else { return nil }
    self.path = path
  }

  private func refusal(_ reason: String) -> CommandError {
    CommandError(
      .unwritableOutput,
      "\(path), which \(StepSummary.variable) names, cannot be written: \(reason); correct or unset the variable")
  }

  /// Refuses a file that cannot be appended to, before anything is measured.
  func check() throws(CommandError) {
    switch FileKind(at: path) {
    case nil:
      if let reason = HiddenFile.obstacle(toMaking: path) { throw refusal(reason) }
    case .plainFile, .device:
      if access(path, W_OK) != 0 { throw refusal(String(cString: strerror(errno))) }
    // A pipe would wait for a reader.
    case .some(let kind): throw refusal("it is \(kind.rawValue) and no plain file")
    }
  }

  func append(_ markdown: String) throws(CommandError) {
    try check()
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0o666)
    guard descriptor >= 0 else { throw refusal(String(cString: strerror(errno))) }
    do {
      try FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).write(contentsOf: Data(markdown.utf8))
    } catch {
      throw refusal(OutputError.reason(error))
    }
  }
}
