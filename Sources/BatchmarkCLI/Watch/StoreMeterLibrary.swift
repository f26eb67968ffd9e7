// The library with the meter of SQLite, which must lie beside the executable to be preloaded.
internal import Analysis
internal import Foundation
internal import Harness

enum StoreMeterLibrary {
  static let name = "libCStoreMeter.so"

  /// Its path.
  ///
  /// - Throws: ``CommandError`` when the library is not there or cannot be preloaded from where it is.
  static func find(beside executable: String = Executable.path) throws(CommandError) -> String {
    #if os(Linux)
      let path = URL(fileURLWithPath: executable).deletingLastPathComponent().appendingPathComponent(name).path
      guard FileManager.default.isReadableFile(atPath: path) else {
        throw CommandError(
          .unreadableFile,
          "found no \(name) beside \(executable), which meters the program; build the whole package, as scripts/bench does, and keep its products together"
        )
      }
      // LD_PRELOAD is a list, and nothing quotes what separates its items.
      guard !path.contains(where: { $0 == " " || $0 == ":" }) else {
        throw CommandError(
          .unreadableFile,
          "\(path) cannot be preloaded, since the path has a space or a colon; build in another folder")
      }
      return path
    #else
      throw CommandError(.usage, "programs can be watched on Linux alone")
    #endif
  }
}
