// The source of a scenario's rows.

/// A source of rows.
package enum SourceDescription: Sendable, Hashable {
  /// The built-in earthquake generator.
  case generate(GeneratorSettings)
  /// A feed: CSV with a header, JSON Lines, or a USGS feed in GeoJSON, recognized by its contents. The path is absolute
  /// or relative to the process. `map` has the fields of attributes with a different name in the feed.
  case feed(path: String, map: [String: String] = [:])
  /// The rows of one entity, or of all, in a Core Data store. The path is absolute or relative to the process.
  case store(path: String, entity: String?)
  /// Rows made from a profile, of one entity or of all entities in it.
  case synthetic(SyntheticSource, entity: String?)
  /// Rows that form trees, of an entity with a relationship to itself.
  case trees(TreeSettings)

  /// Whether there may be related rows of several entities.
  package var isGraph: Bool {
    switch self {
    case .generate, .feed, .trees: false
    case .store, .synthetic: true
    }
  }

  /// Whether rows may have fields that are unknown before they are read.
  package var mayHaveOtherFields: Bool {
    switch self {
    case .generate, .trees: false
    case .feed, .store, .synthetic: true
    }
  }
}

/// The settings of the earthquake generator.
package struct GeneratorSettings: Sendable, Hashable {
  /// The number of rows to make, at least 1.
  package var rows: Int
  package var seed: UInt64
  /// The share of rows that repeat the `code` of an earlier row, from 0 to 1.
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
  /// A different seed gives different rows of the same profile.
  package var seed: UInt64
  /// How many rows are made for each row of the profile.
  package var scale: Int

  package init(of profile: DataProfile, seed: UInt64 = 42, scale: Int = 1) {
    self.profile = profile
    self.seed = seed
    self.scale = scale
  }
}
