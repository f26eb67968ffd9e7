// The folder of the files that the tests write, once per process.
internal import Foundation

enum FixtureFolder {
  /// A folder in it, created if necessary.
  static func path(_ name: String) throws -> String {
    let folder = root + "/" + name
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    return folder
  }

  /// It is removed when the process ends.
  private static let root: String = {
    atexit { try? FileManager.default.removeItem(atPath: FixtureFolder.name) }
    return name
  }()

  private static let name = FileManager.default.temporaryDirectory.appending(path: "fixtures-\(UUID().uuidString)").path
}
