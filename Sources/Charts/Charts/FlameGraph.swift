// A tree of frames, each one as wide as its share of the whole.

/// A flame graph: frames with widths by their share of the weight, with the root at the bottom and callees above.
package struct FlameGraph: Chart {
  /// A frame with its callees.
  package struct Frame: Sendable {
    package var name: String
    /// Its own weight and that of its children.
    ///
    /// If the children add up to more, they are drawn narrower to fit.
    package var weight: Double
    package var appearance: Appearance
    /// Text to show after its weight; empty for none.
    package var note: String
    package var children: [Frame]

    package init(
      name: String, weight: Double, appearance: Appearance, note: String = "", children: [Frame] = []
    ) {
      (self.name, self.weight, self.appearance, self.note, self.children) = (name, weight, appearance, note, children)
    }

    /// A frame in a pale color of the palette, which shows the owner of the code.
    package init(name: String, weight: Double, color: Int = 0, children: [Frame] = []) {
      self.init(name: name, weight: weight, appearance: Appearance(color: color, isMuted: true), children: children)
    }
  }

  package var title: String
  package var summary: String
  package var root: Frame
  /// The meaning of the colors.
  package var legend: [LegendEntry]
  /// Formats a weight; without it only the share is shown.
  package var label: (@Sendable (Double) -> String)?

  package init(
    title: String, summary: String, root: Frame, legend: [LegendEntry] = [],
    label: (@Sendable (Double) -> String)? = nil
  ) {
    (self.title, self.summary, self.root, self.legend, self.label) = (title, summary, root, legend, label)
  }
}

extension FlameGraph {
  /// A frame with its position: shares of the whole from left to right, levels from the root up.
  struct Box {
    let name: String
    let weight: Double
    let appearance: Appearance
    let note: String
    let start: Double
    let share: Double
    let level: Int

    /// The approximate size of its markup, in bytes.
    fileprivate var bytes: Int { 200 + note.utf8.count + 2 * min(name.utf8.count, FlameGraph.longestName) }
  }

  /// Frames with a smaller share are not drawn.
  static let leastShare = 0.001
  private static let mostLevels = 100
  private static let mostBytes = 125_000
  fileprivate static let longestName = 300
  private static let height = 18.0

  package func drawing(width: Double) -> Drawing {
    var drawing = Drawing(width: width)
    var y = 0.0
    Legend(entries: legend.map { (.pale($0.appearance), $0.label) }).draw(&drawing, y: &y)
    let (boxes, isComplete) = boxes()
    guard let levels = boxes.map(\.level).max() else {
      drawing.text(.gloss, "Nothing to show", x: 0, y: y + 16)
      drawing.height = y + 24
      return drawing
    }
    let bottom = y + 2 + Double(levels + 1) * FlameGraph.height
    for box in boxes { draw(box, &drawing, bottom: bottom) }
    y = bottom + 4
    if !isComplete {
      drawing.text(.gloss, "Narrow frames are left out.", x: 0, y: y + 13, room: drawing.width)
      y += 20
    }
    drawing.height = y
    return drawing
  }

  /// The frames to draw, and whether these are all frames.
  func boxes() -> (boxes: [Box], isComplete: Bool) {
    var boxes: [Box] = []
    var isComplete = true
    guard max(FlameGraph.weight(root), FlameGraph.sum(root.children)) > 0 else { return ([], true) }
    var pending = [(frame: root, start: 0.0, share: 1.0, level: 0)]
    while let (frame, start, share, level) = pending.popLast() {
      boxes.append(
        Box(
          name: frame.name, weight: frame.weight, appearance: frame.appearance, note: frame.note, start: start,
          share: share, level: level))
      let whole = max(FlameGraph.weight(frame), FlameGraph.sum(frame.children))
      var next = start
      for child in frame.children where FlameGraph.weight(child) > 0 {
        let width = share * (FlameGraph.weight(child) / whole)
        if width >= FlameGraph.leastShare, level + 1 < FlameGraph.mostLevels {
          pending.append((child, next, width, level + 1))
        } else {
          isComplete = false
        }
        next += width
      }
    }
    // A child is never wider than its caller, so the widest frames also form a tree.
    boxes.sort { ($1.share, $0.level, $0.start) < ($0.share, $1.level, $1.start) }
    var bytes = 0
    let kept = boxes.prefix { box in
      bytes += box.bytes
      return bytes <= FlameGraph.mostBytes
    }
    return (Array(kept), isComplete && kept.count == boxes.count)
  }

  private static func weight(_ frame: Frame) -> Double {
    frame.weight.isFinite && frame.weight > 0 && frame.weight <= Scale.largest ? frame.weight : 0
  }

  private static func sum(_ frames: [Frame]) -> Double { frames.map(weight).reduce(0, +) }

  private func draw(_ box: Box, _ drawing: inout Drawing, bottom: Double) {
    let (x, width) = (box.start * drawing.width, box.share * drawing.width)
    let top = bottom - Double(box.level + 1) * FlameGraph.height
    drawing.item(title: sentence(box)) { drawing in
      drawing.rect("c-pale \(box.appearance.colorClass)", x: x, y: top, width: width, height: FlameGraph.height - 1)
      let text = TextStyle.frame.fitted(String(box.name.prefix(FlameGraph.longestName)), room: width - 8)
      // A few letters are not useful.
      guard text.count >= 8 || text == box.name else { return }
      // Normal ink may be unreadable on a strong color.
      let extra = box.appearance.isMuted || box.appearance.tone != nil ? "" : " c-on \(box.appearance.colorClass)"
      drawing.text(.frame, text, x: x + 4, y: top + 12.5, extra: extra)
    }
  }

  /// A description of a frame, for its tooltip.
  private func sentence(_ box: Box) -> String {
    let tenths = XML.number(box.share * 100)
    var words = String(box.name.prefix(FlameGraph.longestName)) + ": " + tenths + "\u{A0}%"
    if let label, box.weight.isFinite { words += ", " + label(box.weight) }
    return box.note.isEmpty ? words : "\(words): \(box.note)"
  }
}
