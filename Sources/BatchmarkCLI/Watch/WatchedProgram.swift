// A program that runs as if it were not watched: it has this process's streams and group, receives its signals, and
// determines its exit status.
internal import Analysis
internal import Foundation
internal import Harness
internal import Instruments
internal import Support

/// A program that was started to be watched.
struct WatchedProgram {
  let number: pid_t
  private let signals: sigset_t

  /// This process's resident memory when it started the program, which the system also counts for the program.
  private let ownBytes: Int64

  /// How it ended, and the peak resident memory of it or of a child that it waited for; `nil` if that may be this
  /// process's.
  typealias End = (end: WatchReport.End, residentPeakBytes: Int64?)

  /// Signals that are forwarded.
  private static let passed = [SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2]

  /// Finds a program as a shell does.
  ///
  /// - Throws: ``CommandError`` if there is none.
  static func path(of name: String) throws(CommandError) -> String {
    func isProgram(_ path: String) -> Bool {
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
        && FileManager.default.isExecutableFile(atPath: path)
    }
    if name.contains("/") {
      if isProgram(name) { return name }
      let found = FileManager.default.fileExists(atPath: name) ? "a file that cannot be run" : "nothing"
      throw CommandError(.unreadableFile, "found \(found) at \(name); expected a program")
    }
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin")
      .split(separator: ":", omittingEmptySubsequences: false)
    for folder in folders {
      let path = (folder.isEmpty ? "." : String(folder)) + "/" + name
      if isProgram(path) { return path }
    }
    throw CommandError(.unreadableFile, "found no program '\(name)' in the folders of PATH; give its path")
  }

  /// Starts the program.
  ///
  /// - Parameters:
  ///   - path: The path of the program.
  ///   - words: Its name and its arguments.
  ///   - environment: Variables in addition to this process's environment.
  /// - Throws: ``CommandError`` if the system refuses.
  init(_ path: String, words: [String], environment: [String: String]) throws(CommandError) {
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in WatchedProgram.passed + [SIGCHLD] { sigaddset(&signals, number) }
    var before = sigset_t()
    pthread_sigmask(SIG_BLOCK, &signals, &before)
    self.signals = signals
    let variables = ChildProcess.ownEnvironment(with: environment)
    var number = pid_t()
    let error = WatchedProgram.spawn(&number, path, words, variables, mask: before)
    guard error == 0 else {
      throw CommandError(.unreadableFile, "\(path) cannot be run: \(String(cString: strerror(error)))")
    }
    self.number = number
    ownBytes = WatchedProcess(Int64(getpid())).residentBytes ?? 0
    // The program's reader does not wait for this process's output.
    signal(SIGPIPE, SIG_IGN)
  }

  private static func spawn(
    _ number: inout pid_t, _ path: String, _ words: [String], _ environment: [String], mask: sigset_t
  ) -> Int32 {
    #if os(Linux)
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #else
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    // This process was started without them, so the program is too.
    for stream in Console.closedStreams { posix_spawn_file_actions_addclose(&actions, stream) }
    var mask = mask
    posix_spawnattr_setsigmask(&attributes, &mask)
    // Only this process ignores it: see Batchmark.main.
    var defaults = sigset_t()
    sigemptyset(&defaults)
    sigaddset(&defaults, SIGXFSZ)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
    var arguments = words.map { strdup($0) } + [nil]
    var variables = environment.map { strdup($0) } + [nil]
    defer { for text in arguments + variables { free(text) } }
    return posix_spawn(&number, path, &actions, &attributes, &arguments, &variables)
  }

  /// Waits for its end and forwards signals.
  ///
  /// It calls `look` every tenth of a second.
  func wait(_ look: () -> Void) -> End {
    while true {
      var status: Int32 = 0
      var usage = rusage()
      let found = wait4(number, &status, WNOHANG, &usage)
      if found == number || found < 0 && errno != EINTR { return end(status, usage) }
      pass(within: 0.1)
      look()
    }
  }

  /// Waits briefly for a signal, and forwards it unless it came from the terminal, which also sends it to the program.
  private func pass(within seconds: Double) {
    var signals = self.signals
    var information = siginfo_t()
    #if os(Linux)
      var time = timespec(tv_sec: 0, tv_nsec: Int(clamping: seconds * 1e9))
      let signal = sigtimedwait(&signals, &information, &time)
      if signal > 0, signal != SIGCHLD, information.si_code <= 0 { kill(number, signal) }
    #else
      _ = (signals, information)
      usleep(useconds_t(clamping: seconds * 1e6))
    #endif
  }

  private func end(_ status: Int32, _ usage: rusage) -> End {
    #if os(Linux)
      let peak = Int64(usage.ru_maxrss).multipliedReportingOverflow(by: 1024).partialValue
    #else
      let peak = Int64(usage.ru_maxrss)
    #endif
    // The macros of <sys/wait.h>, which Swift does not import.
    let signal = status & 0x7F
    return (
      end: signal == 0 ? .exited(Int(status >> 8 & 0xFF)) : .signalled(Int(signal)),
      residentPeakBytes: peak > ownBytes + ownBytes / 4 ? peak : nil
    )
  }
}

/// A watched program has ended, and this process exits with its status.
struct ProgramEnd: Error {
  var status: Int32
}
