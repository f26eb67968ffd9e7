// The state before and after a workload without faults, and the number of its calls.
internal import CoreDataModel
internal import ObjectGraph

/// A successful workload.
struct Reference {
  /// The stores right before and after the work.
  let before: [StoreContents]
  let after: [StoreContents]
  /// The same state, as contexts show it.
  let shownBefore: [String: ObjectImage]
  let shownAfter: [String: ObjectImage]
  /// The stores after each version except for the first and the last.
  let between: [[StoreContents]]
  /// The number of calls that could have failed.
  let calls: [Fault: Int]

  /// Does the work twice: once to read the state before it, which needs many calls, and once unchanged.
  init(_ workload: Workload, _ folders: Folders, _ model: ManagedObjectModel) throws {
    try folders.work.fill(from: folders.template)
    if workload.opens {
      before = try folders.work.paths.map { try StoreContents($0) }
      shownBefore = [:]
    } else {
      let session = try Session(workload, in: folders.work, model: model)
      try session.perform(workload.prepare)
      before = try folders.work.paths.map { try StoreContents($0) }
      shownBefore = try session.shownContents()
      try session.coordinator.close()
    }
    try folders.work.fill(from: folders.template)
    var open: Session?
    if !workload.opens {
      open = try Session(workload, in: folders.work, model: model)
      try open?.perform(workload.prepare)
    }
    faults.arm(nil)
    let session = try open ?? Session(workload, in: folders.work, model: model)
    try session.perform(workload.attempt)
    faults.disarm()
    calls = Dictionary(uniqueKeysWithValues: Fault.allCases.map { ($0, faults.calls(of: $0)) })
    after = try folders.work.paths.map { try StoreContents($0) }
    shownAfter = try session.shownContents()
    try session.coordinator.close()
    between = try workload.unit.isVersions ? Reference.versions(workload, folders, model) : []
    let findings = (before + after).flatMap(\.findings)
    if !findings.isEmpty { throw Unsound(findings: findings) }
  }
}

extension Reference {
  /// The stores after each version between the first and the last one, opened in turn.
  fileprivate static func versions(
    _ workload: Workload, _ folders: Folders, _ model: ManagedObjectModel
  ) throws -> [[StoreContents]] {
    let count = try workload.migration?.models().count ?? 0
    try folders.work.fill(from: folders.template)
    return try (1..<max(1, count - 1)).map { version in
      try Session(workload, in: folders.work, model: model, version: version).coordinator.close()
      return try folders.work.paths.map { try StoreContents($0) }
    }
  }
}

extension Workload.Unit {
  fileprivate var isVersions: Bool { if case .versions = self { true } else { false } }
}

/// A workload leaves stores that are inconsistent although nothing failed.
struct Unsound: Error { let findings: [String] }

/// The folders of a workload's stores.
struct Folders {
  /// The stores before the work.
  let template: StoreFolder
  /// The stores that the work uses.
  let work: StoreFolder
  /// Copies of those, like a crash would leave them.
  let crash: StoreFolder

  init(in path: String, of workload: Workload, model: ManagedObjectModel) throws {
    template = StoreFolder(path: path + "/template", names: workload.storeNames)
    work = StoreFolder(path: path + "/work", names: workload.storeNames)
    crash = StoreFolder(path: path + "/crash", names: workload.storeNames)
    try template.empty()
    guard let fill = workload.fill else { return }
    let session = try Session(workload, in: template, model: model, version: 0)
    try session.perform(fill)
    try session.coordinator.close()
    // If the workload finishes a migration, the migration itself is already done.
    if workload.migration?.isDone == true {
      try Session(workload, in: template, model: model).coordinator.close()
    }
  }
}
