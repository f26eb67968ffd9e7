// D2: the examples in doc comments, extracted and compiled together for each module; every public type has one.
import Foundation
import MissionTags
import ObjectGraphFixtures
import Testing

@Suite("D2 · examples in the comments")
struct DocCommentExampleTests {
  @Test(
    "The examples of a module compile", .tags(.d2), .enabled(if: Compiler.isHere, "no swiftc, or no modules"),
    arguments: DocCommentExample.modules)
  func compiling(module: String) throws {
    let examples = try DocCommentExample.all(of: module)
    #expect(!examples.isEmpty)
    let source = try DocCommentExample.source(of: examples, module)
    let found = try Compiler.check(Fixture(module, source: source), options: DocCommentExample.options)
    #expect(found == "")
  }

  @Test(
    "An example that does not compile is named by its file and line", .tags(.d2),
    .enabled(if: Compiler.isHere, "no swiftc, or no modules"))
  func broken() throws {
    let text = """
      /// A type.
      ///
      /// ```swift
      /// let code = quake[Quake.code]
      /// let magnitude: Double = quake[Quake.code]
      /// ```
      public struct Sample {}
      """
    let examples = try DocCommentExample.all(in: text, of: "Sources/ObjectGraph/Sample.swift")
    let source = try DocCommentExample.source(of: examples, "ObjectGraph")
    let found = try Compiler.check(Fixture("broken", source: source), options: DocCommentExample.options)
    let errors = found.split(separator: "\n").filter { $0.contains(".swift:") && $0.contains(" error: ") }
    #expect(errors.count == 1, "\(found)")
    #expect(errors.first?.hasPrefix("Sources/ObjectGraph/Sample.swift:5:30: error: ") == true, "\(found)")
  }

  @Test("An example without an end is refused", .tags(.d2))
  func unclosed() {
    let text = "/// A type.\n/// ```swift\n/// let code = 1\npublic struct Sample {}\n"
    #expect(throws: UnclosedExample(file: "Sample.swift", line: 2)) {
      try DocCommentExample.all(in: text, of: "Sample.swift")
    }
  }

  @Test("Every public type has an example, in its comment or in that of a member", .tags(.d2))
  func types() throws {
    for module in DocCommentExample.librariesOfTypes {
      let shown = Set(try DocCommentExample.all(of: module).map(\.typeName))
      var types: [String] = []
      for file in try SourceFile.all(of: module) { types += file.publicTypes }
      #expect(types.count >= 5, "\(module) has types")
      let without = types.filter { !shown.contains($0) && DocCommentExample.exceptions[$0] == nil }
      #expect(without == [], "types of \(module) without an example")
      for (name, _) in DocCommentExample.exceptions where types.contains(name) {
        #expect(!shown.contains(name), "\(name) has an example and is no exception")
      }
    }
  }

  @Test("No line of an example is longer than a line of code may be", .tags(.d2))
  func lengths() throws {
    let examples = try DocCommentExample.modules.flatMap { try DocCommentExample.all(of: $0) }
    try #require(!examples.isEmpty)
    for example in examples {
      for (index, line) in example.lines.enumerated() where example.indentation + 4 + line.count > 120 {
        Issue.record("\(example.file):\(example.line + index): \(line)")
      }
    }
  }
}

/// A block of Swift in a doc comment.
struct DocCommentExample: Sendable {
  static let librariesOfTypes = ["CoreDataModel", "ObjectGraph", "CoreDataFiles", "SQLiteDriver"]
  static let modules = librariesOfTypes + ["BatchmarkEngine", "BatchmarkCLI"]
  /// Public types that need no example, with the reason.
  static let exceptions: [String: String] = [:]
  /// Examples contain unused values.
  static let options = ["-suppress-warnings", "-parse-as-library"]

  /// The file's path in the package.
  var file: String
  /// The line of the block's first line in the file.
  var line: Int
  /// The indentation of the comment.
  var indentation: Int
  /// The type of the comment, or the type that an extension extends.
  var typeName: String
  var lines: [String]

  /// The examples in the comments of a module.
  static func all(of module: String) throws -> [DocCommentExample] {
    try SourceFile.all(of: module).flatMap { try $0.examples() }
  }

  /// The examples in the comments of a text, as if it were a file.
  static func all(in text: String, of file: String) throws -> [DocCommentExample] {
    try SourceFile(file, text: text).examples()
  }

  /// One file with all examples, each in its own function with the variables of `CompileFixtures/Examples` for the
  /// module: the text there ends with an empty function, and every example gets its parameters.
  ///
  /// Imports are moved to the front. Extensions stay outside of functions, because functions cannot contain them.
  static func source(of examples: [DocCommentExample], _ module: String) throws -> String {
    let fixture = try Fixture("Examples/\(module)").source.components(separatedBy: "func example(")
    guard fixture.count == 2, let end = fixture[1].range(of: ") async throws {}") else {
      throw FixtureError(module: module)
    }
    let parameters = fixture[1][..<end.lowerBound]
    let imports = Set(examples.flatMap(\.lines).filter { $0.hasPrefix("import ") })
    var source = imports.sorted().joined(separator: "\n") + "\n" + fixture[0]
    for (index, example) in examples.enumerated() {
      let body =
        "#sourceLocation(file: \(example.file.debugDescription), line: \(example.line))\n"
        + example.lines.map { imports.contains($0) ? "" : $0 }.joined(separator: "\n") + "\n#sourceLocation()\n"
      if example.lines.first?.hasPrefix("extension ") == true {
        source += body
      } else {
        source +=
          "\(example.isOnMainActor ? "@MainActor " : "")func example\(index)(\(parameters)) async throws {\n"
          + body + "}\n"
      }
    }
    return source
  }

  /// Whether the example belongs to the main actor: it uses the view context and does not wait.
  private var isOnMainActor: Bool {
    let text = lines.joined(separator: "\n")
    return text.contains(".viewContext") && !text.contains("await ")
  }
}

/// A block of Swift without an end.
struct UnclosedExample: Error, Equatable {
  var file: String
  var line: Int
}

/// The file that an example is compiled with has no function `example`.
struct FixtureError: Error {
  var module: String
}

/// A source file, read line by line.
private struct SourceFile {
  /// The path in the package.
  let path: String
  let lines: [String]

  init(_ path: String, text: String) {
    self.path = path
    lines = text.components(separatedBy: "\n")
  }

  static func all(of module: String) throws -> [SourceFile] {
    let folder = "Sources/\(module)"
    let paths = try FileManager.default.subpathsOfDirectory(atPath: Fixture.package.appending(path: folder).path)
    return try paths.filter { $0.hasSuffix(".swift") }.sorted().map { path in
      let url = Fixture.package.appending(path: "\(folder)/\(path)")
      return SourceFile("\(folder)/\(path)", text: try String(contentsOf: url, encoding: .utf8))
    }
  }

  /// The public types that are not nested and not hidden from the documentation.
  var publicTypes: [String] {
    lines.indices.compactMap { index in
      guard let declaration = Declaration(lines[index]), declaration.isPublic, declaration.keyword != "extension",
        index == 0 || !lines[index - 1].hasPrefix("@_documentation(visibility: internal)")
      else { return nil }
      return declaration.name
    }
  }

  func examples() throws -> [DocCommentExample] {
    var examples: [DocCommentExample] = []
    var open: DocCommentExample?
    /// The type of the last unindented declaration.
    var typeName = ""
    /// Examples before an unindented declaration belong to it.
    var waiting: [Int] = []
    for (index, line) in lines.enumerated() {
      let text = line.drop { $0 == " " }
      if var example = open {
        guard text.hasPrefix("///") else { throw UnclosedExample(file: path, line: example.line - 1) }
        if text == "/// ```" {
          if example.indentation == 0 { waiting.append(examples.count) }
          examples.append(example)
          open = nil
        } else {
          example.lines.append(String(text.dropFirst(4)))
          open = example
        }
      } else if text == "/// ```swift" {
        open = DocCommentExample(
          file: path, line: index + 2, indentation: line.count - text.count, typeName: typeName, lines: [])
      } else if let declaration = Declaration(line) {
        typeName = declaration.name
        for index in waiting { examples[index].typeName = typeName }
        waiting = []
      }
    }
    if let open { throw UnclosedExample(file: path, line: open.line - 1) }
    return examples
  }
}

/// An unindented declaration: a type, or an extension of one.
private struct Declaration {
  var keyword: String
  var name: String
  var isPublic: Bool

  init?(_ line: String) {
    guard let first = line.first, first.isLetter || first == "@" else { return nil }
    let words = Declaration.words(line[...])
    guard let index = words.firstIndex(where: Declaration.keywords.contains), index + 1 < words.count,
      words[..<index].allSatisfy(Declaration.modifiers.contains)
    else { return nil }
    keyword = words[index]
    name = String(words[index + 1].prefix { $0.isLetter || $0.isNumber || $0 == "_" })
    isPublic = words[..<index].contains("public") || words[..<index].contains("open")
  }

  /// The words of a declaration, without its attributes.
  static func words(_ line: Substring) -> [String] {
    line.split(separator: " ").filter { !$0.hasPrefix("@") }.map(String.init)
  }

  private static let keywords = ["struct", "class", "enum", "protocol", "actor", "extension"]
  private static let modifiers = [
    "public", "open", "package", "internal", "private", "fileprivate", "final", "indirect",
  ]
}
