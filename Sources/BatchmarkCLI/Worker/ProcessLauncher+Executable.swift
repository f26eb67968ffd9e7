// How every command starts its workers: an executable of this package, with the worker's hidden command.
internal import Analysis
internal import Foundation
internal import Harness
internal import Programs

extension ProcessLauncher {
  /// Starts workers of an executable.
  ///
  /// - Parameters:
  ///   - executable: What is started; this one without it.
  ///   - meter: The allocation meter's library; nil where there is none.
  init(workersOf executable: String = Executable.workerPath, meter: String?) {
    self.init(
      executable: executable, arguments: WorkerCommand.arguments(of:),
      environment: WorkerEnvironment(meter: meter, inheriting: ProcessInfo.processInfo.environment),
      programs: Batchmark.engines.compactMap { ($0 as? ProgramEngine)?.definition })
  }
}
