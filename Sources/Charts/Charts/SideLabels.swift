// Labels at the right of a plot, each as near to its line as the others let it be.

/// Something in the plot that has a name: a line, a rule, a band, the guide.
struct SideLabel {
  let swatch: Swatch
  let text: String
  /// Where it ends at the right of the plot.
  let y: Double
}

enum SideLabels {
  /// The distance between the middles of two labels.
  static let pitch = 17.0

  /// The heights of the middles in the order given: apart by the pitch, within the limits where there is room for all,
  /// and together as near to their lines as possible (least squares).
  static func spread(_ wanted: [Double], within limits: ClosedRange<Double>) -> [Double] {
    let order = wanted.indices.sorted { (wanted[$0], $0) < (wanted[$1], $1) }
    // With a pitch taken off for each label before it, apart means in ascending order.
    var blocks: [(sum: Double, count: Int)] = []
    for (place, index) in order.enumerated() {
      blocks.append((wanted[index] - Double(place) * pitch, 1))
      while blocks.count > 1, let last = blocks.last {
        let before = blocks[blocks.count - 2]
        guard before.sum / Double(before.count) > last.sum / Double(last.count) else { break }
        blocks.removeLast(2)
        blocks.append((before.sum + last.sum, before.count + last.count))
      }
    }
    let highest = max(limits.lowerBound, limits.upperBound - Double(max(order.count - 1, 0)) * pitch)
    var spread = wanted
    var place = 0
    for block in blocks {
      let base = min(max(block.sum / Double(block.count), limits.lowerBound), highest)
      for _ in 0..<block.count {
        spread[order[place]] = base + Double(place) * pitch
        place += 1
      }
    }
    return spread
  }
}
