// Folded stacks as flame graphs: what nearly all stacks begin with left out, names cut to what a person calls a function.
internal import Analysis
internal import Charts

enum FlamePicture {
  /// Nil without stacks.
  ///
  /// - Parameters:
  ///   - stacks: Frames joined by semicolons, the outermost first, with their weight.
  ///   - name: The file's name.
  ///   - title: The picture's.
  ///   - label: Writes a weight.
  /// - Returns: The picture.
  static func picture(
    _ stacks: [String: Int], name: String, title: String, label: @escaping @Sendable (Double) -> String
  ) -> Picture? {
    let lines = stacks.filter { $0.value > 0 }.sorted { $0.key < $1.key }.map { stack, weight in
      // A function of the executable without a name says nothing: what it does counts for what called it.
      (frames: stack.split(separator: ";").filter { $0 != "[exe]" }.map { FrameName.short($0) }, weight: weight)
    }
    if lines.isEmpty { return nil }
    var tree = Tree()
    for line in lines { tree.add(line.frames[...], line.weight) }
    tree.foldStem()
    let modules = tree.modules
    let named = modules.prefix(mostModules) + (modules.count > mostModules ? ["others"] : [])
    let legend = named.enumerated().map { index, module in
      LegendEntry(label: module, appearance: Appearance(color: index, isMuted: true))
    }
    let roots = tree.frames(modules)
    let root = roots.count == 1 ? roots[0] : .init(name: "all", weight: Double(tree.weight), children: roots)
    var picture = Picture(
      name,
      chart: FlameGraph(
        title: title,
        summary: "\(label(root.weight)) in all, most of it in code of \(HumanUnits.list(Array(modules.prefix(3)))).",
        root: root, legend: legend, label: label))
    picture.folder = ""
    return picture
  }

  /// More modules than these share the last color.
  private static let mostModules = 5

  /// Frames by what they call.
  private struct Tree {
    private(set) var weight = 0
    private var own = 0
    private var children: [String: Tree] = [:]

    mutating func add(_ frames: ArraySlice<String>, _ added: Int) {
      weight += added
      guard let first = frames.first else {
        own += added
        return
      }
      children[first, default: Tree()].add(frames.dropFirst(), added)
    }

    /// Takes away start-up, dispatch and the harness: frames that nearly all the weight goes through, but for the last.
    ///
    /// What branches off on the way stands beside that last frame, so that no weight is lost.
    mutating func foldStem() {
      var aside: [String: Tree] = [:]
      var stem = (name: "", tree: self)
      while let next = stem.tree.children.max(by: { ($0.value.weight, $1.key) < ($1.value.weight, $0.key) }),
        Double(next.value.weight) >= Tree.stemShare * Double(weight)
      {
        for (name, child) in stem.tree.children where name != next.key { aside[name, default: Tree()].merge(child) }
        if stem.tree.own > 0 { aside[stem.name, default: Tree()].merge(Tree(own: stem.tree.own)) }
        stem = (next.key, next.value)
      }
      guard !stem.name.isEmpty else { return }
      aside[stem.name, default: Tree()].merge(stem.tree)
      children = aside
    }

    private static let stemShare = 0.9

    private init(own: Int) { (self.own, weight) = (own, own) }

    init() {}

    private mutating func merge(_ other: Tree) {
      weight += other.weight
      own += other.own
      for (name, child) in other.children { children[name, default: Tree()].merge(child) }
    }

    /// Whose code the weight lies in, the most first.
    var modules: [String] {
      var weights: [String: Int] = [:]
      collect(into: &weights, under: "")
      return weights.filter { $0.value > 0 }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
    }

    private func collect(into weights: inout [String: Int], under name: String) {
      if !name.isEmpty { weights[FrameName.module(name), default: 0] += own }
      for (name, child) in children { child.collect(into: &weights, under: name) }
    }

    func frames(_ modules: [String]) -> [FlameGraph.Frame] {
      children.sorted { $0.key < $1.key }.map { name, tree in
        let index = modules.firstIndex(of: FrameName.module(name)) ?? mostModules
        return FlameGraph.Frame(
          name: name, weight: Double(tree.weight), color: min(index, mostModules), children: tree.frames(modules))
      }
    }
  }
}
