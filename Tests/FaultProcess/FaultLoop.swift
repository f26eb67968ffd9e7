// The loop over every call of a workload, and the counts of the results.
internal import CoreDataModel
internal import Foundation

/// The results of the faults of one kind.
struct Tally: Codable {
  var tried = 0
  var survived = 0
  var lost = 0
  var torn = 0
  var stuck = 0
  /// The first faults that were not survived.
  var notes: [String] = []

  fileprivate mutating func count(_ verdict: Verdict, _ note: String, at point: FaultPoint) {
    tried += 1
    switch verdict {
    case .survived: survived += 1
    case .lost: lost += 1
    case .torn: torn += 1
    case .stuck: stuck += 1
    }
    if verdict != .survived, notes.count < 5 { notes.append("call \(point.number) \(verdict.rawValue): \(note)") }
  }
}

/// A line of the output: the results of the faults of one kind, and the interval between the tested calls.
struct LoopReport: Codable {
  let workload: String
  let fault: Fault
  let isLasting: Bool
  /// Calls of the workload without faults.
  let calls: Int
  let stride: Int
  let tally: Tally
}

/// The current position of the loop, for a parent that finds the process crashed.
struct LoopPlace: Codable {
  let point: FaultPoint
  let stride: Int
  let calls: Int
  /// The results of this kind of fault so far.
  let tally: Tally
}

/// The loop of one workload.
struct FaultLoop {
  /// The maximum number of points of a workload.
  static let mostPoints = 2_000

  private let trial: Trial
  private let place: URL
  /// The interval between tested calls, if not all are tested; they are once and lasting in turns.
  private let every: Int

  init(_ workload: Workload, in folder: String, every: Int) throws {
    let model = try ManagedObjectModel.faultLoop()
    let folders = try Folders(in: folder, of: workload, model: model)
    let reference = try Reference(workload, folders, model)
    trial = Trial(workload: workload, reference: reference, folders: folders, model: model)
    place = URL(fileURLWithPath: folder + "/place")
    self.every = every
  }

  /// Tests every fault from the point on, each kind once and lasting, until the work no longer reaches it.
  func run(from first: FaultPoint?) throws {
    var isBefore = first != nil
    for fault in Fault.allCases {
      // Power does not come back.
      for isLasting in fault == .powerCut ? [true] : [false, true] {
        if let first, isBefore, first.fault != fault || first.isLasting != isLasting { continue }
        let start = isBefore ? first?.number : nil
        isBefore = false
        try report(run(fault, isLasting: isLasting, from: start))
      }
    }
  }

  private func run(_ fault: Fault, isLasting: Bool, from start: Int?) throws -> LoopReport {
    let stride = stride(fault)
    let calls = trial.reference.calls[fault] ?? 0
    var tally = Tally()
    var number = start ?? 1 + (isLasting ? stride / 2 : 0)
    // No workload makes twice as many calls because one call failed.
    while number <= 2 * calls + 100 {
      let point = FaultPoint(fault: fault, isLasting: isLasting, number: number)
      try JSONEncoder().encode(LoopPlace(point: point, stride: stride, calls: calls, tally: tally)).write(to: place)
      guard let outcome = trial.meet(point) else { break }
      tally.count(outcome.verdict, outcome.note, at: point)
      number += stride
    }
    return LoopReport(
      workload: trial.workload.name, fault: fault, isLasting: isLasting, calls: calls, stride: stride, tally: tally)
  }

  /// The interval that includes all calls that change a file, and as many other calls for files and allocations as the
  /// limit allows.
  private func stride(_ fault: Fault) -> Int {
    let calls = trial.reference.calls
    if fault == .powerCut { return every == 1 ? max(1, (calls[fault] ?? 0) / FaultLoop.mostPoints) : every }
    if every == 1, fault == .diskFull || fault == .shortWrite {
      return max(1, 2 * (calls[fault] ?? 0) / FaultLoop.mostPoints)
    }
    let ofFiles = 2 * Fault.allCases.filter { $0 != .allocation && $0 != .powerCut }.reduce(0) { $0 + (calls[$1] ?? 0) }
    let room = fault == .allocation ? max(FaultLoop.mostPoints - ofFiles, 500) : FaultLoop.mostPoints - 500
    let points = fault == .allocation ? 2 * (calls[.allocation] ?? 0) : ofFiles
    return (every == 1 ? 1 : 2 * every) * max(1, (points + room - 1) / room)
  }

  private func report(_ line: LoopReport) throws {
    var data = try JSONEncoder().encode(line)
    data.append(UInt8(ascii: "\n"))
    try FileHandle.standardOutput.write(contentsOf: data)
  }
}
