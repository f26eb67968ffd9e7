// The executable itself: its path for starting workers, and its build.
internal import Analysis
internal import Foundation
internal import Harness
internal import SQLiteDriver
internal import Support

/// The running executable.
enum Executable {
  /// Its absolute path.
  static let path: String = {
    #if os(Linux)
      let link = "/proc/self/exe"
      return (try? FileManager.default.destinationOfSymbolicLink(atPath: link)) ?? CommandLine.arguments.first ?? link
    #else
      return Bundle.main.executablePath ?? CommandLine.arguments.first ?? ""
    #endif
  }()

  /// The path from which a worker is started.
  ///
  /// On Linux this is the image of this process, even if the file has been rebuilt meanwhile. Its name has a fixed length,
  /// because the kernel puts it on the new process's stack.
  static var workerPath: String {
    #if os(Linux)
      "/proc/self/exe"
    #else
      path
    #endif
  }

  static var isDebugBuild: Bool {
    #if DEBUG
      true
    #else
      false
    #endif
  }

  /// Refuses to measure with a debug build, because its figures are misleading.
  ///
  /// An environment variable allows it for tests, with figures marked as not comparable.
  static func refuseDebugBuild() throws(CommandError) {
    guard isDebugBuild, ProcessInfo.processInfo.environment["BATCHMARK_ALLOW_DEBUG"] != "1" else { return }
    throw CommandError(
      .usage,
      "this is a debug build, whose figures mean nothing; build with swift build -c release, or use scripts/bench "
        + "(BATCHMARK_ALLOW_DEBUG=1 measures anyway and marks the report as not comparable)")
  }

  /// The identity of this build, with the SQLite library of its workers.
  static var identity: BuildIdentity { identity(with: Batchmark.library) }

  /// The identity of this build with a SQLite library; `nil` for the system's.
  static func identity(with library: SQLiteFile?) -> BuildIdentity {
    BuildIdentity(
      version: Batchmark.version, configuration: isDebugBuild ? "debug" : "release", executable: fingerprint,
      sqlite: library?.identity ?? SQLiteLibrary.identity)
  }

  private static let fingerprint = Fingerprint.ofFile(workerPath) ?? "unreadable"
}
