// A missing engine that a scenario names, and the message about several of them.

/// An engine that is missing, so that its cells are left out.
package struct AbsentEngine: Codable, Sendable, Hashable {
  package var name: String
  /// Why it is missing, and what to do, as a clause that several engines may share.
  package var reason: String
  /// An available engine with a similar name; `nil` for none.
  package var suggestion: String?

  package init(name: String, reason: String, suggestion: String? = nil) {
    self.name = name
    self.reason = reason
    self.suggestion = suggestion
  }

  /// What is left out and why, one sentence for each reason.
  package static func sentences(of engines: [AbsentEngine]) -> [String] {
    var reasons: [String] = []
    for engine in engines where !reasons.contains(engine.reason) { reasons.append(engine.reason) }
    return reasons.map { reason in
      var own: [AbsentEngine] = []
      for engine in engines where engine.reason == reason && !own.contains(engine) { own.append(engine) }
      let hints = own.compactMap { engine in
        engine.suggestion.map { "; did you mean '\($0)'" + (own.count == 1 ? "?" : " by \(engine.name)?") }
      }
      return "cells of the engine\(own.count == 1 ? "" : "s") \(list(own.map(\.name))) are left out: \(reason)"
        + hints.joined()
    }
  }

  /// `a, b and c`.
  private static func list(_ names: [String]) -> String {
    guard names.count > 1, let last = names.last else { return names.first ?? "" }
    return names.dropLast().joined(separator: ", ") + " and \(last)"
  }
}
