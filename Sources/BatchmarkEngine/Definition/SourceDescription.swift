// Where a scenario's rows come from.

/// A source of rows.
package enum SourceDescription: Sendable, Hashable {
  /// The embedded earthquake generator.
  case generate(GeneratorSettings)
  /// A feed: CSV with a header, JSON Lines, or a USGS feed in GeoJSON, recognized by its contents; the path is absolute
  /// or relative to the process. `map` has the fields of attributes that have another name in the feed.
  case feed(path: String, map: [String: String] = [:])
  /// The rows of one entity, or of all, in a store that Core Data wrote; the path is absolute or relative
  /// to the process.
  case store(path: String, entity: String?)
  /// Rows made after the profile of others, those of one entity or of all that are in it.
  case synthetic(SyntheticSource, entity: String?)
  /// Rows of an entity that is related to itself, as trees.
  case trees(TreeSettings)

  /// Whether the rows may be those of several entities, and related to each other.
  package var isGraph: Bool {
    switch self {
    case .generate, .feed, .trees: false
    case .store, .synthetic: true
    }
  }

  /// Whether rows may have other fields than those known before they are read.
  package var mayHaveOtherFields: Bool {
    switch self {
    case .generate, .trees: false
    case .feed, .store, .synthetic: true
    }
  }
}

/// The settings of the earthquake generator.
package struct GeneratorSettings: Sendable, Hashable {
  /// Rows to make; at least 1.
  package var rows: Int
  package var seed: UInt64
  /// The share of rows whose `code` repeats that of an earlier row, from 0 to 1.
  package var duplicates: Double

  package init(rows: Int, seed: UInt64 = 42, duplicates: Double = 0) {
    self.rows = rows
    self.seed = seed
    self.duplicates = duplicates
  }
}

/// A scenario's settings for synthetic data.
package struct SyntheticSource: Sendable, Hashable {
  package var profile: DataProfile
  /// Another seed gives other rows of the same profile.
  package var seed: UInt64
  /// How many rows are made for each one of the profile.
  package var scale: Int

  package init(of profile: DataProfile, seed: UInt64 = 42, scale: Int = 1) {
    self.profile = profile
    self.seed = seed
    self.scale = scale
  }
}
