// The column of an attribute with drawn values.
import BatchmarkEngine
import CoreDataModel

/// Makes the values of a recipe, row by row.
///
/// One order of the rows determines which rows are null, and which ones get the different values first. Everything else
/// about a value depends on the seed, the attribute and the row.
struct RecipeColumn {
  private let recipe: AttributeRecipe
  private let attribute: AttributeDescription
  private let rows: Int
  private let nulls: Int
  /// The number of the first unique value: tables of one hierarchy have different ones.
  private let firstValue: Int
  private let order: Permutation
  private let draw: RandomPlaces
  /// The order of the different values.
  private let choice: Permutation
  private let filling: RandomField
  private let second: RandomField
  private let lengths: RandomPlaces
  /// How many of a text's characters identify it.
  private let digits: Int

  /// Seeds the values with the name of the root, which is the entity of their table.
  ///
  /// The name of the owner seeds the order of the rows.
  init(
    _ recipe: AttributeRecipe, of attribute: AttributeDescription, owner: String, root: String, rows: Int,
    firstValue: Int, seed: UInt64
  ) {
    self.recipe = recipe
    self.attribute = attribute
    self.rows = rows
    self.firstValue = firstValue
    nulls = recipe.nulls.count(of: rows)
    let field = "\(root).\(attribute.name)"
    order = Permutation(of: rows, seed: seed, field: "\(owner).\(attribute.name) order")
    filling = RandomField(seed: seed, field: "\(field) filling")
    second = RandomField(seed: seed, field: "\(field) second")
    let capacity = recipe.values.capacity
    var digits = 0
    var choices = capacity
    // Without a number of different values, the distribution applies to lengths.
    var lengthCount = 1
    var drawsLengths = false
    if case .texts(let lengths, let characters) = recipe.values {
      lengthCount = lengths.count
      drawsLengths = recipe.distinct == nil
      if let distinct = recipe.distinct {
        while AttributeRecipe.power(characters.count, digits) < firstValue + distinct { digits += 1 }
        choices = AttributeRecipe.power(characters.count, digits)
      }
    }
    self.digits = digits
    draw = RandomPlaces(
      drawsLengths ? .uniform : recipe.distribution, of: drawsLengths ? 1 : max(recipe.distinct ?? capacity, 1),
      seed: seed, field: "\(owner).\(attribute.name)")
    lengths = RandomPlaces(
      drawsLengths ? recipe.distribution : .uniform, of: lengthCount, seed: seed, field: "\(field) lengths")
    choice = Permutation(of: choices, seed: seed, field: "\(field) choice")
  }

  /// The whole column; O(bytes).
  func column() throws(FieldMismatch) -> Column {
    var builder = ColumnBuilder(attribute)
    for row in 0..<rows {
      let position = order[row] - nulls
      if position < 0 {
        builder.appendNull()
      } else if let distinct = recipe.distinct {
        // Each of the different values occurs once first, then according to the distribution.
        try appendValue(firstValue + (position < distinct ? position : draw[row]), to: &builder)
      } else {
        try appendDrawn(row, to: &builder)
      }
    }
    return builder.column
  }

  /// Appends the value that a row draws.
  private func appendDrawn(_ row: Int, to builder: inout ColumnBuilder) throws(FieldMismatch) {
    switch recipe.values {
    case .numbers(let numbers): append(numbers.lowest + draw[row], of: numbers, to: &builder)
    case .texts(let range, let characters):
      builder.append(bytes: text(row, number: 0, length: range.lowerBound + lengths[row], characters))
    case .uuids: builder.append(bytes: uuid(row))
    case .flags(let share):
      var numbers = filling.numbers(row)
      builder.append(integer: numbers.fraction() < share ? 1 : 0)
    case .listed(let values): try builder.append(values[draw[row]])
    }
  }

  /// Appends the value with a number; different numbers give different values.
  private func appendValue(_ number: Int, to builder: inout ColumnBuilder) throws(FieldMismatch) {
    switch recipe.values {
    case .numbers(let numbers): append(numbers.lowest + choice[number], of: numbers, to: &builder)
    case .texts(let range, let characters):
      builder.append(
        bytes: text(number, number: choice[number], length: range.lowerBound + lengths[number], characters))
    case .uuids: builder.append(bytes: uuid(number))
    case .flags: builder.append(integer: Int64(number & 1))
    case .listed(let values): try builder.append(values[choice[number]])
    }
  }

  private func append(_ steps: Int, of numbers: AttributeRecipe.Numbers, to builder: inout ColumnBuilder) {
    switch attribute.type {
    case .int16, .int32, .int64, .boolean: builder.append(integer: Int64(steps))
    case .float: builder.append(real: Double(Float(Double(steps) / Double(numbers.stepsPerUnit))))
    default: builder.append(real: Double(steps) / Double(numbers.stepsPerUnit))
    }
  }

  /// Characters; the first ones identify the number.
  private func text(_ row: Int, number: Int, length: Int, _ characters: [[UInt8]]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(length)
    var rest = number
    for position in 0..<length {
      let place: Int
      if position < digits {
        (rest, place) = rest.quotientAndRemainder(dividingBy: characters.count)
      } else {
        place = filling.number(row &* 0x1_0000_0001 &+ position, below: characters.count)
      }
      bytes.append(contentsOf: characters[place])
    }
    return bytes
  }

  /// Different rows get different UUIDs, because each step from the row to the first half can be undone.
  private func uuid(_ row: Int) -> [UInt8] {
    [filling[row], second[row]].flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - $0 * 8)) } }
  }
}
