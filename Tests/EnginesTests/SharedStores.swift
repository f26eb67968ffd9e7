// Stores that Core Data wrote, beside the package; tests that need one are skipped without them.
import Foundation

enum SharedStores {
  /// `../shared/data/stores` relative to the package.
  private static let directory = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "shared/data/stores")

  static let exist = FileManager.default.fileExists(atPath: directory.path)

  /// The path of a store.
  static func path(_ name: String) -> String { directory.appending(path: name).path }

  /// All of them, with how many rows each has.
  static let rows = [
    ("BookMigration-Model1.sqlite", 7), ("NoteStore-macOS-12-Monterey.sqlite", 42),
    ("NoteStore-macOS-15-Seqoia.sqlite", 72), ("SampleModel2_V1.sqlite", 5_468), ("SampleModel3_V1.sqlite", 12),
    ("SampleModel_V1.sqlite", 145),
  ]
}
