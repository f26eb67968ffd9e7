// Folded stacks as flame graphs, without the frames that nearly all stacks begin with, and with short function names.
internal import Analysis
internal import Charts

enum FlamePicture {
  /// A flame graph; `nil` without stacks.
  ///
  /// - Parameters:
  ///   - stacks: Frames joined by semicolons, the outermost one first, with their weights.
  ///   - name: The name of the file.
  ///   - title: The title of the picture.
  ///   - label: Formats a weight.
  /// - Returns: The picture.
  static func picture(
    _ stacks: [String: Int], name: String, title: String, label: @escaping @Sendable (Double) -> String
  ) -> Picture? {
    let tree = StackTree(SideStacks(head: stacks))
    if tree.weights.isZero { return nil }
    let modules = modules(of: tree)
    let named = modules.prefix(mostModules) + (modules.count > mostModules ? ["others"] : [])
    let legend = named.enumerated().map { index, module in
      LegendEntry(label: module, appearance: Appearance(color: index, isMuted: true))
    }
    let roots = frames(of: tree, modules)
    let root = roots.count == 1 ? roots[0] : .init(name: "all", weight: Double(tree.weights.head), children: roots)
    var picture = Picture(
      name,
      chart: FlameGraph(
        title: title,
        summary: "\(label(root.weight)) in all, most of it in code of \(HumanUnits.list(Array(modules.prefix(3)))).",
        root: root, legend: legend, label: label))
    picture.folder = ""
    return picture
  }

  /// Further modules share the last color.
  private static let mostModules = 5

  /// The modules of the frames, in descending order of weight.
  private static func modules(of tree: StackTree) -> [String] {
    var weights: [String: Int] = [:]
    func collect(_ tree: StackTree, under name: String) {
      if !name.isEmpty { weights[FrameName.module(name), default: 0] += tree.own.head }
      for (name, child) in tree.children { collect(child, under: name) }
    }
    collect(tree, under: "")
    return weights.filter { $0.value > 0 }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
  }

  private static func frames(of tree: StackTree, _ modules: [String]) -> [FlameGraph.Frame] {
    tree.children.sorted { $0.key < $1.key }.map { name, child in
      let index = modules.firstIndex(of: FrameName.module(name)) ?? mostModules
      return FlameGraph.Frame(
        name: name, weight: Double(child.weights.head), color: min(index, mostModules),
        children: frames(of: child, modules))
    }
  }
}
