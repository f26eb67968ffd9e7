// A StoreProcess that a test starts, stops and kills. Its output is written to a file.
import Foundation
import Testing

/// A separate process that ends when it is no longer referenced.
final class ChildProcess {
  /// How the process ended.
  enum End: Equatable {
    case exit(Int32)
    case signal(Int32)
  }

  /// The program is next to the test bundle's own executable.
  static let program: String? = {
    let running = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return running.map { URL(fileURLWithPath: $0).deletingLastPathComponent().path + "/StoreProcess" }
  }()

  let output: String
  private let number: pid_t
  private(set) var end: End?

  /// Starts a program, by default the one for tests.
  ///
  /// - Parameters:
  ///   - arguments: Its command line.
  ///   - program: Its path.
  ///   - output: The file for its standard output.
  /// - Throws: An error if it cannot be started.
  init(_ arguments: [String], program: String? = program, output: String) throws {
    let program = try #require(program)
    self.output = output
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0o600)
    var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var number: pid_t = 0
    let code = posix_spawn(&number, program, &actions, nil, &words, environ)
    try #require(code == 0, "\(program): \(String(cString: strerror(code)))")
    self.number = number
  }

  deinit {
    if end == nil { kill() }
  }

  /// Stops it until it is killed or continued; false if it has already ended.
  func stop() -> Bool {
    Foundation.kill(number, SIGSTOP)
    return !wait(WUNTRACED)
  }

  func kill() {
    Foundation.kill(number, SIGKILL)
    _ = wait(0)
  }

  /// Waits until it ends by itself; false if that takes longer than any successful run.
  func waitUntilExit(seconds: Int = 300) -> Bool {
    for _ in 0..<seconds * 200 {
      if hasEnded { return true }
      usleep(5_000)
    }
    return false
  }

  /// Waits until it has written something or ended; false if that takes longer than any successful start.
  func waitUntilItSpeaks(seconds: Int = 120) -> Bool {
    for _ in 0..<seconds * 2_000 {
      if hasSpoken || hasEnded { return true }
      usleep(500)
    }
    return false
  }

  var hasEnded: Bool { end != nil || wait(WNOHANG) }

  /// The complete lines that it has written.
  func lines() throws -> [Data] {
    let data = try Data(contentsOf: URL(fileURLWithPath: output))
    let whole = data.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return data[..<whole].split(separator: UInt8(ascii: "\n")).map { Data($0) }
  }

  private var hasSpoken: Bool {
    let size = try? FileManager.default.attributesOfItem(atPath: output)[.size] as? Int
    return size ?? 0 > 0
  }

  /// Asks the system; true if the process has ended.
  private func wait(_ options: Int32) -> Bool {
    var status: Int32 = 0
    var answer = waitpid(number, &status, options)
    while answer < 0, errno == EINTR { answer = waitpid(number, &status, options) }
    // Stopped processes have 0x7f in place of the signal that ended them, or of 0.
    guard answer == number, status & 0xff != 0x7f else { return false }
    end = status & 0x7f == 0 ? .exit(status >> 8 & 0xff) : .signal(status & 0x7f)
    return true
  }
}

/// A folder for a test's files, removed when the test ends.
final class TemporaryFolder {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.path + "/StoreProcessTests-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// Whether to run the slow tests.
let isThorough = ProcessInfo.processInfo.environment["BATCHMARK_TEST_ALL"] == "1"

/// The seed of a random test: a new number each time, or `BATCHMARK_SEED` to repeat a failure.
///
/// It is printed at once, so that it is known however the test ends.
///
/// - Throws: A failed expectation unless it is a number from 0 to 2^64 - 1.
func chosenSeed(of test: String = #function) throws -> UInt64 {
  let wanted = ProcessInfo.processInfo.environment["BATCHMARK_SEED"]
  let seed = try wanted.map {
    try #require(UInt64($0), "BATCHMARK_SEED is \($0); expected a number from 0 to 2^64 - 1")
  }
  let chosen = seed ?? .random(in: 0 ... .max)
  print("\(test) begins with BATCHMARK_SEED=\(chosen)")
  return chosen
}

extension Trait where Self == ConditionTrait {
  /// For tests that start processes.
  static var onlyWithProcesses: Self {
    .enabled(if: ChildProcess.program != nil, "the program is found by /proc")
  }
}
