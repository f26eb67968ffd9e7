// The frames of a flame graph as an outline that opens one by one, for readers who cannot point at frames, for example
// on a phone.
internal import Charts

/// A flame graph as text that opens frame by frame, so that narrow frames are readable without a script.
struct FrameOutline {
  private let graph: FlameGraph
  private let whole: Double
  private let leastWeight: Double

  /// The result is `nil` if nothing has a weight.
  init?(_ graph: FlameGraph) {
    let weights = FrameOutline.weights(graph.root)
    guard graph.root.weight > 0 else { return nil }
    (self.graph, whole) = (graph, graph.root.weight)
    let narrowest = FrameOutline.leastShare * whole
    leastWeight =
      weights.count > FrameOutline.mostFrames ? max(narrowest, weights[FrameOutline.mostFrames - 1]) : narrowest
  }

  /// Frames with a smaller share are left out.
  static let leastShare = 0.005
  /// A page with more frames opens slowly.
  static let mostFrames = 600
  /// Frames with at least this share of the weight are open initially.
  private static let openShare = 0.5

  /// The weights of all frames, the largest first.
  private static func weights(_ root: FlameGraph.Frame) -> [Double] {
    var weights: [Double] = []
    var pending = [root]
    while let frame = pending.popLast() {
      weights.append(frame.weight)
      pending += frame.children
    }
    return weights.sorted(by: >)
  }

  var html: String {
    let title = "\(HTML.escaped(graph.title)), frame by frame"
    return "<details class=\"frames\"><summary>\(title)</summary>\n\(html(of: graph.root))</details>"
  }

  private func html(of frame: FlameGraph.Frame) -> String {
    let share = "\(Digits.short(100 * frame.weight / whole))\u{A0}%"
    let note = frame.note.isEmpty ? "" : ": \(frame.note)"
    let figure = (graph.label.map { ", \($0(frame.weight))" } ?? "") + note
    let line = "<b>\(share)</b> \(HTML.name(frame.name))<small>\(HTML.escaped(figure))</small>"
    // The largest callees come first.
    let children = frame.children.filter { $0.weight >= leastWeight }
      .sorted { ($1.weight, $0.name) < ($0.weight, $1.name) }
    if children.isEmpty { return "<p>\(line)</p>\n" }
    let open = frame.weight >= FrameOutline.openShare * whole ? " open=\"open\"" : ""
    return "<details\(open)><summary>\(line)</summary>\n\(children.map(html(of:)).joined())</details>\n"
  }
}
