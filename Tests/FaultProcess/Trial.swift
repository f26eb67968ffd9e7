// One fault: the work meets it, its stores are checked, and the work is done again without the fault.
internal import CoreDataModel
internal import ObjectGraph
internal import SQLiteDriver

/// The result for the work and its stores.
enum Verdict: String, Codable {
  /// The work was done, or it failed without losing anything and was done in the second attempt.
  case survived
  /// Something that had to be stored, or was reported as stored, is missing.
  case lost
  /// A store has neither its old nor its new state, or is damaged.
  case torn
  /// The work cannot be done any longer, although nothing fails.
  case stuck
}

/// A workload that meets faults, one after another.
struct Trial {
  let workload: Workload
  let reference: Reference
  let folders: Folders
  let model: ManagedObjectModel

  /// The result of a fault; nil for a point that the work does not reach.
  func meet(_ point: FaultPoint) -> (verdict: Verdict, note: String)? {
    var session: Session?
    do {
      var pending: PendingImage?
      try folders.work.fill(from: folders.template)
      if !workload.opens {
        session = try Session(workload, in: folders.work, model: model)
        try session?.perform { session in
          try workload.prepare(session)
          if workload.keepsPendingChanges { pending = try PendingImage(session.context) }
        }
      }
      let failure = attempt(&session, point)
      if !faults.hasFired {
        try session?.coordinator.close()
        return nil
      }
      let finding = try look(after: failure, session, pending)
      if let finding { return finding }
      return try again(&session, failure)
    } catch {
      return (.stuck, "nothing fails any more, but: \(error)")
    }
  }

  /// Does the work with a fault and returns its error.
  private func attempt(_ session: inout Session?, _ point: FaultPoint?) -> (any Error)? {
    unsynced.reset()
    if let point { faults.arm(point) }
    defer { faults.disarm() }
    do {
      let open = try session ?? Session(workload, in: folders.work, model: model)
      session = open
      try open.perform(workload.attempt)
      return nil
    } catch {
      session?.rowsStored += error.rowsStored
      return error
    }
  }

  /// What is wrong right after the work, whether it failed or not.
  private func look(
    after failure: (any Error)?, _ session: Session?, _ pending: PendingImage?
  ) throws -> (verdict: Verdict, note: String)? {
    let check = StateCheck(workload: workload, reference: reference)
    if let other = try folders.work.otherFiles().first { return (.torn, "found \(other) beside the stores") }
    try folders.crash.fill(from: folders.work)
    try unsynced.undo(in: folders.crash, of: folders.work)
    let crashed = try folders.crash.paths.map { try StoreContents($0) }
    guard let failure else {
      // Nothing promises whether unsynced data survives a power failure.
      if !unsynced.isEmpty { return crashed.flatMap(\.findings).first.map { (.torn, "done, then a power cut: \($0)") } }
      if let fault = check.fault(inDone: crashed) { return (.lost, "done, then a crash: \(fault)") }
      return nil
    }
    let cause = "after \(failure): "
    // Any error other than the library's own is a failure that was reported too late.
    guard failure is ObjectGraphError else { return (.torn, cause + "expected an ObjectGraphError") }
    if let fault = check.fault(inFailed: crashed, failure, crashed: true) {
      return (.torn, cause + "a crash: \(fault)")
    }
    guard let session, let stores = try liveContents(failure) else { return nil }
    if let fault = check.fault(inFailed: stores, failure, crashed: false) { return (.torn, cause + fault) }
    if case .whole = workload.unit, failure.storesCommitted.isEmpty,
      try session.shownContents() != reference.shownBefore
    {
      return (.torn, cause + "a new context shows other objects than are stored")
    }
    var loss: String?
    if failure.storesCommitted.isEmpty { try session.perform { loss = try pending?.loss(in: $0.context) } }
    return loss.map { (.lost, cause + $0) }
  }

  /// The contents of the stores while they are open.
  ///
  /// - Returns: Nil if a rollback had no memory either. The next request repeats the rollback; until then, a file
  ///   without a write-ahead log is locked.
  private func liveContents(_ failure: any Error) throws -> [StoreContents]? {
    do {
      return try folders.work.paths.map { try StoreContents($0) }
    } catch {
      guard ResultCode.busy ~= error, !workload.hasLog,
        case .store(let cause, _)? = failure as? ObjectGraphError, cause.code == .noMemory
      else { throw error }
      return nil
    }
  }

  /// Repeats the failed work and checks the result.
  private func again(
    _ session: inout Session?, _ failure: (any Error)?
  ) throws -> (verdict: Verdict, note: String) {
    let cause = failure.map { "after \($0): " } ?? ""
    if failure != nil, let error = attempt(&session, nil) {
      return (.stuck, cause + "the next attempt: \(error)")
    }
    guard let session else { return (.stuck, "no store is open") }
    let check = StateCheck(workload: workload, reference: reference)
    let stores = try folders.work.paths.map { try StoreContents($0) }
    if let fault = check.fault(inDone: stores) { return (.torn, cause + "once done: \(fault)") }
    if try session.shownContents() != reference.shownAfter {
      return (.lost, cause + "once done, a context shows other objects than are stored")
    }
    var hasChanges = false
    try session.perform { hasChanges = $0.context.hasChanges }
    if hasChanges { return (.lost, cause + "once done, the context has changes still") }
    try session.coordinator.close()
    return (.survived, "")
  }
}
