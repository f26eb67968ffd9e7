// An engine that cells name and that is not here: its cells are left out, and everybody is told.

/// An engine whose cells are left out.
package struct AbsentEngine: Codable, Sendable, Hashable {
  package var name: String
  /// Why it is not here, and what to do, as a clause.
  package var reason: String

  package init(name: String, reason: String) {
    self.name = name
    self.reason = reason
  }

  package var sentence: String { "cells of the engine \(name) are left out: \(reason)" }
}
