// Differential flame graphs: the stacks of two sides aligned by name, once with head's widths and once with base's.
internal import Analysis
internal import Charts
internal import Support

/// Draws how much each frame differs between two sides.
struct DifferencePicture {
  /// The side that determines the widths of frames.
  enum Width: String, CaseIterable {
    case head
    case base
  }

  /// The quantity that the graph shows.
  enum Kind: String, CaseIterable {
    case time
    case allocations

    /// The weight of one sample.
    var unit: Double { self == .time ? 1 : Double(ProfileInstrument.heapSampleBytes) }

    var title: String { self == .time ? "Where the thread was" : "Who allocates, in bytes" }

    func label(_ weight: Double) -> String {
      let count = Int(clamping: weight)
      return self == .time ? HumanUnits.counted(count, "sample") : HumanUnits.bytes(Int64(count))
    }
  }

  private let kind: Kind
  private let name: String
  private let tree: StackTree

  /// The result is `nil` if a side has no stacks.
  ///
  /// - Parameters:
  ///   - stacks: The stacks of both sides.
  ///   - kind: The quantity of their weights.
  ///   - number: The number of the comparison in its report, from 1.
  init?(_ stacks: SideStacks, _ kind: Kind, number: Int) {
    if stacks.isOneSided { return nil }
    self.kind = kind
    name = DifferencePicture.name(kind, number: number)
    tree = StackTree(stacks)
  }

  /// The prefix of its file names: `pair-1-time`.
  static func name(_ kind: Kind, number: Int) -> String { "pair-\(number)-\(kind.rawValue)" }

  /// The picture with one side's widths.
  func picture(_ width: Width) -> Picture {
    let totals = tree.total
    let frames = frames(of: tree, width)
    let root =
      frames.count == 1
      ? frames[0]
      : FlameGraph.Frame(
        name: "all", weight: weight(totals, width), appearance: change(totals).appearance, note: note(totals, width),
        children: frames)
    let other: Width = width == .head ? .base : .head
    let summary =
      "Frames are as wide as \(width.rawValue)'s: \(kind.label(weight(totals, width))), instead of "
      + "\(kind.label(weight(totals, other))) on \(other.rawValue). What only \(other.rawValue) has is in the other picture."
    return Picture(
      name, width.rawValue,
      chart: FlameGraph(
        title: "\(kind.title), as wide as \(width.rawValue)'s", summary: summary, root: root,
        legend: Change.allCases.map { LegendEntry(label: $0.rawValue, appearance: $0.appearance) },
        label: { [kind] in kind.label($0) }))
  }

  private func frames(of tree: StackTree, _ width: Width) -> [FlameGraph.Frame] {
    tree.children.filter { weight($0.value.weights, width) > 0 }.sorted { $0.key < $1.key }.map { name, child in
      FlameGraph.Frame(
        name: name, weight: weight(child.weights, width), appearance: change(child.weights).appearance,
        note: note(child.weights, width), children: frames(of: child, width))
    }
  }

  private func weight(_ weights: StackTree.Weights, _ width: Width) -> Double {
    Double(width == .head ? weights.head : weights.base)
  }

  // MARK: Differences

  /// How a frame differs, as in the legend.
  private enum Change: String, CaseIterable {
    case onlyHead = "only on head"
    case more = "more on head"
    case same = "no difference shown"
    case less = "less on head"
    case onlyBase = "only on base"

    /// Orange means more and blue means less; the color is strong if the other side has none of it.
    var appearance: Appearance {
      switch self {
      case .onlyHead: Appearance(color: 1)
      case .more: Appearance(color: 1, isMuted: true)
      case .same: Appearance(tone: 4)
      case .less: Appearance(color: 0, isMuted: true)
      case .onlyBase: Appearance(color: 0)
      }
    }
  }

  /// The number of samples scatters by its square root: a difference of less than three times that may be chance.
  private static let certainty = 3.0

  private func change(_ weights: StackTree.Weights) -> Change {
    let difference = Double(weights.head - weights.base)
    let scatter = (Double(weights.sum) * kind.unit).squareRoot()
    if difference.magnitude < DifferencePicture.certainty * scatter { return .same }
    if difference > 0 { return weights.base == 0 ? .onlyHead : .more }
    return weights.head == 0 ? .onlyBase : .less
  }

  /// The other side's weight and the difference as text, so that no reader depends on the colors.
  private func note(_ weights: StackTree.Weights, _ width: Width) -> String {
    let (other, count) = width == .head ? ("base", weights.base) : ("head", weights.head)
    let has = count == 0 ? "\(other) has none" : "\(other) has \(kind.label(Double(count)))"
    return "\(has), \(change(weights).rawValue)"
  }
}
