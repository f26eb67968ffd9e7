// Findings about a watched program: only what its counters prove.
internal import Support

/// An expensive behavior, with its evidence and the figure that would improve.
package struct WatchFinding: Codable, Sendable {
  package var kind: Kind
  /// The index of the database.
  package var database: Int?
  /// The index of the statement.
  package var statement: Int?
  /// The index of a second statement; the first one runs once for each of its rows.
  package var otherStatement: Int?
  /// The evidence, by name.
  package var evidence: [Evidence]
  /// The figure that would change, with its name and value, and its best possible value; `nil` if unknown.
  package var figure: Evidence
  package var atBest: Int64?

  /// A figure of the evidence.
  package struct Evidence: Codable, Sendable, Hashable {
    package var name: Name
    package var value: Int64

    /// What the value counts.
    package enum Name: String, Codable, Sendable, CaseIterable {
      case commits, rows, syncs, runs, preparations, fullScanSteps, automaticIndexRows, walPeakBytes, heldBackFrames
      case checkpointsHeldBack, checkpoints, checkpointedPages, cacheMisses, cacheHits, pages, refusals, waited
      case staleSnapshots, refusedUpgrades, temporaryBytes, sorts, unfinalized
    }
  }

  /// The kinds of findings, numbered from 1 in this order.
  package enum Kind: String, Codable, Sendable, CaseIterable {
    /// A transaction for each row.
    case loneCommits
    case preparedPerRow
    /// A query for each row of another.
    case queryPerRow
    case fullScan
    case automaticIndex
    /// A reader that keeps the write-ahead log from restarting.
    case longReader
    /// Checkpoints that delay commits.
    case frequentCheckpoints
    case rollbackJournal
    /// A sync of the log at every commit.
    case fullSyncs
    case smallCache
    /// Locks that were refused without waiting.
    case refusals
    /// Transactions that read first and then could not write.
    case deferredWriter
    case spilledSort
    case unfinalized

    /// The number, from 1.
    package var number: Int { (Kind.allCases.firstIndex(of: self) ?? 0) + 1 }
  }

  init(
    _ kind: Kind, database: Int? = nil, statement: Int? = nil, otherStatement: Int? = nil,
    _ figure: Evidence, atBest: Int64? = nil, _ evidence: [Evidence]
  ) {
    self.kind = kind
    self.database = database
    self.statement = statement
    self.otherStatement = otherStatement
    self.figure = figure
    self.atBest = atBest
    self.evidence = evidence
  }
}

extension WatchFinding.Evidence {
  init(_ name: Name, _ value: Int64) {
    self.name = name
    self.value = value
  }
}

extension WatchFinding {
  /// Everything that the figures prove, in the order of the kinds.
  static func all(in report: WatchReport) -> [WatchFinding] {
    // A connection that is not metered may be open alongside any other.
    let followsAll = !report.gaps.contains {
      switch $0 {
      case .untraced, .noRoom: true
      default: false
      }
    }
    let databases = report.databases.indices.flatMap { place in
      let open = report.connections.filter { $0.database == place }.reduce(Int64(0)) { $0.addingClamped($1.mostOpen) }
      return ofDatabase(place, report.databases[place], mostOpen: followsAll ? open : .max)
    }
    let statements = report.statements.indices.flatMap { ofStatement($0, report.statements[$0]) }
    return (databases + statements).enumerated().sorted {
      ($0.element.kind.number, $0.offset) < ($1.element.kind.number, $1.offset)
    }.map(\.element)
  }
}
