// The earthquake feed: what its JSON decodes to, and a generated feed instead of a network response.
import Foundation

struct QuakeFeed: Decodable {
  struct Feature: Decodable {
    let properties: Properties
  }
  struct Properties: Decodable, Sendable {
    let code: String
    let mag: Double
    let place: String
    let time: Date
  }
  let features: [Feature]

  /// The quakes of a feed's JSON.
  static func quakes(in json: Data) throws -> [Properties] {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .millisecondsSince1970
    return try decoder.decode(QuakeFeed.self, from: json).features.map(\.properties)
  }

  /// JSON in the feed's form: one quake an hour from day 0 on, with magnitudes that cycle from 0 to 6.9, each
  /// raised by the revision.
  static func json(_ count: Int, revision: Double = 0) -> Data {
    let features = (0..<count).map { number in
      let time = Int(day(0).timeIntervalSince1970 + Double(number) * 3_600) * 1_000
      let magnitude = Double(number % 70) / 10 + revision
      return #"{"properties": {"code": "us\#(number)", "mag": \#(magnitude), "place": "Nevada", "time": \#(time)}}"#
    }
    return Data(#"{"features": [\#(features.joined(separator: ","))]}"#.utf8)
  }
}
