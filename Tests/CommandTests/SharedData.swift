// The real feeds and stores, where they are; they are not part of the package.
import Foundation

/// Real data beside the package.
enum SharedData {
  /// `../shared`, relative to the package.
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("shared")

  static let csvFeed = folder.appendingPathComponent("data/feeds/month-2018-06.all_month.csv").path
  static let geoJSONFeed = folder.appendingPathComponent("data/feeds/week-2014-04.all_week.geojson").path

  /// A store that Core Data wrote.
  static func store(_ name: String) -> String { folder.appendingPathComponent("data/stores/\(name)").path }

  static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }
}
