// Runs every idiom and prints one line for each; ends with status 1 at the first idiom that fails.
import Foundation

/// One line of the program: what it shows, and the functions that show it.
typealias Idiom = (title: String, parts: [@MainActor () async throws -> String])

@MainActor let idioms: [Idiom] = [
  ("batch delete by date", [deleteByDate]),
  ("batch delete by object IDs", [deleteByObjectIDs]),
  ("batch delete in other ways", [deleteEveryRow, deleteAlongAKeyPath, deleteByACount, deleteInPieces]),
  ("delete objects and save", [deleteObjects]),
  ("batch update, merged", [updateAndMerge]),
  ("batch update refused", [refuseWrongUpdates]),
  ("batch insert in three styles", [insertDictionaries, insertByDictionaryHandler, insertByObjectHandler]),
  ("batch insert merged into several contexts", [insertAndMerge]),
  ("uniqueness constraint under each merge policy", [insertTwiceInBatches, insertTwiceBySaving]),
  ("persistent history", [followHistory]),
  ("affected stores", [chooseStores]),
  ("delete rules of a batch delete", [cascade, nullify, refuseForARequiredInverse]),
  ("a stack by hand, with a child context", [saveAChild]),
  ("a container and its contexts", [setUpContexts]),
  ("a new object, read in another context", [readElsewhere]),
  ("object IDs from the background, objects for the view", [passObjectIDs]),
  ("asynchronous fetch", [fetchWithCompletion, fetchWithProgress, cancelAFetch, awaitAFetch]),
  ("saved in the background, seen in the view", [refreshAfterASave, mergeASave]),
  ("batch update, then refreshAllObjects", [refreshAllAfterAnUpdate]),
  ("batch delete, merged into the view", [mergeADeletion]),
]

@main
@MainActor
enum Program {
  static func main() async throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var succeeds = true
    for (number, idiom) in zip(1..., idioms) where succeeds { succeeds = await run("\(number)", idiom) }
    if succeeds {
      succeeds = await run(
        "sample", ("earthquakes", [importInEveryStyle, importRevisions, validateQuakes, deleteOldQuakes]))
    }
    try closeStores()
    try FileManager.default.removeItem(at: folder)
    exit(succeeds ? 0 : 1)
  }

  /// Prints what the idiom does, or what it should have done.
  private static func run(_ number: String, _ idiom: Idiom) async -> Bool {
    do {
      var done: [String] = []
      for part in idiom.parts {
        done.append(try await part())
        try closeStores()
      }
      print("\(number)  \(idiom.title): \(done.joined(separator: "; "))")
      return true
    } catch {
      print("\(number)  \(idiom.title) FAILED: \(error)")
      return false
    }
  }
}
