// A parsed derivation, before a model resolves its names.

/// The source of a derived attribute, by names.
enum DerivationExpression: Sendable, Hashable {
  /// `now()`
  case now
  /// `title`, `author.name`, `canonical:(author.name)`
  case path([String], Derivation.TextForm?)
  /// `pages.@count`
  case count(relationship: String)
  /// `pages.words.@sum`; also `pages.@sum.words`.
  case aggregate(Derivation.Aggregate, relationship: String, attribute: String)

  /// - Throws: ``InvalidDefinition`` for an unsupported expression.
  package init(_ expression: String) throws(InvalidDefinition) {
    let text = String(expression.unicodeScalars.filter { !$0.properties.isWhitespace })
    if text == "now()" || text == "now" {
      self = .now
      return
    }
    var form: Derivation.TextForm?
    var path = Substring(text)
    if let parenthesis = text.firstIndex(of: "(") {
      let name = String(text[..<parenthesis])
      form = Derivation.TextForm(rawValue: name)
      guard form != nil, text.hasSuffix(")") else {
        let functions = Derivation.TextForm.allCases.map { "\($0.rawValue)(…)" }.joined(separator: ", ")
        throw InvalidDefinition("the function \(name.debugDescription)", "\(functions) or now()")
      }
      path = text[text.index(after: parenthesis)...].dropLast()
    }
    let parts = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let operators = parts.indices.filter { parts[$0].hasPrefix("@") }
    guard let position = operators.first else {
      guard parts.allSatisfy({ ModelCheck.isValid($0) }) else {
        throw InvalidDefinition("the path \(path.debugDescription)", "names with points between them")
      }
      self = .path(parts, form)
      return
    }
    let word = parts[position]
    if let form { throw InvalidDefinition("\(word) in \(form.rawValue)", "an aggregate alone") }
    let names = parts.filter { !$0.hasPrefix("@") }
    guard operators.count == 1, position > 0, names.allSatisfy({ ModelCheck.isValid($0) }) else {
      throw InvalidDefinition("the path \(path.debugDescription)", "a relationship, and one aggregate behind it")
    }
    if word == "@count" {
      guard parts.count == 2 else {
        throw InvalidDefinition("@count in \(path.debugDescription)", "it right behind a relationship, and the last")
      }
      self = .count(relationship: parts[0])
      return
    }
    guard let aggregate = Derivation.Aggregate(rawValue: String(word.dropFirst())) else {
      let words = Derivation.Aggregate.allCases.map { "@" + $0.rawValue }.joined(separator: ", ")
      throw InvalidDefinition("the aggregate \(word)", "@count, \(words)")
    }
    guard names.count == 2 else {
      throw InvalidDefinition(
        "\(word) in \(path.debugDescription)", "a relationship and an attribute, such as pages.words.\(word)")
    }
    self = .aggregate(aggregate, relationship: names[0], attribute: names[1])
  }
}
