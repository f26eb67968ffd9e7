// From a source's description to its rows.
public import ObjectGraph

extension SourceDescription {
  /// Makes or parses the rows of an entity: a column for each of its attributes, filled from the source's field of
  /// that name.
  ///
  /// A value the source does not have is null, whether the attribute is optional or not: what happens to such a row
  /// is the engines' affair. O(rows); a feed is held in memory while it is parsed.
  ///
  /// - Throws: ``SourceError`` for a feed that is missing, cannot be read, is no USGS feed, is broken or has no rows;
  ///   for an attribute without a field; for a value that its attribute cannot hold.
  public func rows(for entity: EntityDescription) throws(SourceError) -> ColumnarRows {
    switch self {
    case .generate(let settings): try EarthquakeGenerator(settings).rows(for: entity)
    case .feed(let path): try Feed(path: path).rows(for: entity)
    }
  }

  /// Where the rows come from, in a few words: `generated earthquakes, seed 42`, `feed all_month.csv`.
  public var summary: String {
    switch self {
    case .generate(let settings):
      let duplicates = settings.duplicates > 0 ? ", \(percentText(settings.duplicates)) duplicate codes" : ""
      return "generated earthquakes, seed \(settings.seed)\(duplicates)"
    case .feed(let path):
      return "feed \(fileName(of: path))"
    }
  }
}

extension EntityDescription {
  /// The complaint about an attribute for which a source has no field.
  func missingField(_ attribute: String, fields: [String], source: String) -> SourceError {
    SourceError(
      source: source, found: "no field for the attribute '\(attribute)' of \(name)",
      expected: fields.isEmpty ? "a source that has it" : "one of " + fields.joined(separator: ", "),
      suggestion: nearestWord(to: attribute, among: fields))
  }
}
