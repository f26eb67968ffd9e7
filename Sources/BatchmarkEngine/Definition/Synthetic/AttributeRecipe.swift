// What an author asks of an attribute's values: from which they are drawn, how often each, and how many are null.
package import CoreDataModel

/// An attribute whose values are drawn, from a range, of lengths or from a list, rather than made after a store's.
package struct AttributeRecipe: Sendable, Hashable {
  /// What is drawn from.
  package enum Values: Sendable, Hashable {
    /// Numbers at equal steps, and points in time.
    case numbers(Numbers)
    /// Characters put together, or single bytes: the lengths count characters.
    case texts(lengths: ClosedRange<Int>, characters: [[UInt8]])
    /// Sixteen bytes.
    case uuids
    /// True in this share of the rows, from 0 to 1.
    case flags(Double)
    /// One of the list.
    case listed([AttributeValue])
  }

  /// Numbers from a lowest to a highest one, in steps of one part of a unit: thousandths of a second for times.
  package struct Numbers: Sendable, Hashable {
    /// Both in steps.
    package var lowest: Int
    package var highest: Int
    /// How many steps make one; a power of ten, so that a number is the double nearest to its decimals.
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
  /// How many different values there are; nil for as many as happen to be drawn.
  package var distinct: Int?
  /// How numbers, the lengths of texts or, of so many different values and of a list, the values themselves are drawn.
  package var distribution = ValueDistribution.uniform

  package init(name: String, values: Values) {
    self.name = name
    self.values = values
  }

  /// Whether no two of so many rows have one value.
  package func isAllDifferent(of rows: Int) -> Bool { distinct == rows - nulls.count(of: rows) }

  /// The recipe of so many times as many rows; values that are all different stay so.
  package func scaled(by factor: Int, of rows: Int) -> AttributeRecipe {
    var recipe = self
    recipe.nulls = nulls.scaled(by: factor, of: rows)
    if isAllDifferent(of: rows) { recipe.distinct = rows * factor - recipe.nulls.count(of: rows * factor) }
    return recipe
  }
}

/// A part of rows: a number of them, or a share.
package enum RowShare: Sendable, Hashable {
  case count(Int)
  /// From 0 to 1.
  case share(Double)

  /// How many of so many rows there are; a share is rounded to whole rows.
  package func count(of rows: Int) -> Int {
    switch self {
    case .count(let count): count
    case .share(let share): Int((share * Double(rows)).rounded())
    }
  }

  /// The part of so many times as many rows: exactly so many times what it is of these.
  package func scaled(by factor: Int, of rows: Int) -> RowShare { .count(count(of: rows) * factor) }
}

/// How often each of some values, which have an order, is drawn.
package enum ValueDistribution: Sendable, Hashable {
  /// All values are equally likely.
  case uniform
  /// Most often those about the mean, by Gauss's curve; what lies outside of the values is drawn again. Mean and deviation
  /// are positions in the order, from 0.
  case normal(mean: Double, deviation: Double)
  /// The first most often, the n-th 1 / n^exponent times as often (Zipf, "Human behavior and the principle of least
  /// effort", 1949).
  case zipf(exponent: Double)
}

/// The destinations of rows, as an author asks for them.
package struct LinkRecipe: Sendable, Hashable {
  package var name: String
  /// The entity whose rows are destinations; rows of its subentities are none.
  package var destination: String
  /// Rows that lead nowhere.
  package var nulls = RowShare.count(0)
  /// How many destinations each of the other rows has; one in a to-one relationship.
  package var destinations = 1...1
  /// How often each row of the destination is drawn.
  package var distribution = ValueDistribution.uniform

  package init(name: String, destination: String) {
    self.name = name
    self.destination = destination
  }

  /// How many of so many rows have at least one destination.
  package func linked(of rows: Int) -> Int { destinations.lowerBound > 0 ? rows - nulls.count(of: rows) : 0 }
}

extension AttributeRecipe.Values {
  /// How many different values there are; at most the greatest integer.
  package var capacity: Int {
    switch self {
    case .numbers(let numbers): return numbers.count
    case .texts(let lengths, let characters):
      // Two texts differ in their first characters, which are as many as the shortest has.
      return AttributeRecipe.power(characters.count, lengths.lowerBound)
    case .uuids: return Int.max
    case .flags: return 2
    case .listed(let values): return values.count
    }
  }
}

extension AttributeRecipe {
  /// A power, or the greatest integer where it is larger; at most 63 multiplications.
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
