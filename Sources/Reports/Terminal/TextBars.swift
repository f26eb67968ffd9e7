// Draws times and their intervals as text, on one axis for all cells.
internal import Analysis
internal import Charts
internal import Support

/// Draws `├──●───┤` within a number of columns.
struct TextBars {
  static let leastWidth = 16
  static let mostWidth = 24

  private let width: Int
  private let scale: Scale

  /// - Parameters:
  ///   - times: The times that must fit on the axis.
  ///   - width: The width of each bar in columns.
  init?(_ times: [Estimate], width: Int) {
    let values = times.flatMap { [$0.low, $0.median, $0.high].compactMap(\.self) }
    guard width > 1, let scale = Scale(.seconds, values: values, from: 0, to: Double(width - 1)) else { return nil }
    self.width = width
    self.scale = scale
  }

  /// The axis: its minimum and maximum, and whether it is logarithmic; empty if they do not fit.
  var axis: String {
    let (low, high) = (HumanUnits.time(scale.low), HumanUnits.time(scale.high))
    let word = scale.isLogarithmic ? " log " : " "
    let room = width - low.count - high.count
    if room < 1 { return "" }
    let middle = word.count <= room ? word : " "
    let before = (room - middle.count) / 2
    let blanks = (String(repeating: " ", count: before), String(repeating: " ", count: room - middle.count - before))
    return low + blanks.0 + middle + blanks.1 + high
  }

  /// The interval with the median in it, or the median alone, without trailing spaces; empty without a time.
  func bar(_ time: Estimate?) -> String {
    guard let time, let median = column(time.median) else { return "" }
    var characters = [Character](repeating: " ", count: width)
    if let low = time.low.flatMap(column), let high = time.high.flatMap(column), low < high {
      for index in low...high { characters[index] = "─" }
      characters[low] = "├"
      characters[high] = "┤"
    }
    characters[median] = "●"
    return String(characters[...(characters.lastIndex { $0 != " " } ?? median)])
  }

  private func column(_ value: Double) -> Int? {
    scale.position(value).map { min(max(Int(clamping: $0.rounded()), 0), width - 1) }
  }
}
