// A curve in one line of text.

/// Draws values as blocks of eight heights.
enum Sparkline {
  /// One block a value; `highest` is what the tallest block stands for, so that several lines share a scale.
  static func text(_ values: [Int64], highest: Int64) -> String {
    let blocks: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
    return String(
      values.map { value in
        let share = highest > 0 ? Double(value) / Double(highest) : 0
        let level = (share * Double(blocks.count - 1)).rounded()
        return blocks[Int(min(max(level, 0), Double(blocks.count - 1)))]
      })
  }
}
