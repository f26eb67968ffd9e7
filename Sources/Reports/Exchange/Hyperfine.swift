// Exports a run in hyperfine's format: a result for each cell, with the time of every round.
internal import Analysis

/// The JSON of hyperfine; all times are in seconds.
struct Hyperfine: Encodable {
  /// A command, which is a cell here.
  struct Result: Encodable {
    let command: String
    let mean: Double
    /// `nil`, written as null, for a single round.
    let stddev: Double?
    let median: Double
    /// CPU time in user mode and in the kernel together.
    let user: Double
    /// The format requires it, but the time in the kernel is not measured separately.
    let system: Double
    let min: Double
    let max: Double
    let times: [Double]
    let exitCodes: [Int]
    let parameters: [String: String]

    private enum CodingKeys: String, CodingKey {
      case command, mean, stddev, median, user, system, min, max, times
      case exitCodes = "exit_codes"
      case parameters
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(command, forKey: .command)
      try container.encode(mean, forKey: .mean)
      // As in hyperfine, a missing deviation is null and not left out.
      try container.encode(stddev, forKey: .stddev)
      try container.encode(median, forKey: .median)
      try container.encode(user, forKey: .user)
      try container.encode(system, forKey: .system)
      try container.encode(min, forKey: .min)
      try container.encode(max, forKey: .max)
      try container.encode(times, forKey: .times)
      try container.encode(exitCodes, forKey: .exitCodes)
      if !parameters.isEmpty { try container.encode(parameters, forKey: .parameters) }
    }
  }

  let results: [Result]

  init(_ run: ExchangedRun) {
    results = run.cells.compactMap { cell in
      guard let wall = cell.wall else { return nil }
      return Result(
        command: cell.cell.id, mean: wall.mean, stddev: wall.deviation, median: wall.median,
        user: cell.cpu?.mean ?? wall.mean, system: 0, min: wall.least, max: wall.greatest,
        times: cell.rounds.map(\.wall), exitCodes: cell.rounds.map { _ in 0 },
        parameters: cell.cell.conditions.merging(cell.cell.parameters) { $1 }.mapValues(\.description))
    }
  }
}
