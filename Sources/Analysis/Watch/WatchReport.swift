// What `watch` recorded about a program: a single value, which becomes watch.json and is all that renderers use.
internal import Instruments
internal import Support

/// What a program and its children did with SQLite.
package struct WatchReport: Codable, Sendable {
  package static let currentSchemaVersion = 2

  package var schemaVersion = WatchReport.currentSchemaVersion
  /// The program's name, as given.
  package var program: String
  /// The number of its arguments.
  package var argumentCount: Int
  /// The arguments, if values were requested: they may contain stored data.
  package var arguments: [String]?
  /// When it began, in UTC (ISO 8601).
  package var began: String
  /// The time from its start to its end in seconds; `nil`, like every time, if the heap was metered, which itself takes
  /// time.
  package var seconds: Double?
  package var end: End
  /// The peak resident memory of the program or of a child that it waited for.
  package var residentPeakBytes: Int64?
  package var processes: [Process] = []
  package var databases: [Database] = []
  package var connections: [Connections] = []
  package var statements: [Statement] = []
  /// The processor time of `watch` itself, for reading and for the report, without waiting.
  package var watchSeconds: Double?
  /// Ordered by number.
  package var findings: [WatchFinding] = []
  package var growth: [Moment] = []
  /// What was not metered, and why.
  package var gaps: [Gap] = []
  /// Whether texts contain the program's literal values.
  package var hasValues: Bool
  /// Whether statements were metered.
  package var tracesStatements: Bool
  /// Whether the heap was metered.
  package var metersMemory: Bool
  /// For a statement that runs repeatedly, one in this many runs was timed.
  package var timedEach: Int

  /// A report without figures; ``add(_:since:storedBytes:shownPath:)`` adds them.
  package init(
    program: String, argumentCount: Int, arguments: [String]?, began: String, seconds: Double, end: End,
    residentPeakBytes: Int64?, hasValues: Bool, tracesStatements: Bool, metersMemory: Bool, timedEach: Int
  ) {
    self.program = program
    self.argumentCount = argumentCount
    self.arguments = arguments
    self.began = began
    self.seconds = seconds
    self.end = end
    self.residentPeakBytes = residentPeakBytes
    self.hasValues = hasValues
    self.tracesStatements = tracesStatements
    self.metersMemory = metersMemory
    self.timedEach = timedEach
  }

  /// How the program ended.
  package enum End: Codable, Sendable, Hashable {
    case exited(Int)
    case signalled(Int)

    /// The exit status as a shell reports it.
    package var status: Int32 {
      switch self {
      case .exited(let status): Int32(clamping: status)
      case .signalled(let signal): 128 + Int32(clamping: signal)
      }
    }
  }

  /// A process that used SQLite.
  package struct Process: Codable, Sendable {
    package var number: Int64
    package var parent: Int64
    package var executable: String
    package var sqliteVersion: String
    package var isFork: Bool
    package var threads: Int64
    package var connections: Int64
    package var connectionsInMemory: Int64
    /// How often SQLite slept to wait for locks, and for how long, in seconds.
    package var sleeps: Int64
    package var sleepSeconds: Double?
    /// The meter's own time, estimated from its timed calls.
    package var meterSeconds: Double?
    package var meterTimedCalls: Int64
    /// `nil` if allocations were not metered.
    package var heap: Heap?
  }

  /// A process's allocations with the functions of the malloc family.
  package struct Heap: Codable, Sendable {
    package var peakBytes: Int64
    /// The number of allocations, and their bytes.
    package var allocations: Int64
    package var allocatedBytes: Int64
    /// SQLite's peak by its own count, and the rest; `nil` if SQLite does not count.
    package var sqlitePeakBytes: Int64?
    package var restPeakBytes: Int64?
  }

  /// The connections that one thread of a process opened to one database.
  package struct Connections: Codable, Sendable {
    package var process: Int64
    /// `nil` for those that the meter had no room for.
    package var thread: Int64?
    /// The index in ``databases``; `nil` for those that the meter had no room for.
    package var database: Int?
    package var opened: Int64
    package var mostOpen: Int64
    /// The total time that connections were open until they were closed or lost their tracer, in seconds.
    package var openSeconds: Double?
    package var statements: Int64
    package var unfinalized: Int64
  }

  /// A moment of the run.
  package struct Moment: Codable, Sendable {
    /// Seconds since the start.
    package var seconds: Double
    package var rowsChanged: Int64
    package var commits: Int64
    /// The size of all write-ahead logs.
    package var walBytes: Int64
    /// The resident memory of all processes that use SQLite; `nil` if the system did not report it.
    package var residentBytes: Int64?
    /// Live bytes on their heaps; `nil` if allocations were not metered.
    package var heapBytes: Int64?

    package init(
      seconds: Double, rowsChanged: Int64, commits: Int64, walBytes: Int64, residentBytes: Int64?,
      heapBytes: Int64? = nil
    ) {
      self.seconds = seconds
      self.rowsChanged = rowsChanged
      self.commits = commits
      self.walBytes = walBytes
      self.residentBytes = residentBytes
      self.heapBytes = heapBytes
    }
  }

  /// One of the busiest statements while the program runs.
  package struct Busy: Sendable {
    package var text: String
    package var runs: Int64 = 0
    /// Runs since the last reading.
    package var newRuns: Int64 = 0
    /// The total time of all runs, estimated from the timed ones.
    package var seconds: Double = 0

    package init(text: String) { self.text = text }

    package mutating func add(runs: Int64, seconds: Double) {
      self.runs = self.runs.addingClamped(runs)
      self.seconds += seconds
    }
  }

  /// What was not metered.
  package enum Gap: Codable, Sendable, Hashable {
    /// Connections through a custom VFS of the program.
    case otherVFS(name: String, connections: Int64)
    /// A file of the program that contains SQLite.
    case ownSQLite(file: String)
    /// Statements on connections that lost the meter's tracer to one of the program's.
    case untraced(connections: Int64)
    /// Connections or databases that the meter had no room for.
    case noRoom(connections: Int64, databases: Int64)
    /// A file of the meter that could not be read.
    case unreadable(reason: String)
    /// Libraries cannot be preloaded into the program.
    case notPreloaded(reason: String)
    /// Processes that were still running when the program ended; their figures end there.
    case stillRunning(processes: Int64)
  }
}
