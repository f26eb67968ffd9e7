// The executable itself: what workers are started from, and which build it is.
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

  /// A debug build's figures mislead.
  ///
  /// With an environment variable, tests get them anyway, marked as not comparable.
  static func refuseDebugBuild() throws(CommandError) {
    guard isDebugBuild, ProcessInfo.processInfo.environment["BATCHMARK_ALLOW_DEBUG"] != "1" else { return }
    throw CommandError(
      .usage,
      "this is a debug build, whose figures mean nothing; build with swift build -c release, or use scripts/bench "
        + "(BATCHMARK_ALLOW_DEBUG=1 measures anyway and marks the report as not comparable)")
  }

  /// This build, with the SQLite that its workers use.
  static var identity: BuildIdentity { identity(with: Batchmark.library) }

  /// This build with a SQLite; nil for the system's.
  static func identity(with library: SQLiteFile?) -> BuildIdentity {
    BuildIdentity(
      version: Batchmark.version, configuration: isDebugBuild ? "debug" : "release", executable: fingerprint,
      sqlite: library?.identity ?? SQLiteLibrary.identity)
  }

  private static let fingerprint = Fingerprint.ofFile(workerPath) ?? "unreadable"
}
