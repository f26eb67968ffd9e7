// The earthquake feeds for tests: those that the tests write, and those of the U.S. Geological Survey if they exist.
internal import Foundation

/// A feed for tests, with facts that are known without reading it.
package struct SampleFeed: Sendable, CustomStringConvertible {
  /// The file's name.
  package let name: String
  package let rows: Int
  package var withoutMagnitude = 0
  package let negativeMagnitudes: Int
  /// Rows with a magnitude above 2.5.
  package var strong = 0
  package var withoutPlace = 0
  package var placesWithTrailingSpace = 0
  /// The number of different times; two events can have the same one.
  package let times: Int
  package let firstCode: String
  package var firstPlace = ""
  /// The first row's time in seconds since 2001.
  package let firstTime: Double
  /// Rows without a number of stations.
  package var withoutStations = 0
  /// Rows with a number of people who felt the earthquake, and rows with a tsunami warning.
  package var felt = 0
  package var tsunamis = 0
  /// The feed's bytes; nil for a file next to the package.
  var own: (@Sendable () -> String)?

  package var isOwn: Bool { own != nil }

  package var description: String { name }

  /// A month as CSV.
  package static let months = [ownMonth] + (areShared ? [month] : [])

  /// Weeks as GeoJSON.
  package static let weeks = [ownWeek, ownPrettyWeek] + (areShared ? [week2014, week2018] : [])

  /// The path of the file.
  ///
  /// Own files are written when the first one is requested.
  package var path: String {
    get throws {
      own == nil
        ? SampleFeed.sharedDirectory.appending(path: name).path : try SampleFeed.ownDirectory.get() + "/" + name
    }
  }

  private static let ownDirectory = Result {
    let folder = try FixtureFolder.path("feeds")
    for feed in [ownMonth, ownWeek, ownPrettyWeek, repeated] {
      if let text = feed.own?() { try Data(text.utf8).write(to: URL(filePath: folder + "/" + feed.name)) }
    }
    return folder
  }

  // MARK: - Next to the package

  private static let sharedDirectory = SampleStore.sharedDirectory.deletingLastPathComponent().appending(path: "feeds")
  private static let areShared = FileManager.default.fileExists(atPath: sharedDirectory.path)

  private static let month = SampleFeed(
    name: "month-2018-06.all_month.csv", rows: 15_357, withoutMagnitude: 2, negativeMagnitudes: 204, times: 15_352,
    firstCode: "hv70256866", firstPlace: "4km SW of Volcano, Hawaii", firstTime: 550_514_308.82, withoutStations: 3_235)

  private static let week2014 = SampleFeed(
    name: "week-2014-04.all_week.geojson", rows: 1_513, negativeMagnitudes: 11, strong: 322, placesWithTrailingSpace: 1,
    times: 1_512, firstCode: "ak11229223", firstTime: 419_255_367, felt: 121, tsunamis: 8)

  private static let week2018 = SampleFeed(
    name: "week-2018-02.all_week.geojson", rows: 1_707, negativeMagnitudes: 44, strong: 285, times: 1_707,
    firstCode: "ci37868143", firstTime: 539_659_573.84, felt: 127, tsunamis: 4)
}
