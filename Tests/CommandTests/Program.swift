// The built executables, run like a user would.
import Foundation

/// An executable next to the test bundle.
struct Program: Sendable {
  static let batchmark = Program("batchmark")
  /// The same commands with a faulty engine.
  static let faulty = Program("FaultyEngines")
  /// Commands with an engine that does additional work depending on the name of the executable.
  static let seeded = Program("SeededCauses")
  /// A program in C that uses SQLite, for `watch`.
  static let watchProbe = Program("WatchProbe")

  /// Whether the programs are debug builds, which only measure if they are asked to.
  static var isDebugBuild: Bool {
    #if DEBUG
      true
    #else
      false
    #endif
  }

  let path: String
  /// Lines for the shell that starts the program, such as `ulimit`.
  private var shellLines: String?
  /// Words that start the shell, for example as another user.
  private var wrapper: [String] = []

  /// A program at another path.
  init(at path: String) { self.path = path }

  private init(_ name: String) { path = Program.folder.appendingPathComponent(name).path }

  /// The program, started by a shell after these lines.
  func after(_ shellLines: String, in wrapper: [String] = []) -> Program {
    var program = self
    program.shellLines = shellLines
    program.wrapper = wrapper
    return program
  }

  /// The program without the right to make processes and threads.
  ///
  /// It runs as another user, because root has no such limit.
  func withoutProcesses() -> Program {
    // Shells use different names for the limit.
    after("ulimit -u 1 2>/dev/null || ulimit -p 1", in: Program.anotherUser)
  }

  /// The program without root's rights, because permissions of files do not stop root.
  func withoutRoot() -> Program { after(":", in: Program.anotherUser) }

  private static var anotherUser: [String] {
    geteuid() == 0 ? [setpriv, "--reuid=65534", "--regid=65534", "--clear-groups"] : []
  }

  /// Whether ``withoutProcesses()`` and ``withoutRoot()`` work here.
  static var canLimitProcesses: Bool {
    if geteuid() != 0 { return true }
    var folder = Program.folder
    while folder.path != "/" {
      var status = stat()
      guard stat(folder.path, &status) == 0, status.st_mode & S_IXOTH != 0 else { return false }
      folder.deleteLastPathComponent()
    }
    return FileManager.default.isExecutableFile(atPath: setpriv)
  }

  private static let setpriv = "/usr/bin/setpriv"

  /// Background processes start with signals ignored and would pass that on.
  private static let takesInterrupts: Void = {
    signal(SIGINT, SIG_DFL)
    signal(SIGHUP, SIG_DFL)
    signal(SIGQUIT, SIG_DFL)
  }()

  /// The build folder of the executables, next to the test bundle.
  private static let folder: URL = {
    #if os(Linux)
      let bundle = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
      return URL(fileURLWithPath: bundle).deletingLastPathComponent()
    #else
      let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? Bundle.main
      return bundle.bundleURL.deletingLastPathComponent()
    #endif
  }()

  /// The result of a finished command.
  struct Result: Sendable {
    var status: Int32
    var output: String
    var errors: String
  }

  /// Runs to the end, as soon as few enough others run.
  func run(
    _ arguments: [String], in folder: String, allowsDebug: Bool = true, environment: [String: String] = [:]
  ) async throws -> Result {
    try await Places.ofCommands.taking {
      try await start(arguments, in: folder, allowsDebug: allowsDebug, environment: environment).end()
    }
  }

  /// Starts the command, so that it can be interrupted.
  func start(
    _ arguments: [String], in folder: String, allowsDebug: Bool = true, environment: [String: String] = [:]
  ) throws -> Running {
    _ = Program.takesInterrupts
    if let shellLines {
      let words = wrapper + ["/bin/sh", "-c", shellLines + "\nexec \"$0\" \"$@\"", path] + arguments
      return try Running(
        words[0], Array(words.dropFirst()), in: folder, allowsDebug: allowsDebug, environment: environment)
    }
    return try Running(path, arguments, in: folder, allowsDebug: allowsDebug, environment: environment)
  }
}

/// All tests begin at once, and dozens of commands with their workers would slow each other down.
private actor Places {
  static let ofCommands = Places(2 * ProcessInfo.processInfo.activeProcessorCount)

  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ count: Int) { free = count }

  /// Does the work when a place is free.
  nonisolated func taking<Result: Sendable>(_ work: @Sendable () async throws -> Result) async throws -> Result {
    await take()
    do {
      let result = try await work()
      await give()
      return result
    } catch {
      await give()
      throw error
    }
  }

  private func take() async {
    if free > 0 {
      free -= 1
    } else {
      await withCheckedContinuation { waiting.append($0) }
    }
  }

  private func give() {
    if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
  }
}

/// A running command.
final class Running: Sendable {
  private let process = Process()
  private let outputs: [String]
  private let ended: AsyncStream<Int32>

  init(
    _ path: String, _ arguments: [String], in folder: String, allowsDebug: Bool, environment: [String: String]
  ) throws {
    // Use files instead of pipes, which would have to be read while the command runs.
    let prefix = FileManager.default.temporaryDirectory.path + "/command-\(UUID().uuidString)"
    outputs = [prefix + ".out", prefix + ".err"]
    let handles = try outputs.map { path in
      try Data().write(to: URL(fileURLWithPath: path))
      return try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    }
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    var variables = ProcessInfo.processInfo.environment.filter {
      $0.key != "BATCHMARK_ALLOW_DEBUG" && $0.key != "GITHUB_STEP_SUMMARY"
    }
    if allowsDebug { variables["BATCHMARK_ALLOW_DEBUG"] = "1" }
    process.environment = variables.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = handles[0]
    process.standardError = handles[1]
    let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
    ended = stream
    process.terminationHandler = { process in
      continuation.yield(process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus)
      continuation.finish()
    }
    try process.run()
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    for path in outputs { try? FileManager.default.removeItem(atPath: path) }
  }

  var isRunning: Bool { process.isRunning }

  var number: Int32 { process.processIdentifier }

  func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

  /// Waits for the end; a status below zero is the signal that ended it.
  func end() async throws -> Program.Result {
    var status: Int32 = 0
    for await ended in ended { status = ended }
    let texts = try outputs.map { String(decoding: try Data(contentsOf: URL(fileURLWithPath: $0)), as: UTF8.self) }
    return Program.Result(status: status, output: texts[0], errors: texts[1])
  }
}
