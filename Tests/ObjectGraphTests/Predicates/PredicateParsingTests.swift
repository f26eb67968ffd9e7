// Formats: which ones are read, and the messages for refused ones.
import CoreDataModel
import Foundation
import MissionTags
import Testing

@testable import ObjectGraph

@Suite("D3 · formats of predicates", .tags(.d3))
struct PredicateParsingTests {
  /// A format and the description of its predicate.
  @Test(
    "Every operator, word and sign is parsed",
    arguments: [
      ("a = 1", "a = 1"), ("a == 1", "a = 1"), ("a != 1", "a != 1"), ("a <> 1", "a != 1"), ("a < 1", "a < 1"),
      ("a <= 1", "a <= 1"), ("a =< 1", "a <= 1"), ("a > 1", "a > 1"), ("a >= 1", "a >= 1"), ("a => 1", "a >= 1"),
      ("a IN {1, 2}", "a IN {1, 2}"), ("a in {}", "a IN {}"), ("a BETWEEN {1, 2}", "a BETWEEN {1, 2}"),
      ("a BEGINSWITH 'x'", #"a BEGINSWITH "x""#), ("a endswith[c] 'x'", #"a ENDSWITH[c] "x""#),
      ("a CONTAINS[cd] 'x'", #"a CONTAINS[cd] "x""#), ("a Like[d] 'x*'", #"a LIKE[d] "x*""#),
      ("a MATCHES[dc] '.*'", #"a MATCHES[cd] ".*""#), ("a =[c] 'x'", #"a =[c] "x""#),
      ("a =[n] 'x'", #"a = "x""#), ("a CONTAINS[cdN] 'x'", #"a CONTAINS "x""#),
      ("a = 1 AND b = 2 OR c = 3", "(a = 1 AND b = 2) OR c = 3"),
      ("a = 1 && (b = 2 || c = 3)", "a = 1 AND (b = 2 OR c = 3)"),
      ("NOT a = 1 AND !b = 2", "NOT a = 1 AND NOT b = 2"), ("!(a = 1 and b = 2)", "NOT (a = 1 AND b = 2)"),
      ("a = 1 AND b = 2 AND c = 3", "a = 1 AND b = 2 AND c = 3"),
      ("TRUEPREDICATE", "TRUEPREDICATE"), ("falsepredicate or TRUEPREDICATE", "FALSEPREDICATE OR TRUEPREDICATE"),
      ("a = TRUE OR a = yes", "a = TRUE OR a = TRUE"), ("a = NO OR a = False", "a = FALSE OR a = FALSE"),
      ("a = nil OR a != NULL", "a = NULL OR a != NULL"),
      ("a.b.c = SELF", "a.b.c = SELF"), ("SELF.a = 1", "a = 1"), ("SELF IN b", "SELF IN b"),
      ("a.in.any = 1", "a.in.any = 1"),
      ("#in = #AND", "#in = #AND"), ("_a1é = 1", "_a1é = 1"),
      ("ANY a.b > 1", "ANY a.b > 1"), ("some a.b > 1", "ANY a.b > 1"), ("ALL a.b > 1", "ALL a.b > 1"),
      ("NONE a.b > 1", "NONE a.b > 1"),
      ("a.@count > 1", "a.@count > 1"), ("a.@sum.b > 1", "sum(a.b) > 1"), ("a.b.@avg > 1", "avg(a.b) > 1"),
      ("a.@min.b.c = min(a.b.c)", "min(a.b.c) = min(a.b.c)"), ("count(a) = max(a.b)", "a.@count = max(a.b)"),
      ("average(a.b) = 1", "avg(a.b) = 1"), ("count = 1", "count = 1"),
      ("SUBQUERY(a, $x, $x.b = 1 AND $x = SELF).@count > 0", "SUBQUERY(a, $x, $x.b = 1 AND $x = SELF).@count > 0"),
      ("a + b * c - d > 0", "((a + (b * c)) - d) > 0"), ("(a + b) * c > 0", "((a + b) * c) > 0"),
      ("a ** b ** c / d = 1", "((a ** (b ** c)) / d) = 1"), ("-a = -1", "(-(a)) = -1"), ("a - 1 = 1", "(a - 1) = 1"),
      ("-2 ** 2 = a", "(-((2 ** 2))) = a"), ("a = 1.5", "a = 1.5"), ("a = 1e3", "a = 1000.0"), ("a = 2E-1", "a = 0.2"),
      ("a = 0x1Fe OR a IN {-0XF, 0o17, 0b101}", "a = 510 OR a IN {-15, 15, 5}"),
      ("a = -9223372036854775808", "a = -9223372036854775808"), ("((((a)))) = (((1)))", "a = 1"),
      ("((a = 1))", "a = 1"), ("(a) + 1 > 2 AND (b = 1)", "(a + 1) > 2 AND b = 1"),
      (#"a = "it's" OR a = 'say "so"'"#, #"a = "it's" OR a = "say \"so\"""#),
      (#"a = 'it\'s\n\t\r\\\u00e9'"#, #"a = "it's\n\t\r\\é""#), ("a=1&&b=2", "a = 1 AND b = 2"),
      ("a & 6 = 2 && b | 1 != c ^ 3", "(a & 6) = 2 AND (b | 1) != (c ^ 3)"), ("a<<2>b>>1", "(a << 2) > (b >> 1)"),
      ("a | b ^ c & d << e + f * g = 0", "(a | (b ^ (c & (d << (e + (f * g)))))) = 0"),
      ("a * b + c << d & e ^ f | g = 0", "((((((a * b) + c) << d) & e) ^ f) | g) = 0"),
      ("a & b & c = a << 1 >> 2", "((a & b) & c) = ((a << 1) >> 2)"), ("a &-1 = 0", "(a & (-1)) = 0"),
      ("modulus:by:(a + 1, 2) = 1", "modulus:by:((a + 1), 2) = 1"),
      ("1 - modulus:by:(a, -2) * 2 = 1", "(1 - (modulus:by:(a, -2) * 2)) = 1"),
      ("bitwiseAnd:with:(a, 4) != bitwiseOr:with:(a, bitwiseXor:with:(b, 1))", "(a & 4) != (a | (b ^ 1))"),
      ("leftshift:by:(a, 1) = rightshift:by:(b, 1)", "(a << 1) = (b >> 1)"),
      ("add:to:(a, 1) = from:subtract:(a, 1)", "(a + 1) = (a - 1)"),
      ("multiply:by:(a, 2) = divide:by:(a, raise:toPower:(b, 2))", "(a * 2) = (a / (b ** 2))"),
      ("abs:(a - 1) = sqrt(b)", "abs:((a - 1)) = sqrt:(b)"),
      (
        "ceiling:(a) + Floor(-1) = trunc(2)",
        "(ceiling:(a) + floor:(-1)) = trunc:(2)"
      ),
      ("uppercase:(a.b) CONTAINS[d] lowercase('X')", #"uppercase:(a.b) CONTAINS[d] lowercase:("X")"#),
      ("canonical:(lowercase:(a)) = 'x' AND NOW() > now", #"canonical:(lowercase:(a)) = "x" AND now() > now"#),
      ("abs = now", "abs = now"), ("a.b.length > length", "a.b.length > length"),
      ("ANY a.b.length > 1", "ANY a.b.length > 1"),
      ("a CONTAINS SELF AND {1, 2} CONTAINS b", "a CONTAINS SELF AND {1, 2} CONTAINS b"),
      ("a\n=\t1", "a = 1"), ("1 = a", "1 = a"), ("a IN {b, -1, 'x', NULL}", #"a IN {b, -1, "x", NULL}"#),
    ] as [(String, String)])
  func formats(format: String, description: String) throws {
    let predicate = try FetchPredicate(format: format)
    #expect(predicate.description == description)
    #expect(try FetchPredicate(format: predicate.description) == predicate, "it reads its own description")
  }

  @Test("Arguments replace their placeholders")
  func arguments() throws {
    let date = Date(timeIntervalSinceReferenceDate: 5)
    let objectID = PredicateWorld().objectID("Quake", 3)
    let predicate = try FetchPredicate(
      format:
        "%K = %@ AND %K.b IN %@ AND c = %d AND d > %f AND e = %@ AND f = %@ AND g = %@ AND a.%K = %i AND h BETWEEN %@",
      "a", 2.5, "x.y", ["p", "q"], 7, 1.5, date, objectID, nil as String?, "z", true, 1...3)
    let path = { (keys: String...) in FetchExpression.path(FetchPath(keys: keys)) }
    let expected: [FetchPredicate.Comparison] = [
      .init(path("a"), .equal, .constant(2.5)),
      .init(path("x", "y", "b"), .isIn, .list([.constant("p"), .constant("q")])),
      .init(path("c"), .equal, .constant(7)), .init(path("d"), .greater, .constant(1.5)),
      .init(path("e"), .equal, .constant(.date(date))), .init(path("f"), .equal, .object(objectID)),
      .init(path("g"), .equal, .constant(.null)), .init(path("a", "z"), .equal, .constant(1)),
      .init(path("h"), .between, .list([.constant(1), .constant(3)])),
    ]
    #expect(predicate == .and(expected.map { .comparison($0) }))
  }

  @Test(
    "A number replaces every placeholder that printf has for it",
    arguments: ["%d", "%i", "%u", "%x", "%hd", "%hhu", "%ld", "%lu", "%lld", "%llu", "%qi", "%zd", "%tX", "%jo"])
  func integers(sign: String) throws {
    #expect(try FetchPredicate(format: "a = \(sign)", 7).description == "a = 7")
    #expect(throws: FetchPredicateError.self) { try FetchPredicate(format: "a = \(sign)", 1.5) }
  }

  @Test(
    "A floating-point number replaces its placeholders", arguments: ["%f", "%lf", "%e", "%g", "%LG", "%a"])
  func numbers(sign: String) throws {
    #expect(try FetchPredicate(format: "a = \(sign)", 1.5).description == "a = 1.5")
    #expect(try FetchPredicate(format: "a = \(sign)", 7).description == "a = 7")
  }

  @Test(
    "A key path for %K may have an aggregate",
    arguments: [
      ("%K > 1", "a.b.@count", "a.b.@count > 1"), ("%K > 1", "a.@max.b.c", "max(a.b.c) > 1"),
      ("%K > 1", "a.b.@avg", "avg(a.b) > 1"), ("a.%K > 1", "b.@sum.c", "sum(a.b.c) > 1"),
    ])
  func aggregates(format: String, path: String, description: String) throws {
    #expect(try FetchPredicate(format: format, path).description == description)
  }

  @Test(
    "A key path for %K with a wrong aggregate is refused",
    arguments: ["a.@cont", "a.@count.b", "a.@sum.b.@max.c", "a.@", "@.a"])
  func wrongAggregates(path: String) throws {
    let error = #expect(throws: FetchPredicateError.self) { try FetchPredicate(format: "%K > 1", path) }
    guard case .syntax(_, column: 1, _, let expected, _)? = error else {
      throw TestFailure("\(String(describing: error))")
    }
    #expect(expected.hasPrefix("a key path with at most one aggregate"))
  }
}

extension PredicateParsingTests {
  @Test("An argument is a value and never a part of the format")
  func injection() throws {
    let predicate = try FetchPredicate(format: "a = %@", "' OR TRUEPREDICATE")
    #expect(predicate == .comparison(.init(.path(FetchPath("a")), .equal, .constant("' OR TRUEPREDICATE"))))
    #expect(
      try FetchPredicate(format: "a = '%@'") == .comparison(.init(.path(FetchPath("a")), .equal, .constant("%@"))))
  }

  /// A wrong format, the column of the mistake, and parts of the message.
  @Test(
    "A wrong format is refused with column, found, expected and the nearest word",
    arguments: [
      ("", 1, "found the end; expected a key, a value or a condition"),
      ("a", 1, "found the value a; expected a comparison"),
      ("a = ", 5, "found the end"), ("= 1", 1, "found '='"), ("a = 1 b", 7, "found 'b'; expected AND, OR or the end"),
      ("a = 1 AND", 10, "found the end"), ("a = 1 AMD b = 2", 7, "did you mean AND?"),
      ("a CONTAIN 'x'", 3, "did you mean CONTAINS?"), ("a beginwith 'x'", 3, "did you mean BEGINSWITH?"),
      ("(a = 1", 7, "found the end; expected ')'"), ("a = 1)", 6, "found ')'"), ("a + = 1", 5, "found '='"),
      ("a = 'x", 5, "found text without an end; expected a closing '"), (#"a = 'x\"#, 8, "backslash"),
      (#"a = '\u00g0'"#, 6, "four hexadecimal digits"), (#"a = '\ud800'"#, 6, "four hexadecimal digits"),
      ("a = 99999999999999999999", 5, "64 bits"), ("a = 1e999", 5, "floating-point"),
      ("a = 0b12", 5, "found '0b12'; expected an integer of 64 bits"), ("a = 0x10000000000000000", 5, "64 bits"),
      ("a = 0x", 6, "found 'x'"), ("a ? 1", 3, "found '?'"),
      ("a =[x] 'y'", 5, "expected c, d, cd or n"), ("a =[c 'y'", 7, "expected ']'"), ("a =[", 5, "c, d, cd or n"),
      ("a IN 5", 6, "expected a list such as {1, 2}"), ("a BETWEEN {1}", 11, "a list of two values"),
      ("a = {1, 2}", 5, "one value and not a list"), ("a IN {1 2}", 9, "expected ','"), ("a IN {1,", 9, "the end"),
      ("a IN {{1}}", 7, "found a list"), ("a. = 1", 4, "expected a key"), ("a.@cont > 1", 3, "did you mean @count?"),
      ("a.@sum.@count > 1", 7, "aggregate of an aggregate"), ("a.@ > 1", 4, "after @"),
      ("counts(a) > 1", 1, "did you mean count?"), ("sum(1) > 1", 5, "no key path"),
      ("SUBQUERY(a, x, x = 1).@count > 0", 13, "a variable such as $x"),
      ("SUBQUERY(a, $x, $x = 1) > 0", 25, "expected '.'"), ("SUBQUERY(a, $x, $x).@count > 0", 19, "a comparison"),
      ("SUBQUERY(1, $x, $x = 1).@count = 0", 10, "no key path"),
      ("$ = 1", 2, "variable's name"), ("# = 1", 2, "a key after #"), ("a = %q", 5, "expected %@ for a value"),
      ("a = %@", 5, "an argument for it: there are 0"), ("ANY a", 6, "a comparison after ANY"),
      ("(a = 1) + 2 = 3", 1, "found the condition a = 1; expected a value"), ("NOT a", 5, "expected a comparison"),
      ("a = 1 AND (b)", 11, "found the value b"), ("and = 1", 1, "write #AND for a key of that name"),
      ("modulus:by(a, 1) = 1", 1, "did you mean modulus:by:?"), ("modulus:by: = 1", 13, "expected '('"),
      ("modulus:by:(a) = 1", 14, "expected ','"),
      ("abs:(a, b) = 1", 7, "expected ')'"), ("abs: = 1", 6, "expected '('"), ("now(a) = 1", 5, "expected ')'"),
      ("uppercas:(a) = 'A'", 1, "did you mean uppercase:"), ("florr(a) = 1", 1, "did you mean floor"),
      ("a:b = 1", 1, "found the function 'a:b'"),
      ("a & = 1", 5, "found '='"), ("a[FIRST] = 1", 2, "and then '['"), ("a[SIZE] = 1", 2, "then '['"),
      ("CAST(a, 'NSDate') = 1", 1, "found the function 'CAST'"),
      ("FUNCTION(a, 'f') = 1", 1, "found the function 'FUNCTION'"),
      ("a.@distinctUnionOfObjects.b = 1", 3, "found"), ("BLOCKPREDICATE(0x1)", 1, "found"),
      ("a = 1 = 2", 7, "found '='"), ("a BETWEEN 1 AND 2", 11, "a list of two values"),
    ] as [(String, Int, String)])
  func errors(format: String, column: Int, part: String) throws {
    let error = try #require(throws: FetchPredicateError.self) { try FetchPredicate(format: format) }
    guard case .syntax(format, let found, _, _, _) = error else {
      Issue.record("not about the format: \(error)")
      return
    }
    #expect(found == column)
    #expect("\(error)".contains(part))
  }

  @Test("Arguments of the wrong kind or number are refused")
  func wrongArguments() throws {
    let cases: [(String, [any PredicateArgument], String)] = [
      ("a = %d", ["x"], "found \"x\"; expected a number for %d"), ("a = %d", [1.5], "expected a number for %d"),
      ("%K = 1", [1], "expected a key path as text for %K"), ("%K = 1", ["a..b"], "expected a key path such as"),
      ("%K = 1", [""], "expected a key path such as"), ("a = %@ AND b = %@", [1], "there are 1"),
      ("a = 1", [1, 2], "found 2 more arguments than the format takes"),
      ("a = %@", [[1, 2]], "one value and not a list"),
      ("a IN %@", [3], "expected a list"),
    ]
    for (format, arguments, part) in cases {
      let error = try #require(throws: FetchPredicateError.self) {
        try FetchPredicate(format: format, arguments: arguments)
      }
      #expect("\(error)".contains(part), "\(format): \(error)")
    }
  }

  @Test("Nesting has a limit, whatever is nested")
  func depth() throws {
    let levels = PredicateParser.depthLimit
    #expect(throws: Never.self) {
      try FetchPredicate(
        format: String(repeating: "(", count: levels) + "a = 1" + String(repeating: ")", count: levels))
    }
    for opening in [
      "(", "NOT ", "! ", "-", "- -", "2 ** ", "a IN {", "sum(", "SUBQUERY(", "SUBQUERY(a, $x, ", "modulus:by:(",
    ] {
      let error = try #require(throws: FetchPredicateError.self) {
        try FetchPredicate(format: String(repeating: opening, count: 20_000))
      }
      #expect("\(error)".utf8.count > 0)
    }
    for link in ["a.", "a + ", "a & ", "a << "] {
      #expect(throws: FetchPredicateError.self) {
        try FetchPredicate(format: String(repeating: link, count: 20_000) + "a = 1")
      }
    }
    let sum = "a" + String(repeating: " + a", count: 60)
    let nestedSums = (0..<90).reduce(sum) { inner, _ in "(\(inner)) + \(sum)" } + " > 1"
    #expect(throws: FetchPredicateError.self) { try FetchPredicate(format: nestedSums) }
    let longest = "a" + String(repeating: " + a", count: PredicateParser.arithmeticLimit) + " > 1"
    #expect(try FetchPredicate(format: longest).description.isEmpty == false)
    let long = Array(repeating: "a = 1", count: 2_000).joined(separator: " AND ")
    guard case .and(let terms) = try FetchPredicate(format: long).form else {
      Issue.record("not a conjunction")
      return
    }
    #expect(terms.count == 2_000)
  }

  @Test("Mutated formats are parsed or refused, and never end the process")
  func fuzz() {
    var random = SeededGenerator(seed: 7)
    let formats = [
      "a = 1 AND place CONTAINS[cd] 'é' OR NOT (b.c.@count > 2.5e3)",
      "SUBQUERY(a.b, $x, $x.c IN {1, 'x', NULL}).@count > -1",
      "ANY a.b BETWEEN {1, %@} AND #in MATCHES %K.z", "-(a + 2) ** 3 / b =< sum(c.d) || TRUEPREDICATE && %f <> %d",
    ]
    let pieces = [
      "(", ")", "{", "}", "[", "]", "'", "\"", "\\", "\\u", "%", "%@", "%K", "$", "@", "#", ".", ",", "-", "**", "NOT ",
      "é", "\0",
      "😀", "e", "1", "IN", "\u{301}", "SELF", "SUBQUERY(", " ", "&", "<<", "^", ":", "modulus:by:(",
    ]
    var accepted = 0
    for _ in 0..<5_000 {
      var scalars = Array(random.pick(formats).unicodeScalars)
      for _ in 0...Int.random(in: 0..<4, using: &random) {
        let position = Int.random(in: 0...scalars.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: scalars.insert(contentsOf: random.pick(pieces).unicodeScalars, at: position)
        case 1: scalars.removeSubrange(position..<min(position + Int.random(in: 1...6, using: &random), scalars.count))
        default: scalars.removeLast(scalars.count - position)
        }
      }
      let format = String(String.UnicodeScalarView(scalars))
      do throws(FetchPredicateError) {
        _ = try FetchPredicate(format: format, arguments: ["k", 1, 2, 3])
      } catch {
        #expect(!error.description.isEmpty)
        if case .unusedArguments = error { accepted += 1 }
      }
    }
    #expect(accepted > 100)
  }

  @Test("Random predicates are parsed from their own descriptions")
  func roundTrip() throws {
    let store = try RandomWorld.store(seed: 3)
    var predicates = RandomPredicates(seed: 3, store: store)
    var read = 0
    for _ in 0..<1_500 {
      let predicate = predicates.predicate(on: "Quake")
      // Dates, decimals, objects and the like have no literals.
      guard predicate.hasLiterals else { continue }
      read += 1
      // Empty and single-term compounds are written as what they mean, so that it is the meaning that comes back.
      let again = try FetchPredicate(format: predicate.description)
      #expect(again.description == (try FetchPredicate(format: again.description)).description)
      #expect(try store.keysInMemory(again, of: "Quake") == store.keysInMemory(predicate, of: "Quake"), "\(predicate)")
    }
    #expect(read > 300)
  }
}

extension FetchPredicate {
  /// Whether all constants can be written in a format.
  fileprivate var hasLiterals: Bool {
    switch form {
    case .constant: true
    case .and(let terms), .or(let terms): terms.allSatisfy(\.hasLiterals)
    case .not(let term): term.hasLiterals
    case .comparison(let comparison): comparison.left.hasLiterals && comparison.right.hasLiterals
    }
  }
}

extension FetchExpression {
  fileprivate var hasLiterals: Bool {
    switch self {
    case .constant(.null), .constant(.integer), .constant(.boolean), .constant(.real), .constant(.string): true
    case .constant, .object: false
    case .list(let elements): elements.allSatisfy(\.hasLiterals)
    case .path, .aggregate, .now: true
    case .arithmetic(let left, _, let right): left.hasLiterals && right.hasLiterals
    case .negation(let operand), .function(_, let operand): operand.hasLiterals
    case .subqueryCount(_, _, let predicate): predicate.hasLiterals
    }
  }
}
