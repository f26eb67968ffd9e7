// The forecast of a run, as `run --dry-run` prints it for programs.
package import Analysis

/// The cells of a run before it is taken.
package struct ForecastDocument: CommandDocument {
  package static let title = "What a run will take"

  struct Cell: Codable {
    var cell: String
    var rows: Int
    var rounds: Int
    var samples: Int
    /// Absent if no earlier run shows it; so are the two below.
    var seconds: Double?
    var diskBytes: Int64?
    var memoryBytes: Int64?
  }

  struct Block: Codable {
    var scenario: String
    var shard: Int?
  }

  /// The earlier run with the figures.
  var source: String?
  var seconds: Double?
  var maxSeconds: Double?
  var cells: [Cell]
  /// The scenarios of each shard; absent if the run is not divided.
  var division: [Block]?

  package init(_ forecast: RunForecast, from source: String?, division: ShardRecord? = nil) {
    self.source = source
    (seconds, maxSeconds) = (forecast.seconds, forecast.maxSeconds)
    cells = forecast.cells.map {
      Cell(
        cell: $0.cell.id, rows: $0.rows, rounds: $0.rounds, samples: $0.samples, seconds: $0.seconds,
        diskBytes: $0.diskBytes, memoryBytes: $0.memoryBytes)
    }
    self.division = division?.blocks.map { Block(scenario: $0.scenario, shard: $0.shard) }
  }
}
