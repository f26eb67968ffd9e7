// A8, D10: contents of model archives that the shared stores do not have.
import Foundation
import MissionTags
import StoreFixtures
import Testing

@testable import CoreDataFiles
@testable import CoreDataModel
@testable import ObjectGraph

@Suite("A8 D10 · archives of models", .tags(.a8, .d10))
struct ArchivedModelTests {
  /// Archives one entity and reads it; the body makes its properties and its other values.
  private func read(
    _ body: (inout ArchiveWriter, _ entity: PropertyList) -> (
      properties: [(String, PropertyList)], others: [String: PropertyList]
    )
  ) throws -> RecoveredModel {
    var writer = ArchiveWriter()
    let place = writer.reserve()
    let (properties, others) = body(&writer, place)
    let name = writer.add(.string("Thing"))
    var values: [String: PropertyList] = ["NSEntityName": name, "NSProperties": writer.dictionary(properties)]
    values.merge(others) { $1 }
    writer.fill(place, ["NSEntityDescription", "NSObject"], values)
    let root = writer.add(
      ["NSManagedObjectModel", "NSObject"], ["NSEntities": writer.dictionary([("Thing", place)])])
    return try RecoveredModel(archive: writer.bytes(root: root))
  }

  private func attribute(
    _ writer: inout ArchiveWriter, _ name: String, _ code: Int64, _ values: [String: PropertyList] = [:]
  ) -> (String, PropertyList) {
    let base: [String: PropertyList] = [
      "NSPropertyName": writer.add(.string(name)), "NSAttributeType": .integer(code), "NSIsOptional": .boolean(true),
    ]
    let classes = ["NSAttributeDescription", "NSPropertyDescription", "NSObject"]
    return (name, writer.add(classes, base.merging(values) { $1 }))
  }

  @Test("Hash modifiers of an entity and its properties")
  func hashModifiers() throws {
    let recovered = try read { writer, _ in
      let modified = writer.add(.string("2"))
      return (
        [attribute(&writer, "a", 700, ["NSVersionHashModifier": modified]), attribute(&writer, "b", 700)],
        ["NSVersionHashModifier": writer.add(.string("3"))]
      )
    }
    let thing = try #require(recovered.model["Thing"])
    #expect(thing.versionHashModifier == "3" && thing.attributes.map(\.versionHashModifier) == ["2", nil])
  }

  @Test("Bounds stored as numbers, external storage, unsupported types and a property of an unknown class are read")
  func attributes() throws {
    let recovered = try read { writer, _ in
      let other = writer.add(["NSOddDescription"], [:])
      let near = writer.add(
        ["NSRelationshipDescription", "NSPropertyDescription", "NSObject"],
        ["NSPropertyName": writer.add(.string("near")), "NSIsTransient": .boolean(true)])
      return (
        [
          attribute(
            &writer, "count", 200,
            ["NSFlagsKey": .integer(3), "NSMinValueName": .integer(-5), "NSMaxValueName": .integer(5)]),
          attribute(&writer, "ratio", 500, ["NSFlagsKey": .integer(2), "NSMinValueName": .real(0.25)]),
          attribute(&writer, "when", 900, ["NSFlagsKey": .integer(1), "NSMaxValueName": .real(9)]),
          attribute(&writer, "text", 700, ["NSFlagsKey": .integer(1), "NSMaxValueName": .integer(8)]),
          attribute(&writer, "image", 1_000, ["NSFlagsKey": .integer(4 + 16)]),
          attribute(&writer, "address", 2_100), attribute(&writer, "id", 2_000), attribute(&writer, "any", 0),
          attribute(&writer, "new", 4_242), ("odd", other), ("near", near),
        ], [:]
      )
    }
    #expect(
      recovered.model["Thing"]?.attributes == [
        .init("count", .int32, isOptional: true, validationRules: [.range(minimum: -5, maximum: 5)]),
        .init("image", .binary, isOptional: true, preservesValueInHistoryOnDeletion: true),
        .init("ratio", .double, isOptional: true, validationRules: [.range(minimum: 0.25, maximum: nil)]),
        .init("text", .string, isOptional: true, validationRules: [.length(minimum: nil, maximum: 8)]),
        .init(
          "when", .date, isOptional: true,
          validationRules: [.range(minimum: nil, maximum: .date(Date(timeIntervalSinceReferenceDate: 9)))]),
      ])
    #expect(
      recovered.remarks == [
        "Thing.image may be stored in files beside the store: values that are cannot be read.",
        "Thing.address is of a composite type: it is left out.", "Thing.id is of the type objectID: it is left out.",
        "Thing.any is of no defined type: it is left out.",
        "Thing.new is of the type 4242, which is not known: it is left out.",
        "Thing.odd is of the class NSOddDescription, which is not known: it is left out.",
        "Thing.near is a transient relationship, of which nothing is stored: it is left out.",
      ])
  }

  /// A comparison of the object itself, or of its length, with a constant.
  private func predicate(
    _ writer: inout ArchiveWriter, _ code: Int64, _ constant: PropertyList, length: Bool = false
  ) -> PropertyList {
    let this = writer.add(["NSSelfExpression", "NSExpression", "NSObject"], [:])
    var left = this
    if length {
      let path = writer.add(
        ["NSKeyPathSpecifierExpression"], ["NSKeyPath": writer.add(.string("length"))])
      left = writer.add(
        ["NSKeyPathExpression"], ["NSOperand": this, "NSArguments": writer.array([path])])
    }
    return writer.add(
      ["NSComparisonPredicate", "NSPredicate"],
      [
        "NSLeftExpression": left,
        "NSRightExpression": writer.add(["NSConstantValueExpression"], ["NSConstantValue": constant]),
        "NSPredicateOperator": writer.add(["NSComparisonPredicateOperator"], ["NSOperatorType": .integer(code)]),
      ])
  }

  @Test("Validation predicates become rules; invalid ones are reported, and infinite ones are left out")
  func validation() throws {
    let recovered = try read { writer, _ in
      let (low, high) = (writer.add(.integer(1)), writer.add(.integer(9)))
      let pattern = writer.add(.string("[a-z]+"))
      let range = [predicate(&writer, 3, low), predicate(&writer, 1, high)]
      let both = writer.add(
        ["NSCompoundPredicate"],
        ["NSCompoundPredicateType": .integer(1), "NSSubpredicates": writer.array(range)])
      let either = writer.add(
        ["NSCompoundPredicate"],
        ["NSCompoundPredicateType": .integer(2), "NSSubpredicates": writer.array(range)])
      let endless = writer.reserve()
      let copies = writer.array([endless, endless])
      writer.fill(
        endless, ["NSCompoundPredicate"], ["NSCompoundPredicateType": .integer(1), "NSSubpredicates": copies])
      let words = [
        predicate(&writer, 6, pattern), predicate(&writer, 3, low, length: true), predicate(&writer, 8, pattern),
      ]
      return (
        [
          attribute(&writer, "both", 100, ["NSValidationPredicates": writer.array([both])]),
          attribute(&writer, "either", 100, ["NSValidationPredicates": writer.array([either])]),
          attribute(&writer, "endless", 100, ["NSValidationPredicates": writer.array([endless])]),
          attribute(&writer, "word", 700, ["NSValidationPredicates": writer.array(words)]),
        ], [:]
      )
    }
    #expect(
      recovered.model["Thing"]?.attributes.map(\.validationRules) == [
        [.range(minimum: 1, maximum: 9)], [], [], [.length(minimum: 1, maximum: nil), .pattern("[a-z]+")],
      ])
    #expect(
      recovered.remarks
        == ["either", "endless", "word"].map {
          "A validation rule of Thing.\($0) is neither a range, a length nor a pattern: it is left out."
        })
  }
}

extension ArchivedModelTests {
  @Test("Derivations are read as text: a path, a count, a function; an infinite one is reported")
  func derivations() throws {
    let recovered = try read { writer, _ in
      let path = writer.add(["NSKeyPathSpecifierExpression"], ["NSKeyPath": writer.add(.string("owner.name"))])
      func function(_ name: String, _ arguments: [PropertyList]) -> PropertyList {
        writer.add(
          ["NSFunctionExpression"],
          ["NSSelectorName": writer.add(.string(name)), "NSArguments": writer.array(arguments)])
      }
      let endless = writer.reserve()
      let arguments = writer.array([endless, endless])
      writer.fill(
        endless, ["NSFunctionExpression"], ["NSSelectorName": writer.add(.string("f:")), "NSArguments": arguments])
      let expressions = [
        ("a", path), ("b", function("count:", [path])), ("c", function("uppercase:", [path])),
        ("d", function("now", [])), ("e", endless),
      ]
      return (
        expressions.map { name, expression in
          let classes = ["NSDerivedAttributeDescription", "NSAttributeDescription"]
          return (
            name,
            writer.add(
              classes,
              [
                "NSPropertyName": writer.add(.string(name)), "NSAttributeType": .integer(700),
                "NSDerivationExpression": expression,
              ])
          )
        }, [:]
      )
    }
    #expect(
      recovered.model["Thing"]?.attributes.map(\.derivationExpression) == [
        "owner.name", "owner.name.@count", "uppercase:(owner.name)", "now()", nil,
      ])
    // The contents of a file are kept, and what is not computed is reported.
    #expect(
      recovered.remarks == [
        "What Thing.e is derived from cannot be read: it is an ordinary attribute here.",
        "Not computed: entity Thing, derivation of a: found \"owner.name\", where owner is no relationship of Thing; "
          + "expected a to-one relationship.",
        "Not computed: entity Thing, derivation of b: found \"owner.name.@count\", @count in \"owner.name.@count\"; "
          + "expected it right behind a relationship, and the last.",
        "Not computed: entity Thing, derivation of c: found \"uppercase:(owner.name)\", where owner is no relationship of "
          + "Thing; expected a to-one relationship.",
        "Not computed: entity Thing, derivation of d: found \"now()\", which gives a date; expected one that gives a string.",
      ])
  }

  @Test("Fetch indexes, older compound indexes and indexed attributes are read")
  func indexes() throws {
    func element(_ writer: inout ArchiveWriter, _ name: String, _ values: [String: PropertyList]) -> PropertyList {
      let base = ["NSPropertyName": writer.add(.string(name)), "NSAscending": PropertyList.boolean(true)]
      return writer.add(["NSFetchIndexElementDescription"], base.merging(values) { $1 })
    }
    func index(_ writer: inout ArchiveWriter, _ name: String, _ elements: [PropertyList]) -> PropertyList {
      let values = ["NSIndexName": writer.add(.string(name)), "NSIndexElements": writer.array(elements)]
      return writer.add(["NSFetchIndexDescription"], values)
    }
    let recent = try read { writer, _ in
      let descending = element(&writer, "a", ["NSAscending": .boolean(false)])
      let tree = element(&writer, "a", ["NSFetchIndexElementType": .integer(1)])
      let plain = element(&writer, "b", [:])
      let indexes = [index(&writer, "both", [descending, plain]), index(&writer, "place", [tree])]
      let compound = writer.array([writer.add(.string("b")), writer.add(.string("a"))])
      return (
        [attribute(&writer, "a", 100), attribute(&writer, "b", 700, ["NSIsIndexed": .boolean(true)])],
        ["NSFetchIndexDescriptions": writer.array(indexes), "NSCompoundIndexes": writer.array([compound])]
      )
    }
    #expect(
      recent.model["Thing"]?.fetchIndexes == [
        .init("both", elements: [.init("a", isAscending: false), .init("b")])
      ])
    #expect(recent.remarks == ["The fetch index Thing.place is an R-tree: it is left out."])
    let old = try read { writer, _ in
      let compound = writer.array([writer.add(.string("b")), writer.add(.string("a"))])
      return (
        [attribute(&writer, "a", 100), attribute(&writer, "b", 700, ["NSIsIndexed": .boolean(true)])],
        ["NSCompoundIndexes": writer.array([compound])]
      )
    }
    #expect(old.model["Thing"]?.fetchIndexes == [.init("b_a", on: ["b", "a"]), .init("byBIndex", on: ["b"])])
  }

  @Test("An indexed attribute is indexed only in the entity that declares it, although sub-entities archive it again")
  func inheritedIndex() throws {
    var writer = ArchiveWriter()
    let (base, sub) = (writer.reserve(), writer.reserve())
    for (place, name, parent) in [(base, "Base", nil), (sub, "Sub", base)] {
      let code = attribute(&writer, "code", 700, ["NSIsIndexed": .boolean(true)])
      let values = [
        "NSEntityName": writer.add(.string(name)), "NSProperties": writer.dictionary([code]),
        "NSSuperentity": parent ?? writer.nothing,
      ]
      writer.fill(place, ["NSEntityDescription", "NSObject"], values)
    }
    let entities = writer.dictionary([("Base", base), ("Sub", sub)])
    let root = writer.add(["NSManagedObjectModel", "NSObject"], ["NSEntities": entities])
    let model = try RecoveredModel(archive: writer.bytes(root: root)).model
    #expect(model["Base"]?.fetchIndexes == [.init("byCodeIndex", on: ["code"])])
    #expect(model["Sub"]?.fetchIndexes == [])
  }
}

extension ArchivedModelTests {
  @Test("Defaults of every class that Foundation archives are read")
  func values() throws {
    let id = UUID()
    let url = try #require(URL(string: "https://example.org/a"))
    let values: [NSObject] = [
      NSDate(timeIntervalSinceReferenceDate: 1.5), NSData(data: Data([1, 2])),
      try #require(NSUUID(uuidString: id.uuidString)), try #require(NSURL(string: url.absoluteString)),
      NSMutableString(string: "text"), NSNumber(value: true), NSNumber(value: 7), NSNumber(value: 0.5),
    ]
    let data = try NSKeyedArchiver.archivedData(withRootObject: NSArray(array: values), requiringSecureCoding: false)
    let list = try PropertyList(binary: [UInt8](data))
    let archive = try KeyedArchive(list)
    let elements = try #require(archive.elements(list["$top"]?["root"]))
    let types: [AttributeType] = [.date, .binary, .uuid, .uri, .string, .boolean, .int16, .double]
    let expected: [AttributeValue] = [
      .date(Date(timeIntervalSinceReferenceDate: 1.5)), .binary(Data([1, 2])), .uuid(id), .uri(url),
      .string("text"), true, 7, .real(0.5),
    ]
    #expect(zip(elements, types).map { archive.attributeValue($0, of: $1) } == expected)
    // None of the first five is a value of the next one's type.
    for (element, type) in zip(elements.prefix(5), types.dropFirst()) {
      #expect(archive.attributeValue(element, of: type) == nil)
    }
  }

  @Test("Decimal defaults are read: sixteen bytes, byte order, exponent and sign; Foundation archives none here")
  func decimals() throws {
    func decimal(_ bytes: [UInt8], _ exponent: Int64, isNegative: Bool = false, order: Int64 = 1) throws
      -> AttributeValue?
    {
      var writer = ArchiveWriter()
      let mantissa = bytes + [UInt8](repeating: 0, count: 16 - bytes.count)
      let number = writer.add(
        ["NSDecimalNumberPlaceholder", "NSDecimalNumber", "NSNumber", "NSValue", "NSObject"],
        [
          "NS.mantissa": .data(Data(mantissa)), "NS.mantissa.bo": .integer(order), "NS.exponent": .integer(exponent),
          "NS.negative": .boolean(isNegative), "NS.compact": .boolean(true),
          "NS.length": .integer(Int64(bytes.count + 1) / 2),
        ])
      let archive = try KeyedArchive(PropertyList(binary: writer.bytes(root: number)))
      return archive.attributeValue(number, of: .decimal)
    }
    #expect(try decimal([], 0) == .decimal(0))
    #expect(try decimal([0xF3, 0x03], -2) == .decimal(Decimal(1_011) / 100))
    #expect(try decimal([0x03, 0xF3], -2, order: 2) == .decimal(Decimal(1_011) / 100))
    #expect(try decimal([1, 0], -6, isNegative: true) == .decimal(Decimal(-1) / 1_000_000))
    #expect(try decimal([1, 0, 0, 0, 0, 0, 0, 0, 1, 0], 0) == .decimal(Decimal(UInt64.max) + 2))
    #expect(try decimal([5, 0], 60) == .decimal(Decimal(sign: .plus, exponent: 60, significand: 5)))
    #expect(try decimal([5, 0], 600) == nil)
  }

  @Test("A model with infinite or broken references is refused in a sentence")
  func hostile() throws {
    func message(_ body: (inout ArchiveWriter, PropertyList) -> ([(String, PropertyList)], [String: PropertyList]))
      -> String?
    {
      do {
        _ = try read(body)
        return nil
      } catch {
        return (error as? MalformedContent).map { "\($0.found); \($0.expected)" }
      }
    }
    #expect(
      message { writer, _ in ([("a", writer.add(.integer(1)))], [:]) }
        == "an archive in which the property Thing.a is a number; an object")
    #expect(
      message { writer, _ in ([("r", writer.add(["NSRelationshipDescription"], [:]))], [:]) }
        == "an archive in which the relationship Thing.r leads nowhere; a destination")
    let long = String(repeating: "n", count: 1_001)
    #expect(
      message { writer, _ in ([attribute(&writer, long, 100)], [:]) } == "a name of 1001 bytes; at most 1000")
    #expect(
      message { writer, place in ([attribute(&writer, "a", 100)], ["NSSuperentity": place]) }
        == "the entity \"Thing\", whose super-entities do not end; at most 64 of them")
    #expect(
      message { writer, _ in
        let names = writer.array(Array(repeating: writer.add(.string("a")), count: 200))
        let constraints = writer.array(Array(repeating: names, count: 200))
        return ([attribute(&writer, "a", 100)], ["NSUniqueTuples": constraints])
      } == "a model with more than 20000 properties and elements of indexes; fewer")
  }
}
