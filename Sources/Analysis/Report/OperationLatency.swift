// How long concurrent operations and a cell's own requests took: percentiles over all operations of all rounds, because
// a mean of percentiles is not a percentile.
package import BatchmarkEngine
package import Harness
internal import Statistics

/// The operations of one class that ran concurrently with a cell, or the cell's own requests, over all rounds.
package struct OperationLatency: Codable, Sendable, Hashable {
  /// A percentile, or the maximum.
  package struct Percentile: Codable, Sendable, Hashable {
    package let figure: LatencyFigure
    /// The percentile of all operations in seconds, with the interval of its median over the rounds from order
    /// statistics, widened to contain the percentile.
    ///
    /// It has no interval if there are too few rounds.
    package let seconds: Estimate

    package init(_ figure: LatencyFigure, seconds: Estimate) { (self.figure, self.seconds) = (figure, seconds) }
  }

  package var name: OperationClass
  /// How many readers or writers there were, as processes or threads.
  package var processes: Int
  /// Whether they were processes or threads; `nil` for the cell's own requests, and in results of builds that had only
  /// processes.
  package var place: ConcurrentWork.Place?
  /// The operations per second that each process was to begin.
  package var rate: Int
  /// The outcomes of all operations, with the histogram of their latencies.
  package var tally: OperationTally
  /// In the order of ``LatencyFigure``; empty if no operation was due.
  package var percentiles: [Percentile]
  /// The largest WAL at the end of a round, in bytes; `nil` if there was none.
  package var walBytes: Int64?
  /// The most processors that the processes and the cell shared; `nil` if the system does not report it.
  package var processors: Int?

  package init(
    _ name: OperationClass, processes: Int, place: ConcurrentWork.Place? = nil, rate: Int, tally: OperationTally,
    percentiles: [Percentile], walBytes: Int64?, processors: Int?
  ) {
    self.name = name
    self.processes = processes
    self.place = place
    self.rate = rate
    self.tally = tally
    self.percentiles = percentiles
    self.walBytes = walBytes
    self.processors = processors
  }

  package subscript(figure: LatencyFigure) -> Estimate? { percentiles.first { $0.figure == figure }?.seconds }
}

extension OperationLatency {
  /// The concurrent operations in samples with valid times.
  static func all(of samples: [Sample], setAside: SetAsideRounds) -> [OperationLatency] {
    let measured = samples.filter { !setAside.contains($0) }.compactMap(\.concurrent)
    return OperationClass.allCases.compactMap { OperationLatency($0, in: measured) }
  }

  /// The requests of the cell's own operation; `nil` if they were not timed individually.
  static func requests(of samples: [Sample], setAside: SetAsideRounds) -> OperationLatency? {
    let rounds = samples.filter { !setAside.contains($0) }.compactMap(\.requests).map { requests in
      var tally = OperationTally()
      (tally.due, tally.done, tally.latency) = (requests.count, requests.count, requests)
      return tally
    }
    return rounds.isEmpty
      ? nil : OperationLatency(.request, processes: 0, rate: 0, rounds: rounds, walBytes: nil, processors: nil)
  }

  /// `nil` if there was no such operation.
  private init?(_ name: OperationClass, in measured: [ConcurrentMeasurement]) {
    let rounds = measured.flatMap(\.classes).filter { $0.name == name }
    guard let first = rounds.first else { return nil }
    self.init(
      name, processes: first.processes, rate: first.rate, rounds: rounds.map(\.tally),
      walBytes: measured.compactMap(\.walBytes).max(), processors: measured.compactMap(\.processors).max())
    place = first.place
  }

  private init(
    _ name: OperationClass, processes: Int, rate: Int, rounds: [OperationTally], walBytes: Int64?, processors: Int?
  ) {
    var all = OperationTally()
    for round in rounds { all.add(round) }
    self.init(
      name, processes: processes, rate: rate, tally: all,
      percentiles: LatencyFigure.allCases.compactMap { figure in
        func seconds(_ tally: OperationTally) -> Double? {
          tally.latency.percentile(perMille: figure.perMille).map { Double($0) / 1e9 }
        }
        guard let pooled = seconds(all) else { return nil }
        let interval = medianInterval(rounds.compactMap(seconds), confidence: Estimate.confidence)
        return Percentile(
          figure,
          seconds: Estimate(
            median: pooled, low: interval.map { min($0.lowerBound, pooled) },
            high: interval.map { max($0.upperBound, pooled) }))
      }, walBytes: walBytes, processors: processors)
  }

  /// The latencies as metrics, in nanoseconds.
  var metrics: [MetricID: Int64] {
    Dictionary(
      uniqueKeysWithValues: percentiles.map { percentile in
        let pooled = tally.latency.percentile(perMille: percentile.figure.perMille) ?? 0
        return (.latency(name, percentile.figure), Int64(clamping: pooled))
      })
  }
}
