// Which of SQLite's calls fails, and how. Both the VFS and the allocator of this program use this.

/// How a call fails.
enum Fault: String, CaseIterable, Codable {
  /// A call of the VFS fails with an I/O error.
  case ioError
  /// A call that may need space on the disk gets none.
  case diskFull
  /// A write stores the first half of its bytes, then there is no space.
  case shortWrite
  /// SQLite gets no memory.
  case allocation
  /// The power fails at a call that changes a file: nothing works from then on, and unsynced data is lost.
  case powerCut
}

/// A call that fails.
struct FaultPoint: Codable, Hashable {
  let fault: Fault
  /// Whether all later calls fail, too.
  let isLasting: Bool
  /// The number of the call among those that can fail this way, counted from 1.
  let number: Int
}

/// The calls of SQLite while faults are armed.
struct FaultCounter {
  private var calls = [Int](repeating: 0, count: Fault.allCases.count)
  private var point: FaultPoint?
  private var isArmed = false
  /// Whether any call has failed since then.
  private(set) var hasFired = false

  /// Starts to count calls, and makes those at the point fail; with nil, none fails.
  mutating func arm(_ point: FaultPoint?) {
    self.point = point
    for index in calls.indices { calls[index] = 0 }
    hasFired = false
    isArmed = true
  }

  mutating func disarm() { isArmed = false }

  /// Whether to record unsynced writes.
  var awaitsPowerCut: Bool { isArmed && point?.fault == .powerCut }

  /// The number of calls that could have failed this way.
  func calls(of fault: Fault) -> Int { calls[fault.index] }

  /// Counts a call that can fail this way; true if it must fail.
  mutating func strikes(_ fault: Fault) -> Bool {
    guard isArmed else { return false }
    if hasFired, point?.fault == .powerCut { return fault == .ioError || fault == .powerCut }
    calls[fault.index] += 1
    guard let point, point.fault == fault else { return false }
    let number = calls[fault.index]
    guard point.isLasting ? number >= point.number : number == point.number else { return false }
    hasFired = true
    return true
  }
}

extension Fault {
  fileprivate var index: Int {
    switch self {
    case .ioError: 0
    case .diskFull: 1
    case .shortWrite: 2
    case .allocation: 3
    case .powerCut: 4
    }
  }
}

// Safe by proof: SQLite is used on the program's only thread, and only this thread uses the counter.
nonisolated(unsafe) var faults = FaultCounter()
