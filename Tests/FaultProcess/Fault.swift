// Which of SQLite's calls fails, and how; both the VFS and the allocator of this program ask here.

/// How a call fails.
enum Fault: String, CaseIterable, Codable {
  /// A call of the VFS fails with an error of input or output.
  case ioError
  /// A call that may take room on the disk gets none.
  case diskFull
  /// A write stores the first half of its bytes, and then there is no room.
  case shortWrite
  /// SQLite gets no memory.
  case allocation
  /// The power fails at a call that changes a file: nothing works from then on, and what was not synced is lost.
  case powerCut
}

/// A call that fails.
struct FaultPoint: Codable, Hashable {
  let fault: Fault
  /// Whether those after it fail too.
  let isLasting: Bool
  /// Which one, of those that can fail so, counted from 1.
  let number: Int
}

/// The calls of SQLite while faults are armed.
struct FaultCounter {
  private var calls = [Int](repeating: 0, count: Fault.allCases.count)
  private var point: FaultPoint?
  private var isArmed = false
  /// Whether a call has failed since.
  private(set) var hasFired = false

  /// Counts calls from here on, and has those at the point fail; with nil none.
  mutating func arm(_ point: FaultPoint?) {
    self.point = point
    for index in calls.indices { calls[index] = 0 }
    hasFired = false
    isArmed = true
  }

  mutating func disarm() { isArmed = false }

  /// Whether it is to be known what was not synced.
  var awaitsPowerCut: Bool { isArmed && point?.fault == .powerCut }

  /// How many calls could have failed so.
  func calls(of fault: Fault) -> Int { calls[fault.index] }

  /// Notes a call that can fail so; true when it has to.
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

// Safe by proof: SQLite is used on the program's one thread, which is the only one that arms, counts and asks.
nonisolated(unsafe) var faults = FaultCounter()
