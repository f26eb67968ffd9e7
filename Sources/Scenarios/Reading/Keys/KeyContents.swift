// What the mappings and lists of a scenario file hold, so that its form can be written down as a whole.

/// What a key's mapping or list holds.
package indirect enum KeyContents: Sendable, Hashable {
  /// The keys of a place in the file.
  case keys(ScenarioKey.Location)
  /// Any number of names, each with the same.
  case named(KeyContents)
  /// Any number of whole numbers as keys, each with a count.
  case counts
  case list(KeyContents)
  /// A whole number.
  case wholeNumber(ClosedRange<Int>)
  /// A word, number or truth value, or nothing.
  case scalar
  case text
  /// A cell: an engine's strategy with its parameters.
  case cell
  /// Keys that a sweep varies, each with its values.
  case sweep
  /// Keys that cells have, each with a value or several.
  case exclusion
  /// Figures, with a cell and a phase before them or not, each with how far it may change.
  case limits
  case either(KeyContents, KeyContents)
}
