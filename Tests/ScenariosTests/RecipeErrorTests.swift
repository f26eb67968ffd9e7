// Mistakes in a scenario's synthetic values, and the advice for a first attempt.
import MissionTags
import Testing

@testable import BatchmarkEngine
@testable import Scenarios

@Suite("A8 · mistakes in synthetic attributes", .tags(.a8))
struct RecipeErrorTests {
  @Test(
    "A mistake is named with what was found and what to write",
    arguments: [
      (
        "a: {type: int16}", "a: {range: [1]}",
        "a list; expected the lowest and the highest value, such as a: {range: [1, 500]}"
      ),
      ("a: {type: int16}", "a: {range: [5, 1]}", "[5, 1]; expected the lower value first"),
      (
        "a: {type: int16}", "a: {range: [1, 40_000]}",
        "'40_000'; expected a value that is a whole number from -32768 to 32767"
      ),
      (
        "a: {type: int16}", "a: {lengths: 5}",
        "the key 'lengths' of 'a', which is of type int16; expected one of nulls, distinct, range, values, "
          + "distribution, mean, deviation, exponent"
      ),
      (
        "a: {type: double}", "a: {range: [0, 0.25], decimals: 1}",
        "'0.25'; expected a number with at most 1 digits after its point, or more decimals:"
      ),
      ("a: {type: double}", "a: {range: [0, 1e13]}", "'1e13'; expected a number from -1e12 to 1e12"),
      (
        "a: {type: date}", "a: {range: [2020-01-01, today]}",
        "'today'; expected a value that is a time such as 2018-06-12T16:38:28.820Z"
      ),
      (
        "a: {type: string}", "a: {alphabet: leters}",
        "'leters'; expected one of lowercase, uppercase, letters, digits, alphanumeric, hexadecimal, "
          + "printable; did you mean 'letters'?"
      ),
      (
        "a: {type: string}", "a: {characters: letters}",
        "the character 't' twice in 'letters'; expected alphabet: letters, or each character once"
      ),
      (
        "a: {type: string}", "a: {characters: ab, alphabet: digits}",
        "the key 'alphabet' beside characters; expected one of them"
      ),
      ("a: {type: string}", "a: {lengths: [9, 8]}", "[9, 8]; expected the smaller number first: [8, 9]"),
      ("a: {type: uri}", "a: {lengths: [0, 8]}", "a URI of length 0; expected lengths from 1, such as [8, 24]"),
      ("a: {type: string}", "a: {values: [a, b, a]}", "'a' again; expected each value once"),
      ("a: {type: string}", "a: {values: []}", "an empty list; expected at least one value"),
      (
        "a: {type: int32}", "a: {values: [1, x]}",
        "'x'; expected a value that is a whole number from -2147483648 to 2147483647"
      ),
      (
        "a: {type: int32}", "a: {values: [1], range: [1, 2]}",
        "the key 'range' of 'a', which is of type int32 and has values; expected one of nulls, "
          + "values, distribution, exponent"
      ),
      (
        "a: {type: string}", "a: {nulls: 5%}",
        "50 rows without 'a', which is required; expected a value in every row, such as a: {lengths: [8, 24]}, or "
          + "{optional: true} without a default in the model"
      ),
      ("a: {type: string, optional: true}", "a: {nulls: 1_001}", "1001 nulls in 1000 rows; expected at most 1000"),
      (
        "a: {type: string, optional: true}", "a: {nulls: few}",
        "'few'; expected a whole number, or a percentage, from 0 to 100000000"
      ),
      (
        "a: {type: int32}", "a: {distinct: 1_001}",
        "1001 different values; expected from 1 to 1000, as many as rows with a value"
      ),
      (
        "a: {type: int32}", "a: {distinct: 3, range: [1, 2]}",
        "3 different values; expected from 1 to 2, as many as there are to draw from"
      ),
      (
        "a: {type: int32}", "a: {distribution: zipff}",
        "'zipff'; expected one of uniform, normal, zipf; did you mean 'zipf'?"
      ),
      (
        "a: {type: double}", "a: {distribution: zipf}",
        "distribution: zipf of 'a', which is of type double; expected distinct: and the number of "
          + "values, of which the first is the most frequent"
      ),
      (
        "a: {type: int32}", "a: {mean: 5}",
        "the key 'mean' with a distribution that is uniform; expected distribution: normal, or no such key"
      ),
      ("a: {type: int32}", "a: {distribution: normal, mean: 10_000}", "'10_000'; expected a mean within the range"),
      (
        "a: {type: int32}", "a: {distribution: normal, deviation: 0}",
        "'0'; expected a deviation above 0, and no more than the range is wide"
      ),
      (
        "a: {type: int32}", "a: {distribution: normal, distinct: 5}",
        "distribution: normal beside distinct; expected uniform or zipf, or no key 'distinct'"
      ),
      (
        "a: {type: int32}", "a: {distribution: zipf, exponent: 0}",
        "'0'; expected a number above 0 and up to 10, such as 1"
      ),
      ("a: {type: boolean}", "a: {trues: 0.5}", "'0.5'; expected a percentage from 0% to 100%; did you mean '50%'?"),
      ("a: {type: int32, max: 10}", "a: {range: [1, 11]}", "11; expected at most 10"),
      (
        "a: {type: string, max_length: 4}", "a: {lengths: [2, 5]}",
        "lengths from 2 to 5; expected lengths from 0 to 4, as the model has it"
      ),
      (
        "a: {type: string, pattern: '[a-c]+'}", "a: {}",
        "text made of characters for 'a', whose pattern is '[a-c]+'; expected values: and a list of texts "
          + "that match it"
      ),
      (
        "a: {type: string}", "a: {lengths: {5: 1_000}, alphabet: digits}",
        "the key 'alphabet' beside counts of lengths; expected lengths: [shortest, "
          + "longest], or no such key"
      ),
      (
        "a: {type: string}", "a: {lenghts: 5}",
        "the key 'lenghts'; expected one of nulls, distinct, range, decimals, lengths, stretch, alphabet, characters, "
          + "values, trues, distribution, mean, deviation, exponent; did you mean 'lengths'?"
      ),
    ])
  func mistakes(attribute: String, recipe: String, complaint: String) {
    let found = complaints(drawn(attribute, recipe))
    #expect(found.count == 1 && found.first?.contains(": found " + complaint) == true, "\(found)")
    // The line and column of the recipe.
    #expect(found.first?.hasPrefix("Scenarios/x.yml:9:") == true, "\(found)")
  }

  @Test("Values that match the model's pattern and range are taken from a list; others are refused")
  func patterns() {
    #expect(complaints(drawn("a: {type: string, pattern: '[a-c]+'}", "a: {values: [abc, a]}")).isEmpty)
    #expect(complaints(drawn("a: {type: string, pattern: '[a-c]+'}", "a: {values: [abc, d]}")).count == 1)
  }

  @Test(
    "A unique attribute has as many values as there are rows, or is refused",
    arguments: [
      ("a: {}", nil),
      ("a: {distinct: 1_000}", nil),
      ("a: {lengths: 3, alphabet: digits}", nil),
      (
        "a: {lengths: [2, 9], alphabet: digits}",
        "100 different values for 1000 rows of the unique attribute 'a'; expected longer texts, more characters, stretch: true, or fewer rows"
      ),
      (
        "a: {distinct: 999}",
        "999 different values of the unique attribute 'a'; expected 1000, as many as there are values"
      ),
      (
        "a: {distribution: zipf}",
        "distribution: zipf of the unique attribute 'a'; expected uniform, since every value is there once"
      ),
      (
        "a: {values: [x, y]}",
        "2 different values for 1000 rows of the unique attribute 'a'; expected more values, or fewer rows"
      ),
    ])
  func unique(recipe: String, complaint: String?) throws {
    let text = drawn("a: {type: string}", recipe, more: "unique: [[a]]")
    let found = complaints(text)
    guard let complaint else {
      #expect(found.isEmpty)
      #expect(try Set(read(text).sourceRows().tables[0].texts("a")).count == 1_000)
      return
    }
    #expect(found.count == 1 && found.first?.contains(": found " + complaint) == true, "\(found)")
  }
}

extension RecipeErrorTests {
  @Test("Attributes that are unique together need one without repeated values")
  func uniqueTogether() throws {
    let attributes = "a: {type: int32}, b: {type: int32}"
    #expect(
      complaints(drawn(attributes, "a: {range: [1, 9]}, b: {}", more: "unique: [[a, b]]")).first?.hasSuffix(
        "found the unique attributes a, b, each of which has values twice; expected one without, such as b: {distinct: 1000}"
      )
        == true)
    #expect(complaints(drawn(attributes, "a: {range: [1, 9]}, b: {distinct: 1_000}", more: "unique: [[a, b]]")).isEmpty)
  }

  @Test("More distinct real numbers than the type can hold are refused")
  func precision() {
    let text = drawn("a: {type: float}", "a: {range: [0, 100_000], decimals: 3}", more: "unique: [[a]]")
    #expect(complaints(text).first?.contains("with more digits than the type float keeps") == true)
    #expect(complaints(text.replacing("decimals: 3", with: "decimals: 1")).isEmpty)
  }

  @Test("An attribute that the generator lacks gets a hint on how to make synthetic rows")
  func firstTry() {
    let text = scenario("magnitude: {type: double, optional: true}", "title: {type: string}")
    #expect(
      complaints(text).first?.contains(
        "found the attribute 'title', for which the source has no field; expected one of code, magnitude, ") == true)
    #expect(
      complaints(text).first?.contains(
        "or rows of any model: source: {synthetic: {entities: {Quake: {rows: 1_000, attributes: {title: {lengths: [8, 24]}}}}}}"
      )
        == true)
  }

  @Test("A required attribute without a recipe gets a hint on how to write one")
  func notNamed() {
    #expect(
      complaints(drawn("a: {type: string}, b: {type: date}", "a: {}")).first?.hasSuffix(
        "found 1000 rows without 'b', which is required; expected a value in every row, such as b: {range: [2020-01-01, "
          + "2025-01-01]}, or {optional: true} without a default in the model") == true)
  }
}
