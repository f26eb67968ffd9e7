// What `watch` saw of a program: one value, which is watch.json, and all that its renderers see.
internal import Instruments
internal import Support

/// What a program and its children did with SQLite.
package struct WatchReport: Codable, Sendable {
  package static let currentSchemaVersion = 2

  package var schemaVersion = WatchReport.currentSchemaVersion
  /// The program's name as it was given.
  package var program: String
  /// How many arguments it had.
  package var argumentCount: Int
  /// The arguments, if values were requested: they may contain stored data.
  package var arguments: [String]?
  /// When it began, in UTC (ISO 8601).
  package var began: String
  /// From its start to its end, in seconds; nil, like every time, where the heap was metered, which itself takes time.
  package var seconds: Double?
  package var end: End
  /// The most bytes resident, of the program or of one of its children that it waited for.
  package var residentPeakBytes: Int64?
  package var processes: [Process] = []
  package var databases: [Database] = []
  package var connections: [Connections] = []
  package var statements: [Statement] = []
  /// Processor time that `watch` itself took, to look and to make the report, without waiting.
  package var watchSeconds: Double?
  /// In the order of their numbers.
  package var findings: [WatchFinding] = []
  package var growth: [Moment] = []
  /// What was not metered, and why.
  package var gaps: [Gap] = []
  /// Whether texts hold the values that the program wrote into them.
  package var hasValues: Bool
  /// Whether statements were metered.
  package var tracesStatements: Bool
  /// Whether the heap was metered.
  package var metersMemory: Bool
  /// Of a statement that runs again and again, one run in so many was timed.
  package var timedEach: Int

  /// A report without its figures, which ``add(_:since:storedBytes:shownPath:)`` takes.
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

    /// The status that a shell has for it.
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
    /// How often SQLite slept to wait for locks, and how long, in seconds.
    package var sleeps: Int64
    package var sleepSeconds: Double?
    /// What the meter itself took, estimated from the calls of it that were timed.
    package var meterSeconds: Double?
    package var meterTimedCalls: Int64
    /// Nil where allocations were not metered.
    package var heap: Heap?
  }

  /// What a process has allocated by the functions of the malloc family.
  package struct Heap: Codable, Sendable {
    package var peakBytes: Int64
    /// Calls that allocated memory, and the bytes that they allocated.
    package var allocations: Int64
    package var allocatedBytes: Int64
    /// The most that SQLite had, by its own count, and the rest; nil where SQLite does not count.
    package var sqlitePeakBytes: Int64?
    package var restPeakBytes: Int64?
  }

  /// The connections that one thread of a process opened to one database.
  package struct Connections: Codable, Sendable {
    package var process: Int64
    /// Nil for those beyond the room that the meter has.
    package var thread: Int64?
    /// The place among ``databases``; nil for those beyond the room that the meter has.
    package var database: Int?
    package var opened: Int64
    package var mostOpen: Int64
    /// How long those that were closed, or lost their tracer, had been open, together, in seconds.
    package var openSeconds: Double?
    package var statements: Int64
    package var unfinalized: Int64
  }

  /// A moment of the run.
  package struct Moment: Codable, Sendable {
    /// Since the start.
    package var seconds: Double
    package var rowsChanged: Int64
    package var commits: Int64
    /// All write-ahead logs together.
    package var walBytes: Int64
    /// The processes that use SQLite together; nil where the system did not say.
    package var residentBytes: Int64?
    /// Live on the heap of the same; nil where allocations were not metered.
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

  /// A statement among the busiest while the program runs.
  package struct Busy: Sendable {
    package var text: String
    package var runs: Int64 = 0
    /// Since it was last looked at.
    package var newRuns: Int64 = 0
    /// The total of all runs, estimated from those that were timed.
    package var seconds: Double = 0

    package init(text: String) { self.text = text }

    package mutating func add(runs: Int64, seconds: Double) {
      self.runs = self.runs.addingClamped(runs)
      self.seconds += seconds
    }
  }

  /// What was not metered.
  package enum Gap: Codable, Sendable, Hashable {
    /// Connections through a VFS of the program's own.
    case otherVFS(name: String, connections: Int64)
    /// A file of the program that contains SQLite.
    case ownSQLite(file: String)
    /// Statements of connections whose tracer the program replaced.
    case untraced(connections: Int64)
    /// Connections or databases for which the meter had no room.
    case noRoom(connections: Int64, databases: Int64)
    /// A file of the meter that could not be read.
    case unreadable(reason: String)
    /// The program cannot be preloaded into.
    case notPreloaded(reason: String)
    /// Processes that went on when the program had ended, whose figures go no further.
    case stillRunning(processes: Int64)
  }
}
