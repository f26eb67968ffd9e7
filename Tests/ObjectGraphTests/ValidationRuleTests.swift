// D1: what fulfills a validation rule and what breaks it.
import Foundation
import MissionTags
import Testing

@testable import CoreDataModel
@testable import ObjectGraph

@Suite("D1 · validation rules", .tags(.d1))
struct ValidationRuleTests {
  private func code(_ rule: ValidationRule, _ type: AttributeType, _ value: AttributeValue) throws -> Int? {
    try CompiledRule(rule, for: type).breach(by: value)?.code.rawValue
  }

  @Test("Bounds belong to a range of numbers, decimals and dates")
  func ranges() throws {
    let numbers = ValidationRule.range(minimum: 1, maximum: 10)
    for type in [AttributeType.int16, .int32, .int64] {
      #expect(try [0, 1, 10, 11].map { try code(numbers, type, .integer($0)) } == [1620, nil, nil, 1610])
    }
    for type in [AttributeType.float, .double] {
      #expect(try [0.9, 1, 10, 10.1].map { try code(numbers, type, .real($0)) } == [1620, nil, nil, 1610])
    }
    #expect(
      try ["0.9", "1", "10", "10.1"].compactMap { Decimal(string: $0) }.map {
        try code(numbers, .decimal, .decimal($0))
      }
        == [1620, nil, nil, 1610])
    let dates = [0.0, 1, 2, 3].map { Date(timeIntervalSinceReferenceDate: $0) }
    let years = ValidationRule.range(minimum: .date(dates[1]), maximum: .date(dates[2]))
    #expect(try dates.map { try code(years, .date, .date($0)) } == [1640, nil, nil, 1630])
  }

  @Test("One bound is enough, and NaN is in no range")
  func halfRanges() throws {
    #expect(try code(.range(minimum: 1, maximum: nil), .double, .real(.infinity)) == nil)
    #expect(try code(.range(minimum: nil, maximum: 1), .double, .real(-.infinity)) == nil)
    #expect(try code(.range(minimum: nil, maximum: 1), .double, .real(.nan)) == 1610)
    #expect(try code(.range(minimum: 1, maximum: nil), .double, .real(.nan)) == 1620)
  }

  @Test("A length counts UTF-16 code units or bytes")
  func lengths() throws {
    let rule = ValidationRule.length(minimum: 2, maximum: 4)
    #expect(try ["a", "ab", "abcd", "abcde"].map { try code(rule, .string, .string($0)) } == [1670, nil, nil, 1660])
    #expect(try code(rule, .string, "🌋🌋") == nil)
    #expect(try code(rule, .string, "🌋🌋🌋") == 1660)
    #expect(try [1, 2, 4, 5].map { try code(rule, .binary, .binary(Data(count: $0))) } == [1670, nil, nil, 1660])
  }

  @Test("A pattern matches the whole text")
  func patterns() throws {
    let rule = ValidationRule.pattern("us[0-9]{3}|ak.*")
    #expect(
      try ["us123", "us1234", "xus123", "ak", "aké\u{301}", ""].map { try code(rule, .string, .string($0)) }
        == [nil, 1680, 1680, nil, nil, 1680])
  }

  @Test("Null breaks no rule")
  func null() throws {
    #expect(try code(.length(minimum: 1, maximum: nil), .string, .null) == nil)
    #expect(try code(.range(minimum: 1, maximum: nil), .int16, .null) == nil)
    #expect(try code(.pattern("a"), .string, .null) == nil)
  }

  @Test("A breach reports found and expected")
  func messages() throws {
    let breach = try CompiledRule(.length(minimum: nil, maximum: 2), for: .string).breach(by: "abc")
    #expect(breach?.found == "the text \"abc\"")
    #expect(breach?.expected == "a length of at most 2")
    let far = Date(timeIntervalSinceReferenceDate: 1e300)
    let date = try CompiledRule(.range(minimum: nil, maximum: .date(.distantPast)), for: .date).breach(by: .date(far))
    #expect(date?.found == "1e+300 seconds after 2001-01-01")
    #expect(date?.expected == "at most 0001-01-01T00:00:00Z")
  }
}
