// Stacks as one line each, the outermost function first: what flame-graph programs read.

/// Stacks by the names of their functions, with a weight each.
package enum FoldedStacks {
  /// Names the addresses of stacks of this process and adds up those that read alike.
  ///
  /// - Parameters:
  ///   - stacks: Code addresses, the innermost first, and their weights. They are where calls return to.
  ///   - innermostIsCall: Whether that is true of the innermost too; if not it is where the thread was.
  /// - Returns: Names with semicolons between them, and their weights.
  package static func fold(_ stacks: [[UInt]: Int], innermostIsCall: Bool = false) -> [String: Int] {
    let symbols = CodeSymbols()
    var folded: [String: Int] = [:]
    for (stack, weight) in stacks {
      var names: [String] = []
      for (index, address) in stack.enumerated() {
        // A call that never returns is the last instruction of its function: what it returns to is the next function.
        let name = symbols.name(of: index == 0 && !innermostIsCall ? address : address &- 1)
        // Code without names calls itself through many functions that read alike.
        if name.hasPrefix("["), names.last == name { continue }
        names.append(name)
      }
      folded[names.reversed().joined(separator: ";"), default: 0] += weight
    }
    return folded
  }
}
