// The stages of a session beside those of saves and batch inserts, for those who profile it.
internal import BatchmarkEngine

/// What the engine itself does in a phase.
enum EngineStage: String {
  /// Making new objects and setting their values.
  case objectCreation
  /// Making the array of dictionaries of a request.
  case dictionaryCreation
  case fetch
  /// Reading the values of what was fetched, with the faults and batches that are filled for it.
  case valueReading
  /// Changing objects, or marking them for deletion.
  case objectChanges
  /// Relating stored objects, with the batches of rows that are read for it; what a save does has stages of its own.
  case objectLinking
  case batchUpdate
  case batchDelete
  /// Releasing what a request or a save was given.
  case release
  case contextReset
  case contextRenewal
  /// Merging saves and requests into the observing context.
  case merging
  /// Reading the changed objects again.
  case reading
}

extension StageObserver {
  func began(_ stage: EngineStage) { began(stage.rawValue) }
}
