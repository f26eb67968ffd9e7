// Cells with missing engines: if they are allowed, a scenario is read without them.
import BatchmarkEngine

/// Which missing engines cells may name.
package struct EngineAbsences: Sendable {
  /// No engine may be missing: an unknown one is a mistake.
  package static let none = EngineAbsences(reasons: [:])
  /// Any engine may be missing: it may be a program, and no file of engines was given.
  package static let any = EngineAbsences(reasons: [:], includesUnknown: true)

  /// Why engines cannot be started, by name, as clauses.
  private let reasons: [String: String]
  private let includesUnknown: Bool

  /// - Parameter reasons: Why programs of a file of engines cannot be started, by name. Any other unknown engine is a
  ///   mistake.
  package init(reasons: [String: String]) { self.init(reasons: reasons, includesUnknown: false) }

  private init(reasons: [String: String], includesUnknown: Bool) {
    self.reasons = reasons
    self.includesUnknown = includesUnknown
  }

  /// The missing engine with this name; `nil` if it is unknown and must not be.
  func engine(_ name: String, among known: [String]) -> AbsentEngine? {
    if let reason = reasons[name] { return AbsentEngine(name: name, reason: reason) }
    guard includesUnknown, isName(name) else { return nil }
    return AbsentEngine(
      name: name,
      reason:
        "this executable has no such engine; --engines FILE reads engines that are programs, and checks their cells",
      // `c-sqlite` contains another name, but is not a misspelling of it.
      suggestion: nearestWord(to: name, among: known.filter { !name.split(separator: "-").contains($0[...]) }))
  }
}

extension ScenarioSchema {
  /// Removes cells with missing engines from a scenario.
  ///
  /// - Returns: Their engines, each once.
  func takeAbsentEngines(outOf root: inout YAMLNode) -> [AbsentEngine] {
    guard let cells = root["cells"], case .list(let items) = cells.content else { return [] }
    let names = engines.map(\.name)
    var absent: [AbsentEngine] = []
    let kept = items.filter { item in
      guard let name = item["engine"]?.text, !names.contains(name), let engine = absences.engine(name, among: names)
      else { return true }
      if !absent.contains(engine) { absent.append(engine) }
      return false
    }
    if !absent.isEmpty { root.set(["cells"], to: YAMLNode(.list(kept), at: cells.place)) }
    return absent
  }
}
