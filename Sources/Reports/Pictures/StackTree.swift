// Stacks as a tree: frames with the same name and the same callers are one frame, with a weight for each side if there
// are two.
internal import Analysis

/// Frames by callee, each with the weights of both sides.
struct StackTree {
  /// A weight for each side.
  struct Weights: Hashable {
    var base = 0
    var head = 0

    var sum: Int { base + head }
    var isZero: Bool { base == 0 && head == 0 }

    static func += (sum: inout Weights, added: Weights) {
      sum.base += added.base
      sum.head += added.head
    }
  }

  /// The weight of the frame including its callees.
  private(set) var weights = Weights()
  /// The weight of the frame without its callees.
  private(set) var own = Weights()
  private(set) var children: [String: StackTree] = [:]

  private init() {}

  private init(own: Weights) { (self.own, weights) = (own, own) }

  /// Drops the frames that nearly all stacks begin with, except the last of them.
  ///
  /// Shortens names to a function's plain name.
  init(_ stacks: SideStacks) {
    for (stack, weight) in stacks.base where weight > 0 {
      add(StackTree.frames(stack), Weights(base: weight))
    }
    for (stack, weight) in stacks.head where weight > 0 {
      add(StackTree.frames(stack), Weights(head: weight))
    }
    foldStem()
  }

  /// More frames than any sampler records, and few enough for recursion.
  private static let mostFrames = 256

  /// The frames of a stack.
  ///
  /// If a file has a deeper stack, the excess counts for the last frame.
  private static func frames(_ stack: String) -> ArraySlice<String> {
    FrameName.path(ofStack: stack).prefix(mostFrames)
  }

  /// The sum of all frames' own weights, which is the total if nothing was lost.
  var total: Weights { children.values.reduce(into: own) { $0 += $1.total } }

  private mutating func add(_ frames: ArraySlice<String>, _ added: Weights) {
    weights += added
    guard let first = frames.first else {
      own += added
      return
    }
    children[first, default: StackTree()].add(frames.dropFirst(), added)
  }

  /// Of the frames with at least this share of the weight, only the last one is shown.
  private static let stemShare = 0.9

  /// Removes start-up, dispatch and the harness: the frames with nearly all the weight, except the last of them.
  ///
  /// Branches along the way are placed next to the last frame, so that no weight is lost.
  private mutating func foldStem() {
    var aside: [String: StackTree] = [:]
    var stem = (name: "", tree: self)
    while let next = stem.tree.children.max(by: { ($0.value.weights.sum, $1.key) < ($1.value.weights.sum, $0.key) }),
      Double(next.value.weights.sum) >= StackTree.stemShare * Double(weights.sum)
    {
      for (name, child) in stem.tree.children where name != next.key {
        aside[name, default: StackTree()].merge(child)
      }
      if !stem.tree.own.isZero { aside[stem.name, default: StackTree()].merge(StackTree(own: stem.tree.own)) }
      stem = (next.key, next.value)
    }
    guard !stem.name.isEmpty else { return }
    aside[stem.name, default: StackTree()].merge(stem.tree)
    children = aside
  }

  private mutating func merge(_ other: StackTree) {
    weights += other.weights
    own += other.own
    for (name, child) in other.children { children[name, default: StackTree()].merge(child) }
  }
}
