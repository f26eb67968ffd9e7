// Weeks of earthquakes as GeoJSON, with the survey's keys and every peculiarity that its feeds have or could have.

extension SampleFeed {
  /// One feature per line, like the survey writes it.
  static let ownWeek = SampleFeed(
    name: "own-week.geojson", rows: 400, withoutMagnitude: 4, negativeMagnitudes: 84, strong: 165, withoutPlace: 50,
    placesWithTrailingSpace: 50, times: 399, firstCode: "ak10000000", firstTime: 419_255_367, felt: 34, tsunamis: 8,
    own: { collection(Feature.compact) })

  /// The same on many lines, with the keys in another order and unneeded values nested among them.
  static let ownPrettyWeek = SampleFeed(
    name: "own-pretty-week.geojson", rows: 400, withoutMagnitude: 4, negativeMagnitudes: 84, strong: 165,
    withoutPlace: 50, placesWithTrailingSpace: 50, times: 399, firstCode: "ak10000000", firstTime: 419_255_367,
    felt: 34,
    tsunamis: 8, own: { collection(Feature.pretty) + "\n" })

  private static func collection(_ feature: (Feature) -> String) -> String {
    let features = (0..<400).map { feature(Feature(number: $0)) }.joined(separator: ",\n")
    return """
      {"type":"FeatureCollection","metadata":{"generated":1397564044000,"title":"Own, Past Week","status":200,"count":400},\
      "features":[\(features)],"bbox":[-179.9313,-56.9542,-9.9,179.5778,86.6868,578.53]}
      """
  }
}

/// An earthquake of a week.
///
/// Its number determines its values.
private struct Feature {
  let number: Int

  private static let places = [
    #""11km W of Y, Alaska""#, #""with a space behind ""#, "null",
    #""\u0050i\u00f1on \"Hills\" \/ \ud83c\udf0b\n""#, #""日本 🌋""#, #""""#, #""C:\\quakes\\{[,:]}""#,
    #""Río \t Grande""#,
  ]
  private static let networks = ["ak", "nn", "nc"]

  private var network: String { Feature.networks[number % Feature.networks.count] }

  private var code: String { "1" + SampleFeed.padded(number, 7) }

  /// From -1.5 to 5.4, as a whole number, with a fraction, or with an exponent.
  private var magnitude: String {
    if number % 100 == 99 { return "null" }
    let tenths = number * 37 % 70 - 15
    if number % 25 == 1 { return "\(tenths)e-1" }
    if tenths % 10 == 0 { return "\(tenths / 10)" }
    return "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
  }

  /// Two events are at one time.
  private var time: Int { 1_397_562_567_000 - (number == 10 ? 9 : number) * 1_512_000 }

  private var properties: [(key: String, value: String)] {
    [
      ("mag", magnitude), ("place", Feature.places[number % Feature.places.count]), ("time", "\(time)"),
      ("updated", "\(time + 60_000)"), ("tz", "-480"), ("url", "\"http://example.org/event/\(network)\(code)\""),
      ("felt", number % 12 == 0 ? "\(number + 1)" : "null"), ("cdi", number % 12 == 0 ? "2.0" : "null"),
      ("mmi", "null"), ("alert", "null"), ("status", number % 2 == 0 ? "\"automatic\"" : "\"AUTOMATIC\""),
      ("tsunami", number % 50 == 7 ? "1" : number % 2 == 0 ? "null" : "0"), ("sig", "\(number % 900)"),
      ("net", "\"\(network)\""), ("code", "\"\(code)\""), ("ids", "\",\(network)\(code),\""),
      ("nst", number % 5 == 0 ? "null" : "\(number % 90)"), ("dmin", "8.9E-3"), ("rms", "0.43"), ("gap", "216"),
      ("magType", number % 3 == 0 ? "\"Md\"" : "\"ml\""), ("type", "\"earthquake\""),
    ]
  }

  private var geometry: String {
    if number % 77 == 6 { return "null" }
    let depth = number % 33 == 5 ? "null" : "\(number % 60).3"
    return #"{"type":"Point","coordinates":[-150.\#(number),62.1778,\#(depth)]}"#
  }

  private func object(_ entries: [(key: String, value: String)], separator: String = ",") -> String {
    "{" + entries.map { "\"\($0.key)\":\($0.value)" }.joined(separator: separator) + "}"
  }

  static func compact(_ feature: Feature) -> String {
    feature.object([
      ("type", "\"Feature\""), ("properties", feature.object(feature.properties)), ("geometry", feature.geometry),
      ("id", "\"\(feature.network)\(feature.code)\""),
    ])
  }

  static func pretty(_ feature: Feature) -> String {
    let products = ("products", #"{"origin":[{"x":[[[]],{"mag":9}],"]}":"\"}]"}],"id":"none"}"#)
    let properties = feature.object([products] + feature.properties.reversed(), separator: ",\r\n\t\t")
    return feature.object(
      [
        ("id", "\"\(feature.network)\(feature.code)\""), ("geometry", feature.geometry), ("properties", properties),
        ("type", "\"Feature\""),
      ], separator: " ,\n  ")
  }
}
