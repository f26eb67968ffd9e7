// A8, D10: models in Xcode's formats: versions in folders, XML, and contents that are not supported.
import Foundation
import MissionTags
import ObjectGraphFixtures
import StoreFixtures
import Testing

@testable import CoreDataFiles
@testable import CoreDataModel
@testable import ObjectGraph

@Suite("A8 D10 · model files", .tags(.a8, .d10))
struct ModelFileTests {
  /// The model of SampleModel2 like an editor writes it.
  static let library = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" systemVersion="19F96" userDefinedModelVersionIdentifier="">
        <entity name="Author" representedClassName="Author" parentEntity="Writer" syncable="YES">
            <attribute name="alias" attributeType="String"/>
            <attribute name="siteURL" optional="YES" attributeType="URI"/>
            <relationship name="books" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Book" inverseName="author" inverseEntity="Book"/>
            <fetchedProperty name="feedbacks" optional="YES">
                <fetchRequest name="fetchedPropertyFetchRequest" entity="Feedback" predicateString="authorAlias == $FETCH_SOURCE.alias"/>
            </fetchedProperty>
            <uniquenessConstraints>
                <uniquenessConstraint>
                    <constraint value="alias"/>
                </uniquenessConstraint>
            </uniquenessConstraints>
        </entity>
        <entity name="Book" representedClassName="Book" syncable="YES">
            <attribute name="cover" attributeType="Transformable" valueTransformerName="CoverTransformer"/>
            <attribute name="pagesCount" optional="YES" attributeType="Integer 64" derived="YES" derivationExpression="pages.@count" usesScalarValueType="YES"/>
            <attribute name="price" attributeType="Decimal"/>
            <attribute name="publishedAt" attributeType="Date" usesScalarValueType="NO"/>
            <attribute name="title" attributeType="String" minValueString="3" maxValueString="50"/>
            <attribute name="uniqueID" attributeType="UUID" usesScalarValueType="NO"/>
            <relationship name="author" minCount="1" maxCount="1" deletionRule="Nullify" destinationEntity="Author" inverseName="books" inverseEntity="Author"/>
            <relationship name="pages" toMany="YES" minCount="1" maxCount="10000" deletionRule="Cascade" destinationEntity="Page" inverseName="book" inverseEntity="Page"/>
            <uniquenessConstraints>
                <uniquenessConstraint>
                    <constraint value="uniqueID"/>
                </uniquenessConstraint>
            </uniquenessConstraints>
        </entity>
        <entity name="Feedback" representedClassName="Feedback" syncable="YES">
            <attribute name="authorAlias" attributeType="String"/>
            <attribute name="bookID" attributeType="UUID" usesScalarValueType="NO"/>
            <attribute name="comment" optional="YES" attributeType="String"/>
            <attribute name="rating" attributeType="Double" usesScalarValueType="YES"/>
        </entity>
        <entity name="GraphicNovel" representedClassName="GraphicNovel" parentEntity="Book" syncable="YES">
            <attribute name="isBlackAndWhite" attributeType="Boolean" defaultValueString="NO" usesScalarValueType="YES"/>
        </entity>
        <entity name="Page" representedClassName="Page" syncable="YES">
            <attribute name="content" attributeType="Transformable"/>
            <attribute name="isBookmarked" attributeType="Boolean" defaultValueString="NO" usesScalarValueType="YES"/>
            <attribute name="number" attributeType="Integer 32" usesScalarValueType="YES"/>
            <relationship name="book" minCount="1" maxCount="1" deletionRule="Nullify" destinationEntity="Book" inverseName="pages" inverseEntity="Book"/>
        </entity>
        <entity name="Writer" representedClassName="Writer" isAbstract="YES" syncable="YES">
            <attribute name="age" attributeType="Integer 16" usesScalarValueType="YES"/>
        </entity>
        <configuration name="SampleConfigurationV1">
            <memberEntity name="Author"/>
            <memberEntity name="Book"/>
            <memberEntity name="Feedback"/>
            <memberEntity name="GraphicNovel"/>
            <memberEntity name="Page"/>
            <memberEntity name="Writer"/>
        </configuration>
        <elements>
            <element name="Author" positionX="-63" positionY="-18" width="128" height="118"/>
        </elements>
    </model>
    """

  private func read(_ entities: String) throws -> RecoveredModel {
    let xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<model documentVersion=\"1.0\">\n\(entities)\n</model>"
    return try RecoveredModel(xml: Data(xml.utf8))
  }

  @Test("A model file gives the model that Core Data compiled from it and keeps in the store")
  func sameAsCache() throws {
    let file = try RecoveredModel(xml: Data(ModelFileTests.library.utf8))
    let names = SampleModels.sampleModel2.map(\.name)
    #expect(
      file.model
        == (try ManagedObjectModel(
          entities: SampleModels.sampleModel2, configurations: ["SampleConfigurationV1": names.sorted()])))
    #expect(file.origin == .modelFile)
    #expect(
      file.remarks == ["Author.feedbacks is a fetched property, which has no place in a store: it is left out."])
  }

  @Test(
    "A store made for a model file has the layout of the store that Core Data made for it",
    arguments: SampleStore.all(.library))
  func layout(store: SampleStore) throws {
    let stack = try TestStack(RecoveredModel(xml: Data(ModelFileTests.library.utf8)).model.entities)
    #expect(try StoreLayout.entities(of: stack.path) == StoreLayout.entities(of: store))
  }

  @Test("Attributes of every type are read, with default, bounds, pattern, flags and renaming identifier")
  func attributes() throws {
    let recovered = try read(
      """
      <entity name="Thing" elementID="Item">
        <attribute name="binary" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
        <attribute name="boolean" attributeType="Boolean" defaultValueString="YES"/>
        <attribute name="date" attributeType="Date" defaultDateTimeInterval="600.5" minDateTimeInterval="0" maxDateTimeInterval="1e9"/>
        <attribute name="decimal" attributeType="Decimal" defaultValueString="10.11" minValueString="0.5"/>
        <attribute name="double" attributeType="Double" defaultValueString="-1.5"/>
        <attribute name="float" attributeType="Float" defaultValueString="0.0"/>
        <attribute name="int16" optional="YES" attributeType="Integer 16" defaultValueString="0" minValueString="0" maxValueString="100"/>
        <attribute name="int32" attributeType="Integer 32"/>
        <attribute name="int64" attributeType="Integer 64" preserveAfterDeletion="YES"/>
        <attribute name="mood" optional="YES" transient="YES" attributeType="String"/>
        <attribute name="string" attributeType="String" defaultValueString="a &amp; b" maxValueString="64"/>
        <attribute name="word" attributeType="String" regularExpressionString="[a-z &amp;]+"/>
        <attribute name="upper" optional="YES" attributeType="String" derived="YES" derivationExpression="uppercase:(string)"/>
        <attribute name="uri" attributeType="URI" defaultValueString="https://example.org/a" elementID="link"/>
        <attribute name="uuid" attributeType="UUID" defaultValueString="00000000-0000-0000-0000-0000000000FF" elementID="uuid"/>
      </entity>
      """)
    let id = try #require(UUID(uuidString: "00000000-0000-0000-0000-0000000000FF"))
    #expect(
      recovered.model["Thing"]
        == EntityDescription(
          "Thing",
          attributes: [
            .init("binary", .binary, isOptional: true), .init("boolean", .boolean, defaultValue: true),
            .init(
              "date", .date, defaultValue: .date(Date(timeIntervalSinceReferenceDate: 600.5)),
              validationRules: [
                .range(
                  minimum: .date(Date(timeIntervalSinceReferenceDate: 0)),
                  maximum: .date(Date(timeIntervalSinceReferenceDate: 1e9)))
              ]),
            .init(
              "decimal", .decimal, defaultValue: .decimal(Decimal(1_011) / 100),
              validationRules: [.range(minimum: .decimal(Decimal(5) / 10), maximum: nil)]),
            .init("double", .double, defaultValue: -1.5), .init("float", .float, defaultValue: 0.0),
            .init(
              "int16", .int16, isOptional: true, defaultValue: 0, validationRules: [.range(minimum: 0, maximum: 100)]),
            .init("int32", .int32), .init("int64", .int64, preservesValueInHistoryOnDeletion: true),
            .init("mood", .string, isOptional: true, isTransient: true),
            .init(
              "string", .string, defaultValue: "a & b",
              validationRules: [.length(minimum: nil, maximum: 64)]),
            .init("upper", .string, isOptional: true, derivationExpression: "uppercase:(string)"),
            .init(
              "uri", .uri, defaultValue: .uri(try #require(URL(string: "https://example.org/a"))),
              renamingIdentifier: "link"),
            .init("uuid", .uuid, defaultValue: .uuid(id)),
            .init("word", .string, validationRules: [.pattern("[a-z &]+")]),
          ], renamingIdentifier: "Item"))
    #expect(
      recovered.remarks == ["Thing.binary may be stored in files beside the store: values that are cannot be read."])
  }
}

extension ModelFileTests {
  @Test(
    "Version identifier, hash modifiers and fetch request templates are read, except a template of an omitted entity")
  func versionsAndTemplates() throws {
    let xml = """
      <model userDefinedModelVersionIdentifier="7.1">
        <entity name="Thing" versionHashModifier="b">
          <attribute name="name" attributeType="String" versionHashModifier="a &lt; 1"/>
          <relationship name="next" optional="YES" maxCount="1" destinationEntity="Thing" versionHashModifier="c"/>
        </entity>
        <fetchRequest name="named" entity="Thing" predicateString="name == $NAME" fetchLimit="3" fetchBatchSize="20"/>
        <fetchRequest name="own" entity="Thing" predicateString="" includesSubentities="NO"/>
        <fetchRequest name="lost" entity="Nothing"/>
      </model>
      """
    let recovered = try RecoveredModel(xml: Data(xml.utf8))
    let model = recovered.model
    #expect(model.versionIdentifiers == ["7.1"])
    let thing = try #require(model["Thing"])
    #expect(
      [thing.versionHashModifier, thing.attributes[0].versionHashModifier, thing.relationships[0].versionHashModifier]
        == ["b", "a < 1", "c"])
    #expect(
      model.fetchRequestTemplates == [
        "named": FetchRequestTemplate(
          entityName: "Thing", predicateFormat: "name == $NAME", fetchLimit: 3, fetchBatchSize: 20),
        "own": FetchRequestTemplate(entityName: "Thing", includesSubentities: false),
      ])
    #expect(
      recovered.remarks == ["Left out: the fetch request template \"lost\", whose entity is not in the model."])
  }

  @Test("Options of a fetch request are read, and reported if a template does not support them")
  func templateOptions() throws {
    let recovered = try read(
      """
      <entity name="Thing"><attribute name="name" attributeType="String"/></entity>
      <fetchRequest name="own" entity="Thing" fetchLimit="2" includeSubentities="NO" includePropertyValues="YES"/>
      <fetchRequest name="odd" entity="Thing" includeSubentities="YES" resultType="1" includePropertyValues="NO">
        <sortDescriptor key="name"/>
      </fetchRequest>
      """)
    #expect(
      recovered.model.fetchRequestTemplates == [
        "own": FetchRequestTemplate(entityName: "Thing", fetchLimit: 2, includesSubentities: false),
        "odd": FetchRequestTemplate(entityName: "Thing"),
      ])
    #expect(
      recovered.remarks == [
        "The fetch request template \"odd\" is read without includePropertyValues, resultType.",
        "The fetch request template \"odd\" has the element sortDescriptor at line 6, which is not known: it is left out.",
      ])
  }

  @Test("A constraint or a fetch index that is declared twice is read once")
  func repetitions() throws {
    let constraint = "<uniquenessConstraint><constraint value=\"name\"/></uniquenessConstraint>"
    func index(_ name: String, _ property: String) -> String {
      "<fetchIndex name=\"\(name)\"><fetchIndexElement property=\"\(property)\" type=\"Binary\"/></fetchIndex>"
    }
    let recovered = try read(
      """
      <entity name="Thing">
        <attribute name="name" attributeType="String"/>
        <attribute name="year" attributeType="Integer 16"/>
        \(index("byName", "name")) \(index("byYear", "year")) \(index("byName", "year"))
        <uniquenessConstraints>\(constraint)\(constraint)</uniquenessConstraints>
        <uniquenessConstraints>\(constraint)</uniquenessConstraints>
      </entity>
      """)
    let thing = try #require(recovered.model["Thing"])
    #expect(thing.uniquenessConstraints == [["name"]])
    #expect(
      thing.fetchIndexes == [
        FetchIndexDescription("byName", on: ["name"]), FetchIndexDescription("byYear", on: ["year"]),
      ])
    #expect(
      recovered.remarks == [
        "Thing is unique by name more than once: it is read as one constraint.",
        "Thing has several fetch indexes byName: the first one is read.",
      ])
  }

  @Test("A model with a derivation that is not computed can be merged with others")
  func mergedDerivation() throws {
    let recovered = try read(
      """
      <entity name="Thing">
        <attribute name="day" optional="YES" attributeType="String" derived="YES" derivationExpression="now()"/>
      </entity>
      """)
    #expect(recovered.remarks.count == 1 && recovered.remarks[0].hasPrefix("Not computed: "))
    let note = try ManagedObjectModel(entities: [EntityDescription("Note", attributes: [.init("text", .string)])])
    let merged = try ManagedObjectModel(merging: [recovered.model, note])
    #expect(merged.entities == note.entities + recovered.model.entities)
  }

  @Test("Relationships and fetch indexes are read: counts, order, delete rules, no inverse, indexes of older versions")
  func relationshipsAndIndexes() throws {
    let recovered = try read(
      """
      <entity name="Album">
        <attribute name="title" attributeType="String" indexed="YES"/>
        <attribute name="year" attributeType="Integer 16"/>
        <relationship name="cover" optional="YES" maxCount="1" deletionRule="No Action" destinationEntity="Image"/>
        <relationship name="songs" optional="YES" toMany="YES" minCount="2" maxCount="30" ordered="YES" deletionRule="Deny" destinationEntity="Song" inverseName="album" inverseEntity="Song" elementID="tracks"/>
        <fetchIndex name="byYear">
          <fetchIndexElement property="year" type="Binary" order="descending"/>
          <fetchIndexElement property="cover" type="Binary" order="ascending"/>
        </fetchIndex>
        <fetchIndex name="byPlace"><fetchIndexElement property="year" type="RTree" order="ascending"/></fetchIndex>
        <fetchIndex name="byLower"><fetchIndexElement expressionString="lowercase:(title)" type="Binary" order="ascending"/></fetchIndex>
        <compoundIndexes><compoundIndex><index value="year"/><index value="title"/></compoundIndex></compoundIndexes>
      </entity>
      <entity name="Image"><attribute name="data" attributeType="Binary"/></entity>
      <entity name="Song">
        <relationship name="album" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Album" inverseName="songs" inverseEntity="Album"/>
      </entity>
      """)
    #expect(
      recovered.model["Album"]
        == EntityDescription(
          "Album", attributes: [.init("title", .string), .init("year", .int16)],
          relationships: [
            .init("cover", to: "Image", inverse: nil, deleteRule: .noAction),
            .init(
              "songs", to: "Song", inverse: "album", isToMany: true, isOrdered: true, minimumCount: 2,
              maximumCount: 30, deleteRule: .deny, renamingIdentifier: "tracks"),
          ],
          fetchIndexes: [
            .init("byYear", elements: [.init("year", isAscending: false), .init("cover")]),
            .init("year_title", on: ["year", "title"]), .init("byTitleIndex", on: ["title"]),
          ]))
    #expect(
      recovered.remarks == [
        "The fetch index Album.byPlace is an R-tree: it is left out.",
        "The fetch index Album.byLower is over an expression: it is left out.",
      ])
  }

  @Test("Parts without a counterpart here are left out, and each is reported")
  func remarks() throws {
    let recovered = try read(
      """
      <entity name="Place">
        <attribute name="address" attributeType="Composite" elementName="Address"/>
        <attribute name="anything" optional="YES" transient="YES"/>
        <attribute name="größe" attributeType="Double"/>
        <attribute name="level" attributeType="Integer 16" defaultValueString="70000" minValueString="low"/>
        <attribute name="name" attributeType="String" defaultValueString="" minValueString="1" regularExpressionString="("/>
        <attribute name="nick" attributeType="String" defaultValueString="aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!" regularExpressionString="(a+)+"/>
        <relationship name="lost" optional="YES" maxCount="1"/>
        <relationship name="near" optional="YES" transient="YES" maxCount="1" destinationEntity="Place"/>
        <relationship name="next" optional="YES" minCount="5" maxCount="1" destinationEntity="Place"/>
        <relationship name="tags" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Tag"/>
        <relationship name="owner" optional="YES" maxCount="1" deletionRule="Forget" destinationEntity="Tag" inverseName="places" inverseEntity="Tag"/>
        <uniquenessConstraints><uniquenessConstraint><constraint value="name"/><constraint value="none"/></uniquenessConstraint></uniquenessConstraints>
        <something/>
      </entity>
      <entity name="Tag"/>
      <composite name="Address"><attribute name="street" attributeType="String"/></composite>
      """)
    #expect(
      recovered.model.entities == [
        EntityDescription(
          "Place",
          attributes: [
            .init("level", .int16), .init("name", .string, defaultValue: ""),
            .init("nick", .string, defaultValue: .string(String(repeating: "a", count: 40) + "!")),
          ],
          relationships: [
            .init("next", to: "Place", inverse: nil, minimumCount: 1), .init("owner", to: "Tag", inverse: nil),
          ]), EntityDescription("Tag", isAbstract: true),
      ])
    let remarks = recovered.remarks.joined(separator: "\n")
    for text in [
      "Place.address is of the type \"Composite\"", "Place.anything is of no defined type", "größe",
      "The default of Place.level is \"70000\"", "The bound \"low\" of Place.level",
      "A validation rule of Place.name is left out, since the default breaks it",
      "A validation rule of Place.name is left out: found the pattern", "The pattern of Place.nick is left out",
      "Place.lost leads to no entity", "Place.near is a transient relationship, of which nothing is stored",
      "Place.next has counts that contradict each other", "relationship tags: found no inverse",
      "Place.owner has the deletion rule \"Forget\"",
      "Read without the inverse: entity Place, relationship owner", "uniqueness constraint [name, none]",
      "Place has the element something at line 16", "Tag has neither attribute nor relationship",
    ] {
      #expect(remarks.contains(text), "no remark with \(text) in:\n\(remarks)")
    }
    #expect(recovered.remarks.count == 17)
  }

  // MARK: - Folders and errors

  private func folder(_ files: [String: String]) throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appending(path: "model-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (name, text) in files {
      let file = folder.appending(path: name)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    return folder
  }

  private func model(_ entity: String) -> String {
    "<model><entity name=\"\(entity)\"><attribute name=\"a\" attributeType=\"String\"/></entity></model>"
  }

  private func outcome(_ url: URL) -> String {
    do {
      return try RecoveredModel(modelFileAt: url.path).model.entities.map(\.name).joined(separator: ",")
    } catch {
      return error.description.replacing(url.path, with: "X")
    }
  }
}

extension ModelFileTests {
  @Test("The current version is read, whichever format names it; the path of a version or of the file itself works too")
  func versions() throws {
    let name =
      "<plist version=\"1.0\"><dict><key>_XCCurrentVersionName</key><string>App 2.xcdatamodel</string></dict></plist>"
    let folder = try folder([
      "App.xcdatamodeld/App.xcdatamodel/contents": model("One"),
      "App.xcdatamodeld/App 2.xcdatamodel/contents": model("Two"), "App.xcdatamodeld/.xccurrentversion": name,
      "Single.xcdatamodeld/Single.xcdatamodel/contents": model("Only"),
    ])
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(outcome(folder.appending(path: "App.xcdatamodeld")) == "Two")
    #expect(outcome(folder.appending(path: "App.xcdatamodeld/App.xcdatamodel")) == "One")
    #expect(outcome(folder.appending(path: "App.xcdatamodeld/App.xcdatamodel/contents")) == "One")
    #expect(outcome(folder.appending(path: "Single.xcdatamodeld")) == "Only")
    let binary = try PropertyListSerialization.data(
      fromPropertyList: ["_XCCurrentVersionName": "App.xcdatamodel"], format: .binary, options: 0)
    try binary.write(to: folder.appending(path: "App.xcdatamodeld/.xccurrentversion"))
    #expect(outcome(folder.appending(path: "App.xcdatamodeld")) == "One")
  }

  @Test("Each fault of a model is named in one sentence")
  func errors() throws {
    let folder = try folder([
      "Two/A.xcdatamodel/contents": "", "Two/B.xcdatamodel/contents": "", "Gone/A.xcdatamodel/contents": "",
      "Gone/.xccurrentversion":
        "<plist version=\"1.0\"><dict><key>_XCCurrentVersionName</key><string>C.xcdatamodel</string></dict></plist>",
      "Odd/A.xcdatamodel/contents": "", "Odd/.xccurrentversion": "A.xcdatamodel",
      "Old.xcdatamodel/elements": "bplist00",
      "Empty/README": "", "Loose/A.xcdatamodel/other": "",
    ])
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, sentence) in [
      "Two":
        "X: found 2 versions of a model and no .xccurrentversion; expected one of them: A.xcdatamodel, B.xcdatamodel",
      "Gone":
        "X/.xccurrentversion: found the current version \"C.xcdatamodel\", which is not there; expected one of them: A.xcdatamodel",
      "Odd":
        "X/.xccurrentversion: found other content; expected a property list with _XCCurrentVersionName, the current version",
      "Old.xcdatamodel":
        "X: found a model of Xcode 3; expected one that Xcode 4 or later saved, with the file contents",
      "Empty": "X: found a folder without a model; expected a .xcdatamodel, or a .xcdatamodeld with one in it",
      "Loose": "X/A.xcdatamodel/contents cannot be read: no such file or directory",
      "None": "X cannot be read: no such file or directory",
    ] {
      #expect(outcome(folder.appending(path: name)) == sentence)
    }
    for (content, sentence) in [
      "": "X: found an empty file; expected a model in XML",
      "<model>\n<entity name=\"A\">\n</model>": "X: found content that is not XML at line 3; expected a model in XML",
      "bplist00": "X: found a compiled model or a property list; expected a model in XML",
      "<plist/>": "X: found the XML element \"plist\"; expected model",
      "<model/>": "X: found no entity; expected at least one",
      "<model>\n<entity/></model>": "X: found a nameless entity at line 2; expected a name",
      "<!DOCTYPE model [<!ENTITY a \"aaaa\">]><model/>":
        "X: found XML with a document type; expected a model in XML, which has none",
      "<?xml version=\"1.0\" encoding=\"UTF-7\"?><model/>":
        "X: found content that is not text in UTF-8; expected a model in XML",
      // The second one crashed the process: an instruction without content, found by the fuzzer.
      "<model><?a b?></model>": "X: found XML with a processing instruction; expected a model in XML, which has none",
      "<?xmT?><model/>": "X: found XML with a processing instruction; expected a model in XML, which has none",
      "\u{FEFF}<?xml version='1.0' encoding='utf-8'?><model/>": "X: found no entity; expected at least one",
    ] {
      let file = folder.appending(path: "contents")
      try Data(content.utf8).write(to: file)
      #expect(outcome(file) == sentence)
    }
  }

  @Test("Infinite inheritance and oversized models are refused")
  func hostile() {
    let circle = "<entity name=\"A\" parentEntity=\"B\"/><entity name=\"B\" parentEntity=\"A\"/>"
    #expect(throws: MalformedContent.self) { try read(circle) }
    let deep = (1...100).map { "<entity name=\"E\($0)\" parentEntity=\"E\($0 - 1)\"/>" }.joined()
    #expect(throws: MalformedContent.self) { try read("<entity name=\"E0\"/>" + deep) }
    let many = (1...1_001).map { "<entity name=\"E\($0)\"/>" }.joined()
    #expect(throws: MalformedContent.self) { try read(many) }
    let wide = (1...2_001).map { "<attribute name=\"a\($0)\" attributeType=\"String\"/>" }.joined()
    #expect(throws: MalformedContent.self) { try read("<entity name=\"E\">\(wide)</entity>") }
    let nested = String(repeating: "<userInfo>", count: 10_000)
    #expect(throws: MalformedContent.self) { try read(nested) }
  }
}
