// An author's request for an attribute's values: what they are drawn from, how often each occurs, and how many are
// null.
package import CoreDataModel

/// An attribute with drawn values: from a range, with given lengths or from a list, instead of from a store's profile.
package struct AttributeRecipe: Sendable, Hashable {
  /// What values are drawn from.
  package enum Values: Sendable, Hashable {
    /// Numbers or points in time at equal steps.
    case numbers(Numbers)
    /// Combined characters or bytes. The lengths count characters.
    case texts(lengths: ClosedRange<Int>, characters: [[UInt8]])
    /// Sixteen bytes.
    case uuids
    /// Booleans that are true in this share of the rows, from 0 to 1.
    case flags(Double)
    /// Values of a list.
    case listed([AttributeValue])
  }

  /// Numbers from a lowest to a highest one, in steps that divide a unit: milliseconds for times.
  package struct Numbers: Sendable, Hashable {
    /// The lowest and the highest number, in steps.
    package var lowest: Int
    package var highest: Int
    /// The number of steps in a unit.
    ///
    /// It is a power of ten, so that a number is the double nearest to its decimals.
    package var stepsPerUnit: Int

    package init(_ lowest: Int, through highest: Int, stepsPerUnit: Int = 1) {
      self.lowest = lowest
      self.highest = highest
      self.stepsPerUnit = stepsPerUnit
    }

    /// How many numbers there are.
    package var count: Int { highest - lowest + 1 }
  }

  package var name: String
  package var values: Values
  package var nulls = RowShare.count(0)
  /// The number of different values; `nil` for as many as happen to be drawn.
  package var distinct: Int?
  /// The distribution of numbers and of the lengths of texts; for a list, or with a number of different values, that of
  /// the values themselves.
  package var distribution = ValueDistribution.uniform

  package init(name: String, values: Values) {
    self.name = name
    self.values = values
  }

  /// Whether no two of this many rows have the same value.
  package func isAllDifferent(of rows: Int) -> Bool { distinct == rows - nulls.count(of: rows) }

  /// The recipe for `factor` times as many rows.
  ///
  /// Values that are all different remain so.
  package func scaled(by factor: Int, of rows: Int) -> AttributeRecipe {
    var recipe = self
    recipe.nulls = nulls.scaled(by: factor, of: rows)
    if isAllDifferent(of: rows) { recipe.distinct = rows * factor - recipe.nulls.count(of: rows * factor) }
    return recipe
  }
}

/// A part of the rows: a number, or a share.
package enum RowShare: Sendable, Hashable {
  case count(Int)
  /// A share from 0 to 1.
  case share(Double)

  /// The number of rows in the part; a share is rounded to whole rows.
  package func count(of rows: Int) -> Int {
    switch self {
    case .count(let count): count
    case .share(let share): Int((share * Double(rows)).rounded())
    }
  }

  /// The part for `factor` times as many rows: exactly `factor` times as large.
  package func scaled(by factor: Int, of rows: Int) -> RowShare { .count(count(of: rows) * factor) }
}

/// How often each of some ordered values is drawn.
package enum ValueDistribution: Sendable, Hashable {
  /// All values are equally likely.
  case uniform
  /// A normal distribution, which draws again if a value is out of range. Mean and deviation are positions in the
  /// order, from 0.
  case normal(mean: Double, deviation: Double)
  /// A Zipf distribution: the first value is the most frequent, and the n-th is 1 / n^exponent times as frequent (Zipf,
  /// "Human behavior and the principle of least effort", 1949).
  case zipf(exponent: Double)
}

/// An author's request for the destinations of rows.
package struct LinkRecipe: Sendable, Hashable {
  package var name: String
  /// The entity of the destination rows, without its subentities.
  package var destination: String
  /// Rows without a destination.
  package var nulls = RowShare.count(0)
  /// The number of destinations of each of the other rows; 1 for a to-one relationship.
  package var destinations = 1...1
  /// How often each row of the destination is drawn.
  package var distribution = ValueDistribution.uniform

  package init(name: String, destination: String) {
    self.name = name
    self.destination = destination
  }

  /// How many of this many rows have at least one destination.
  package func linked(of rows: Int) -> Int { destinations.lowerBound > 0 ? rows - nulls.count(of: rows) : 0 }
}

extension AttributeRecipe.Values {
  /// The number of different values, at most the greatest integer.
  package var capacity: Int {
    switch self {
    case .numbers(let numbers): return numbers.count
    case .texts(let lengths, let characters):
      // Texts must differ in their first characters, as many as the shortest text has.
      return AttributeRecipe.power(characters.count, lengths.lowerBound)
    case .uuids: return Int.max
    case .flags: return 2
    case .listed(let values): return values.count
    }
  }
}

extension AttributeRecipe {
  /// A power, at most the greatest integer; takes at most 63 multiplications.
  package static func power(_ base: Int, _ exponent: Int) -> Int {
    guard base > 1 else { return 1 }
    var power = 1
    for _ in 0..<exponent {
      let (product, overflow) = power.multipliedReportingOverflow(by: base)
      if overflow { return Int.max }
      power = product
    }
    return power
  }
}
