// The meters of a watched program and its children, read while they run.
internal import Analysis
internal import Foundation
internal import Instruments
internal import Support

/// All metered processes of a program.
struct WatchedMeters {
  private let folder: String
  private let root: WatchedProcess
  /// When the program began, by the monotonic clock.
  private let start: UInt64
  private var nextLook: UInt64
  /// When the display is updated next.
  private var nextShow: UInt64
  /// The highest resident memory of any process at a reading.
  private(set) var residentPeakBytes: Int64?
  private(set) var growth: [WatchReport.Moment] = []
  private var interval = 0.1
  /// The last readings, without statements unless they were requested.
  private(set) var latest: [MeterReading] = []
  private var last = WatchReport.Moment(seconds: 0, rowsChanged: 0, commits: 0, walBytes: 0, residentBytes: nil)
  /// Files of the program, and whether they contain SQLite.
  private var scanned: [String: Bool] = [:]

  /// With more moments than this, some are dropped.
  private static let mostMoments = 240

  init(folder: String, root: Int64, start: UInt64) {
    self.folder = folder
    self.root = WatchedProcess(root)
    self.start = start
    nextLook = start + 50_000_000
    nextShow = start + 1_000_000_000
  }

  /// Reads the counters.
  ///
  /// Returns them once a second, otherwise `nil`.
  mutating func look() -> (now: WatchReport.Moment, before: WatchReport.Moment)? {
    let time = MonotonicClock.now()
    guard time >= nextLook else { return nil }
    latest = read(withStatements: false).readings
    if latest.isEmpty { scan() }
    notePeak()
    let now = moment(at: time)
    // Reading takes at most a hundredth of the time.
    let end = MonotonicClock.now()
    nextLook = end + max(90_000_000, (end - time) * 100)
    if growth.isEmpty || now.seconds >= (growth.last?.seconds ?? 0) + interval * 0.9 { note(now) }
    guard time >= nextShow else { return nil }
    nextShow = time + 1_000_000_000
    defer { last = now }
    return (now, last)
  }

  /// The counters after the end of the program, which are the last moment of the growth.
  mutating func end() -> WatchReport.Moment {
    latest = read(withStatements: false).readings
    let last = moment(at: MonotonicClock.now())
    note(last)
    return last
  }

  private mutating func note(_ moment: WatchReport.Moment) {
    growth.append(moment)
    guard growth.count > WatchedMeters.mostMoments else { return }
    growth = growth.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
    interval *= 2
  }

  private mutating func notePeak() {
    let processes = Set(latest.map { WatchedProcess($0.process) } + [root])
    residentPeakBytes = (processes.compactMap(\.residentBytes) + [residentPeakBytes].compactMap(\.self)).max()
  }

  private func moment(at time: UInt64) -> WatchReport.Moment {
    let databases = latest.flatMap(\.databases)
    let processes = Set(latest.map { WatchedProcess($0.process) } + [root])
    let resident = processes.compactMap(\.residentBytes)
    // Figures of ended processes stay.
    let heaps = latest.filter { WatchedProcess($0.process).residentBytes != nil }.compactMap { $0.heap?.liveBytes }
    func sum(_ values: [Int64]) -> Int64 { values.reduce(0) { $0.addingClamped($1) } }
    return WatchReport.Moment(
      seconds: Double(time - start) / 1e9, rowsChanged: sum(databases.map(\.rowsChanged)),
      commits: sum(databases.map(\.commits)), walBytes: latest.walBytes,
      residentBytes: resident.isEmpty ? nil : sum(resident), heapBytes: heaps.isEmpty ? nil : sum(heaps))
  }

  /// The current counters, in the order in which the processes began, and why some are missing.
  func read(withStatements: Bool = true) -> (readings: [MeterReading], failures: [String]) {
    var readings: [MeterReading] = []
    var failures: [String] = []
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for name in names.sorted() where name.hasSuffix(MeterReading.fileSuffix) {
      do throws(MeterFileError) {
        readings.append(try MeterReading(of: "\(folder)/\(name)", withStatements: withStatements))
      } catch .notBegun {
        // A process that ended while it was starting has done nothing.
      } catch {
        failures.append("\(error)")
      }
    }
    return (readings.sorted { $0.beganNanoseconds < $1.beganNanoseconds }, failures)
  }

  /// How many processes still run after the program has ended.
  func stillRunning(_ readings: [MeterReading]) -> Int {
    let running = readings.filter {
      let process = WatchedProcess($0.process)
      return process != root && process.isRunning($0.executable)
    }
    return Set(running.map(\.process)).count
  }

  private mutating func scan() {
    for file in root.mappedFiles where scanned[file] == nil && !WatchedMeters.isSystemLibrary(file) {
      scanned[file] = WatchedProcess.hasSQLite(inFile: file)
    }
  }

  /// A file of the program that contains SQLite.
  mutating func ownSQLite(program path: String) -> String? {
    if scanned[path] == nil { scanned[path] = WatchedProcess.hasSQLite(inFile: path) }
    return scanned.filter(\.value).keys.min()
  }

  /// Whether the file is a SQLite that can be metered.
  ///
  /// If there was none, no database was opened.
  private static func isSystemLibrary(_ path: String) -> Bool {
    path.split(separator: "/").last?.hasPrefix("libsqlite3.so") ?? false
  }
}
