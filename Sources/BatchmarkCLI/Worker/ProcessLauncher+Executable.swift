// The workers of every command: an executable of this package, with its hidden worker command.
internal import Analysis
internal import Foundation
internal import Harness
internal import Programs

extension ProcessLauncher {
  /// Starts workers of an executable.
  ///
  /// - Parameters:
  ///   - executable: The executable to start; this one by default.
  ///   - meter: The allocation meter's library; `nil` if there is none.
  ///   - library: The SQLite library of workers and programs; `nil` for the system's.
  /// - Throws: ``ProgramError`` if a program does not start with the other library.
  init(
    workersOf executable: String = Executable.workerPath, meter: String?, library: SQLiteFile? = Batchmark.library
  ) throws {
    let programs = Batchmark.engines.programs
    self.init(
      executable: executable, arguments: WorkerCommand.arguments(of:),
      environment: WorkerEnvironment(
        meter: meter, inheriting: ProcessInfo.processInfo.environment, sqlite: library?.path),
      programs: library?.path == Batchmark.library?.path
        ? programs : try programs.map { try $0.preloading(library?.path) })
  }
}
