// Model versions that a scenario migrates to: their changes, and mistakes in them.
import BatchmarkEngine
import CoreDataModel
import MissionTags
import Testing

@testable import Scenarios

@Suite("D11 · versions of a scenario's model", .tags(.d11))
struct VersionTests {
  private func text(_ versions: String, version: String = "version: second", lines: String = "") -> String {
    """
    scenario: s
    model:
      Quake:
        attributes:
          code: {type: string}
          place: {type: string, optional: true}
          time: {type: date}
        unique: [[code]]
        indexes: {by_time: [time]}
    source: {generate: {rows: 10}}
    operation: migrate
    versions: {\(versions)}
    \(version)
    \(lines)
    cells: [{strategy: infer}, {engine: sqlite, strategy: copy-table}]

    """
  }

  private func quake(_ versions: String) throws -> EntityDescription {
    let version = try #require(try read(text(versions)).operation.version)
    return try #require(version.model["Quake"])
  }

  @Test("A version is the model with the parts that it adds, renames, replaces and leaves out")
  func changes() throws {
    let added = try quake("second: {Quake: {attributes: {remark: {type: string, optional: true}}}}")
    #expect(added.attributes.map(\.name) == ["code", "place", "time", "remark"])
    #expect(added.uniquenessConstraints == [["code"]] && added.fetchIndexes.map(\.name) == ["by_time"])
    let renamed = try quake(
      "second: {Quake: {attributes: {location: {type: string, optional: true, renamed_from: place}}}}")
    #expect(renamed.attributes.map(\.name) == ["code", "time", "location"])
    #expect(renamed.attribute(named: "location")?.renamingIdentifier == "place")
    let less = try quake(
      "second: {Quake: {without: [place], indexes: {}, attributes: {time: {type: date, optional: true}}}}")
    #expect(less.attributes.map(\.name) == ["code", "time"] && less.fetchIndexes.isEmpty)
    #expect(less.attribute(named: "time")?.isOptional == true)
    let scenario = try read(text("second: {Station: {attributes: {name: {type: string}}}}"))
    #expect(scenario.operation.version?.model.entities.map(\.name).sorted() == ["Quake", "Station"])
    #expect(scenario.model.entities.map(\.name) == ["Quake"])
  }

  @Test("A sweep can compare versions, and other changes are another question")
  func sweep() throws {
    let two = "one: {Quake: {without: [place]}}, two: {Station: {attributes: {name: {type: string}}}}"
    let scenario = try read(text(two, version: "sweep: {version: [one, two]}"))
    #expect(scenario.cells.count == 4 && scenario.variants.count == 2)
    #expect(Set(scenario.cells.map { scenario.variant(for: $0).operation.version?.name }) == ["one", "two"])
    let fingerprints = try ["{without: [place]}", "{without: [time], indexes: {}}"].map {
      try read(text("second: {Quake: \($0)}")).fingerprint
    }
    #expect(Set(fingerprints).count == 2)
  }

  @Test("A former name belongs to one attribute of the model, and no other attribute may take it")
  func renames() throws {
    let second = { (attributes: String) in "second: {Quake: {attributes: {\(attributes)}}}" }
    let location = "location: {type: string, optional: true, renamed_from: place}"
    let place = "place: {type: string, optional: true, renamed_from: "
    func found(_ attributes: String) -> [String] { complaints(text(second(attributes))) }
    // A renamed attribute may get the name of a removed one.
    let over = try quake(
      "second: {Quake: {indexes: {}, attributes: {time: {type: string, optional: true, renamed_from: place}}}}")
    #expect(over.attributes.map(\.name) == ["code", "time"])
    #expect(
      found("location: {type: string, optional: true, renamed_from: plcae}").contains {
        $0.hasSuffix(
          "found the former name 'plcae', which no attribute of Quake has; expected an attribute of Quake; "
            + "did you mean 'place'?")
      })
    let taken = "found the former name 'place', which the version gives to another property"
    for attributes in [
      "\(location), place: {type: int32, optional: true}", "place: {type: int32, optional: true}, \(location)",
    ] {
      #expect(found(attributes).contains { $0.contains(taken) }, "\(attributes)")
    }
    #expect(found("\(location), \(place)code}").contains { $0.contains(taken) })
    #expect(
      found("\(location), site: {type: string, optional: true, renamed_from: place}").contains {
        $0.contains("found the former name 'place' a second time; expected each former name once")
      })
    let base = text("second: {Quake: {without: [time], indexes: {}}}").replacing(
      "place: {type: string, optional: true}", with: "\(place)site}")
    #expect(
      complaints(base).contains {
        $0.contains(
          "found the key 'renamed_from' in the model that the store is made with; expected it in 'versions' alone")
      })
  }

  @Test("Mistakes in a version are reported at their location")
  func wrong() {
    func found(_ versions: String, version: String = "version: second", lines: String = "") -> String {
      complaints(text(versions, version: version, lines: lines)).joined(separator: "\n")
    }
    let right = "second: {Quake: {without: [place]}}"
    #expect(found("").contains("found no version"))
    #expect(found(right, version: "").contains("found no key 'version'; expected one, such as version: second"))
    #expect(found(right, version: "version: secnd").contains("found the version 'secnd'; expected second"))
    #expect(
      found("second: {Quake: {without: [plac]}}").contains("found the property 'plac', which Quake does not have"))
    #expect(found("second: {Quake: {attributes: {time: {type: int64}}}}").contains("no store can be migrated to"))
    #expect(found("second: {Quake: {atributes: {}}}").contains("did you mean 'attributes'?"))
    #expect(found(right, lines: "where: place == nil").contains("found the key 'where' with the operation migrate"))
    #expect(found(right, lines: "indexes: none").contains("found the key 'indexes' with the operation migrate"))
    let inserting = text(right).replacing("operation: migrate", with: "operation: insert").replacing(
      "infer", with: "save")
    #expect(complaints(inserting).joined().contains("found the key 'versions' with the operation insert"))
  }
}
