// A month of earthquakes as CSV, with the survey's columns and every peculiarity that its feeds have or could have.

extension SampleFeed {
  /// Lines end with CRLF; places have commas, quotes, line ends and letters beyond ASCII; cells are empty; numbers are
  /// quoted and have exponents.
  static let ownMonth = SampleFeed(
    name: "own-month.csv", rows: 300, withoutMagnitude: 2, negativeMagnitudes: 15, withoutPlace: 30, times: 300,
    firstCode: "hv70000000", firstPlace: "4km SW of Volcano, Hawaii", firstTime: 550_540_228.82, withoutStations: 60,
    own: { header + (0..<300).map { line($0) + "\r\n" }.joined() })

  /// Eight rows of five earthquakes: later rows correct earlier ones.
  ///
  /// There is no line end after the last.
  package static let repeated = SampleFeed(
    name: "own-repeated.csv", rows: 8, negativeMagnitudes: 1, times: 8, firstCode: "hv70000000",
    firstTime: 550_540_228.82,
    own: {
      let ids = [0, 1, 2, 1, 3, 0, 1, 4]
      return header + ids.indices.map { line($0, id: ids[$0]) }.joined(separator: "\r\n")
    })

  private static let header =
    "time,latitude,longitude,depth,mag,magType,nst,gap,dmin,rms,net,id,updated,place,type,horizontalError,depthError,"
    + "magError,magNst,status,locationSource,magSource\r\n"

  private static let places = [
    "\"4km SW of Volcano, Hawaii\"", "\"5km \"\"up\"\", Piñon Hills\"", "Northern Mid-Atlantic Ridge", "日本 🌋",
    "\"at sea,\r\nfar out\"", "\"6km ESE of Ōtaki, New Zealand\"", "\"a \"\"quoted\"\" place\"", "",
    "\"\"\"\"", "\"31km N of Cañon, \"\"Río\"\"\"",
  ]
  private static let networks = ["hv", "nc", "ci", "us"]

  /// The row with this number, at intervals of ten minutes.
  ///
  /// Later rows are earlier in time.
  private static func line(_ number: Int, id: Int? = nil) -> String {
    let tens = 143 - number % 144
    let time = "2018-06-\(12 - number / 144)T\(padded(tens / 6, 2)):\(tens % 6)0:28.820Z"
    let magnitude =
      switch number {
      case 57, 211: ""
      case _ where number % 20 == 3: "-0.66"
      case _ where number % 50 == 9: "\"1.2e0\""
      default: "\(number % 7).\(number % 10)"
      }
    let network = networks[(id ?? number) % networks.count]
    let stations = number % 5 == 0 ? "" : "\(number % 90)"
    let cells = [
      time, "\(number % 80).4009991", "-1.\(number)e2", number % 9 == 0 ? "-0.5" : "\(number % 30)", magnitude,
      number % 2 == 0 ? "md" : "Ml", stations, "", "0.0\(number)", "0", network,
      network + "7\(padded(id ?? number, 7))", "2018-06-12T23:59:00.700Z", places[number % places.count], "earthquake",
      "", "", "", "", number % 3 == 0 ? "AUTOMATIC" : "reviewed", network, network,
    ]
    return cells.joined(separator: ",")
  }

  static func padded(_ number: Int, _ width: Int) -> String {
    let digits = "\(number)"
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
