// How text and blobs are drawn: lengths and characters, within the model's rules.
import BatchmarkEngine
import CoreDataModel

extension SyntheticRecipeSection {
  /// Reads the lengths and characters of values.
  func texts(_ section: Section, at place: SourceLocation) -> AttributeRecipe.Values? {
    guard let characters = characters(section) else { return nil }
    var range = 8...24
    for case .length(let minimum, let maximum) in attribute.validationRules {
      let low = max(minimum ?? 0, min(8, maximum ?? 8))
      range = low...max(low, min(24, maximum ?? max(24, low)))
    }
    if let node = section["lengths"] {
      guard let bounds = bounds(node, in: 0...SyntheticRecipeSection.longest, example: "[8, 24]") else {
        return nil
      }
      range = bounds
      if type == .uri, bounds.lowerBound == 0 {
        diagnose(node.place, found: "a URI of length 0", expected: "lengths from 1, such as [8, 24]")
        return nil
      }
    }
    let units = characters.map { String(decoding: $0, as: UTF8.self).utf16.count }
    let unit = (type == .string ? units.min() : 1, type == .string ? units.max() : 1)
    for case .length(let minimum, let maximum) in attribute.validationRules {
      let found = (range.lowerBound * (unit.0 ?? 1), range.upperBound * (unit.1 ?? 1))
      guard found.0 < minimum ?? 0 || found.1 > maximum ?? Int.max else { continue }
      let most = maximum.map { " to \($0)" } ?? ""
      diagnose(
        section["lengths"]?.place ?? place, found: "lengths from \(found.0) to \(found.1)",
        expected: "lengths from \(minimum ?? 0)\(most), as the model has it")
      return nil
    }
    return .texts(lengths: range, characters: characters)
  }

  private func characters(_ section: Section) -> [[UInt8]]? {
    switch type {
    // Characters that any URI may have and that do not change in storage.
    case .uri: return Alphabet.alphanumeric.characters
    case .binary, .transformable: return (0...UInt8.max).map { [$0] }
    default: break
    }
    if let node = section["characters"] {
      if let alphabet = section["alphabet"] {
        diagnose(alphabet.place, found: "the key 'alphabet' beside characters", expected: "one of them")
        return nil
      }
      guard let text = text(node, expected: "text of the characters, each once") else { return nil }
      var seen: Set<Character> = []
      if let twice = text.first(where: { !seen.insert($0).inserted }) {
        let isWord = Alphabet(rawValue: text) != nil
        diagnose(
          node.place, found: "the character \(shown(String(twice))) twice in \(shown(text))",
          expected: isWord ? "alphabet: \(text), or each character once" : "each character once")
        return nil
      }
      return text.map { Array($0.utf8) }
    }
    guard let node = section["alphabet"] else { return Alphabet.standard.characters }
    return choice(node, of: Alphabet.self)?.characters
  }
}
