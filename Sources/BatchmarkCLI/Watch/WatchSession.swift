// The course of `watch`: starts the program with the meter, reads its counters while it runs, and writes the results.
internal import Analysis
internal import Foundation
internal import Harness
internal import Instruments
internal import Reports
internal import Support

/// One invocation of `watch`.
struct WatchSession {
  /// The program's name and its arguments.
  let program: [String]
  let output: OutputFolder
  let hasValues: Bool
  let shortensPaths: Bool
  let tracesStatements: Bool
  let metersMemory: Bool
  let isLive: Bool
  /// The file for a line of JSON each second and at the end; `nil` for none.
  let json: String?
  let format: OutputFormat

  /// Runs the program and returns the exit status.
  func run() throws -> Int32 {
    let path = try WatchedProgram.path(of: program.first ?? "")
    var libraries = [try WatchSession.library("libCStoreMeter.so")]
    if metersMemory { libraries.append(try WatchSession.library("libCProgramAllocationMeter.so")) }
    let folder = try PrivateFolder()
    // The folder is removed with its owner, and its files are read until the end.
    return try withExtendedLifetime(folder) { try run(path, preloading: libraries, folder: folder.path) }
  }

  /// The path of the meter's library next to the executable.
  ///
  /// - Throws: ``CommandError`` if the library is missing or cannot be preloaded from its path.
  private static func library(_ name: String) throws(CommandError) -> String {
    #if os(Linux)
      let executable = Executable.path
      let path = URL(fileURLWithPath: executable).deletingLastPathComponent().appendingPathComponent(name).path
      guard FileManager.default.isReadableFile(atPath: path) else {
        throw CommandError(
          .unreadableFile,
          "found no \(name) beside \(executable), which meters the program; build the whole package, as scripts/bench does, and keep its products together"
        )
      }
      guard PreloadList.takes(path) else {
        throw CommandError(
          .unreadableFile,
          "\(path) cannot be preloaded, since the path has a space or a colon; build in another folder")
      }
      return path
    #else
      throw CommandError(.usage, "found another system; expected Linux, the only one on which programs can be watched")
    #endif
  }

  private func run(_ path: String, preloading libraries: [String], folder: String) throws -> Int32 {
    try output.create()
    let lines: WatchLines?
    do { lines = try json.map { try WatchLines(to: $0) } } catch {
      output.removeIfEmpty()
      throw error
    }
    let began = Date()
    let start = MonotonicClock.now()
    let watched: WatchedProgram
    do {
      watched = try WatchedProgram(
        path, words: program, environment: environment(preloading: libraries, folder: folder))
    } catch {
      output.removeIfEmpty()
      throw error
    }
    var meters = WatchedMeters(folder: folder, root: Int64(watched.number), start: start)
    var display = WatchDisplay(isLive: isLive)
    let end = watched.wait {
      guard let moments = meters.look() else { return }
      lines?.write(moments.now)
      display.show(moments.now, since: moments.before, meters)
    }
    let last = meters.end()
    lines?.write(last)
    display.clear()
    var report = WatchReport(
      program: (program.first ?? "").split(separator: "/").last.map(String.init) ?? "",
      argumentCount: program.count - 1,
      arguments: hasValues ? Array(program.dropFirst()) : nil, began: UTC.text(began),
      seconds: Double(MonotonicClock.now() - start) / 1e9, end: end.end,
      residentPeakBytes: [end.residentPeakBytes, meters.residentPeakBytes].compactMap(\.self).max(),
      hasValues: hasValues, tracesStatements: tracesStatements, metersMemory: metersMemory,
      timedEach: MeterReading.timedEach)
    fill(&report, from: &meters, since: start, program: path)
    publish(report)
    return end.end.status
  }

  private func environment(preloading libraries: [String], folder: String) -> [String: String] {
    let own = ProcessInfo.processInfo.environment
    var variables = PreloadList.variables(preloading: libraries, in: own)
    variables[MeterReading.folderVariable] = folder
    variables[MeterReading.valuesVariable] = hasValues ? "1" : "0"
    variables[MeterReading.statementsVariable] = tracesStatements ? "1" : "0"
    guard metersMemory else { return variables }
    // The meter's own allocations for query plans must not count for the program.
    variables[MeterReading.plansVariable] = "0"
    // By default, Python and PHP have their own allocators on top of the real one.
    variables["PYTHONMALLOC"] = own["PYTHONMALLOC"] ?? "malloc"
    variables["USE_ZEND_ALLOC"] = own["USE_ZEND_ALLOC"] ?? "0"
    return variables
  }

  private func fill(
    _ report: inout WatchReport, from meters: inout WatchedMeters, since start: UInt64, program path: String
  ) {
    let last = meters.read()
    report.gaps += last.failures.map { WatchReport.Gap.unreadable(reason: $0) }
    let running = meters.stillRunning(last.readings)
    if running > 0 { report.gaps.append(.stillRunning(processes: Int64(running))) }
    report.growth = meters.growth
    report.watchSeconds = ProcessTime.cpuSeconds()
    report.add(last.readings, since: start, storedBytes: Self.size, shownPath: shownPath)
    if last.readings.isEmpty, let file = meters.ownSQLite(program: path) {
      report.gaps.append(.ownSQLite(file: shownPath(file)))
    }
  }

  private func shownPath(_ path: String) -> String {
    shortensPaths ? path.split(separator: "/").last.map(String.init) ?? path : path
  }

  private static func size(of path: String) -> Int64? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return (attributes?[.size] as? NSNumber)?.int64Value
  }

  /// Writes the report.
  ///
  /// If it cannot be written, the status is still the program's.
  private func publish(_ report: WatchReport) {
    do {
      let page = try WatchWriter.write(report, into: output.path)
      for line in WatchWriter.lines(report) { Console.complain(folding: line) }
      Console.complain("\(page)")
    } catch {
      Console.complain("the report was not written: \(error)")
    }
    guard format == .json else { return }
    do { try Console.output(encoded: WatchWriter.json(report)) } catch {
      Console.complain(lines: CommandError(error).lines)
    }
  }
}

/// A line of JSON for each second, and one at the end.
final class WatchLines {
  private let file: FileHandle

  /// Opens a new file, or an existing pipe or device.
  ///
  /// Existing files are never overwritten.
  ///
  /// - Throws: ``CommandError`` if the file exists or cannot be written.
  init(to path: String) throws(CommandError) {
    // If these are files of the caller, they exist already.
    let streams: [String: FileHandle] = [
      "-": .standardOutput, "/dev/stdout": .standardOutput, "/dev/stderr": .standardError,
    ]
    if let stream = streams[path] {
      file = stream
      return
    }
    let descriptor =
      switch FileKind(at: path) {
      // A slow reader must not block this process, which must notice the end of the program.
      case .pipe, .device: open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
      default: open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      }
    guard descriptor >= 0 else {
      let reason =
        switch errno {
        case EEXIST: "it exists already"
        case ENXIO: "no process reads it yet"
        case let number: String(cString: strerror(number))
        }
      throw CommandError(.unwritableOutput, "\(path) cannot be written: \(reason)")
    }
    file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  /// A reader that has ended or cannot keep up is not an error.
  func write(_ moment: WatchReport.Moment) {
    guard let line = try? WatchWriter.line(moment) else { return }
    try? file.write(contentsOf: Data(line.utf8))
  }
}
