// The allocation meter's library, which the memory pass needs next to the executable.
internal import Analysis
internal import Harness
internal import Instruments
internal import Support

enum MeterLibrary {
  /// Why it is missing, and what to do about it.
  struct Problem: Error {
    let finding: String
    let advice: String
  }

  /// Its path; `nil` in a build without jemalloc, which has no memory pass.
  ///
  /// - Throws: ``CommandError`` if the library is missing or cannot be preloaded from its path.
  static func find(beside executable: String = Executable.path) throws(CommandError) -> String? {
    do { return try locate(beside: executable) } catch {
      throw CommandError(.internalError, "\(error.finding); \(error.advice)")
    }
  }

  /// The same, with another error.
  ///
  /// - Throws: ``Problem``.
  static func locate(beside executable: String = Executable.path) throws(Problem) -> String? {
    guard Jemalloc.isLinked else { return nil }
    guard let path = AllocationMeter.libraryPath(besideExecutable: executable) else {
      throw Problem(
        finding: "the allocation meter's library is not beside \(executable), so heap peaks cannot be measured",
        advice: "build the whole package, as scripts/bench does, and keep its products together")
    }
    guard PreloadList.takes(path) else {
      throw Problem(
        finding:
          "the allocation meter's library cannot be preloaded from \(path), since the path has a space or a colon",
        advice: "build in another folder")
    }
    return path
  }
}
