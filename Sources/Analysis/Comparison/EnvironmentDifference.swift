// Where two runs were not measured on the same: the facts of machine and build that may change a figure.
package import Harness

/// A fact that two runs do not share.
package struct EnvironmentDifference: Codable, Sendable, Hashable {
  package var name: String
  /// Nil where the run does not know it.
  package var base: String?
  package var head: String?

  package init(_ name: String, base: String?, head: String?) {
    self.name = name
    self.base = base
    self.head = head
  }

  /// What differs from run to run on one machine, or is what the comparison is about.
  private static let changing: Set = [
    "build", "SQLite file", "sync probe", "load average at the end", "resolution of resident peaks",
  ]

  /// The facts that differ, in base's order, then those that only head has.
  package static func all(_ base: [EnvironmentFact], _ head: [EnvironmentFact]) -> [EnvironmentDifference] {
    func value(_ name: String, _ facts: [EnvironmentFact]) -> String? {
      facts.first { $0.name == name }?.steadyValue
    }
    let names = base.map(\.name) + head.map(\.name).filter { name in !base.contains { $0.name == name } }
    return names.filter { !changing.contains($0) }.compactMap { name in
      let (one, other) = (value(name, base), value(name, head))
      return one == other ? nil : EnvironmentDifference(name, base: one, head: other)
    }
  }
}

extension EnvironmentFact {
  /// The fact without what is another at every moment: the room that is left on a file system.
  var steadyValue: String {
    guard value.hasSuffix(" free"), let comma = value.lastIndex(of: ",") else { return value }
    return String(value[..<comma])
  }
}
