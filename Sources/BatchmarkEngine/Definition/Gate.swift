// The tolerances of a comparison: how far each metric may change before `pair` fails.

/// The limits of a comparison that differ from the built-in ones.
///
/// Only one rule applies to each metric. Rules of the command line precede those of the scenario. Among rules of one
/// origin, a rule that names cells precedes one that does not, then one that names the metric precedes one about every
/// exact metric, then a later one precedes an earlier one.
package struct Gate: Sendable, Hashable, Codable {
  package var rules: [GateRule]

  package init(_ rules: [GateRule] = []) { self.rules = rules }

  /// The rule that applies.
  ///
  /// - Parameters:
  ///   - column: The metric's column in summary.csv; `nil` for time.
  ///   - phase: The phase of the metric; `nil` for time, which is always the main phase's.
  ///   - cell: The id of the cell.
  /// - Returns: The rule; `nil` if no rule applies, so that the built-in limit does.
  package func rule(for column: String?, in phase: String? = nil, of cell: String) -> GateRule? {
    let matching = rules.filter {
      (phase == nil || $0.phase == phase) && ($0.cells?.contains(cell) ?? true) && $0.subject.includes(column)
    }
    return matching.enumerated().max { $0.element.rank(at: $0.offset) < $1.element.rank(at: $1.offset) }?.element
  }

  /// The rule for the plans of a cell's statements; `nil` if there is none.
  package func plansRule(of cell: String) -> GateRule? {
    let matching = rules.filter { $0.subject == .plans && ($0.cells?.contains(cell) ?? true) }
    return matching.enumerated().max { $0.element.rank(at: $0.offset) < $1.element.rank(at: $1.offset) }?.element
  }

  /// The phases that the rules about a cell name.
  package func phases(of cell: String) -> Set<String> {
    Set(rules.filter { $0.cells?.contains(cell) ?? true }.map(\.phase))
  }
}

/// One rule: `heap_peak: 1%` of a scenario's `gate`, or `heap_peak=1%` of `--margin`.
package struct GateRule: Sendable, Hashable, Codable {
  /// Where the rule comes from.
  package enum Origin: String, Sendable, Hashable, Codable {
    case scenario
    case commandLine = "command line"
  }

  /// What the rule limits.
  package enum Subject: Sendable, Hashable, Codable {
    /// The wall time of the main phase.
    case time
    /// Every exact metric for which growth is a loss.
    case exact
    /// One of them, by its column in summary.csv.
    case figure(String)
    /// SQLite's plans for the statements of the main phase.
    case plans

    fileprivate func includes(_ column: String?) -> Bool {
      switch self {
      case .time: column == nil
      case .exact: column != nil
      case .figure(let own): column == own
      case .plans: false
      }
    }
  }

  /// The rule as its author wrote it.
  package var text: String
  package var origin: Origin
  /// The ids of its cells; `nil` for every cell.
  package var cells: [String]?
  package var phase: String
  package var subject: Subject
  /// How far the metric may change; `nil` if it is not judged.
  package var limit: GateLimit?

  package init(
    text: String, origin: Origin, cells: [String]? = nil, phase: String, subject: Subject, limit: GateLimit?
  ) {
    self.text = text
    self.origin = origin
    self.cells = cells
    self.phase = phase
    self.subject = subject
    self.limit = limit
  }

  /// The precedence of the rule: the largest one applies.
  fileprivate func rank(at position: Int) -> (Int, Int, Int, Int) {
    (origin == .commandLine ? 1 : 0, cells == nil ? 0 : 1, subject == .exact ? 0 : 1, position)
  }
}

/// How far a metric may change.
package struct GateLimit: Sendable, Hashable, Codable {
  package enum Amount: Sendable, Hashable, Codable {
    /// A share of base's value: 0.01 is 1 %.
    case share(Double)
    /// A number of units, or of bytes.
    case absolute(Int64)
  }

  package var amount: Amount
  /// Whether an improvement beyond the limit fails too.
  package var isTwoSided: Bool

  package init(_ amount: Amount, isTwoSided: Bool = false) {
    self.amount = amount
    self.isTwoSided = isTwoSided
  }

  /// Whether a change of an exact metric stays within the limit, in either direction.
  package func holds(from base: Int64, to head: Int64) -> Bool {
    let change = Double(head) - Double(base)
    return switch amount {
    case .share(let share): change.magnitude <= share * Double(base)
    case .absolute(let limit): change.magnitude <= Double(limit)
    }
  }
}

/// A subject is one word: `time`, `exact`, `plans` or a column.
extension GateRule.Subject {
  package init(from decoder: any Decoder) throws {
    switch try decoder.singleValueContainer().decode(String.self) {
    case "time": self = .time
    case "exact": self = .exact
    case "plans": self = .plans
    case let column: self = .figure(column)
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .time: try container.encode("time")
    case .exact: try container.encode("exact")
    case .plans: try container.encode("plans")
    case .figure(let column): try container.encode(column)
    }
  }
}

/// An amount is `{"share": 0.01}` or `{"absolute": 100}`.
extension GateLimit.Amount {
  private enum CodingKeys: String, CodingKey { case share, absolute }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if let share = try container.decodeIfPresent(Double.self, forKey: .share) {
      self = .share(share)
    } else {
      self = .absolute(try container.decode(Int64.self, forKey: .absolute))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .share(let share): try container.encode(share, forKey: .share)
    case .absolute(let number): try container.encode(number, forKey: .absolute)
    }
  }
}
