// The allocation meter's library, which must lie beside the executable for the memory pass.
internal import Analysis
internal import Harness
internal import Instruments

enum MeterLibrary {
  /// Its path; nil in a build without jemalloc, which has no memory pass.
  ///
  /// - Throws: ``CommandError`` when the library is not there or cannot be preloaded from where it is.
  static func find(beside executable: String = Executable.path) throws(CommandError) -> String? {
    guard Jemalloc.isLinked else { return nil }
    guard let path = AllocationMeter.libraryPath(besideExecutable: executable) else {
      throw CommandError(
        .internalError,
        "the allocation meter's library is not beside \(executable), so heap peaks cannot be measured; build the "
          + "whole package, as scripts/bench does, and keep its products together")
    }
    // LD_PRELOAD is a list, and nothing quotes what separates its items.
    guard !path.contains(where: { $0 == " " || $0 == ":" }) else {
      throw CommandError(
        .internalError,
        "the allocation meter's library cannot be preloaded from \(path), since the path has a space or a colon; build "
          + "in another folder")
    }
    return path
  }
}
