// The temporary IDs of objects that are saved by now, for those who kept one.
internal import CoreDataModel

/// Permanent IDs by the temporary keys before them.
///
/// Keys of objects that were made and saved one after the other follow each other, so that a run of them takes one entry.
struct FormerIDs {
  private struct Run {
    let store: StoreIdentity
    let entityIndex: Int32
    /// The temporary key and the key of the run's first object; the others' follow, downwards and upwards.
    var temporaryKey: Int64
    var key: Int64
    var count: Int64
  }

  private var runs: [Run] = []

  /// Notes what an object is called from now on; runs are made from their ends.
  mutating func note(_ temporaryKey: Int64, is objectID: ManagedObjectID) {
    if temporaryKey > 0 { return }
    if let last = runs.last, last.store === objectID.store, last.entityIndex == objectID.entityIndex,
      last.temporaryKey == temporaryKey - 1, last.key == objectID.key + 1
    {
      runs[runs.count - 1].temporaryKey = temporaryKey
      runs[runs.count - 1].key = objectID.key
      runs[runs.count - 1].count += 1
      return
    }
    runs.append(
      Run(
        store: objectID.store, entityIndex: objectID.entityIndex, temporaryKey: temporaryKey, key: objectID.key,
        count: 1))
  }

  /// O(runs).
  func objectID(_ temporaryKey: Int64) -> ManagedObjectID? {
    for run in runs {
      let position = run.temporaryKey - temporaryKey
      guard position >= 0, position < run.count else { continue }
      return ManagedObjectID(store: run.store, entityIndex: run.entityIndex, key: run.key + position)
    }
    return nil
  }
}
