// B8: scenarios with linked rows, and every mistake in them.
import MissionTags
import ObjectGraph
import BatchmarkEngine
import Scenarios
import Testing

@Suite("B8 · links in scenarios", .tags(.b8))
struct LinkTests {
  /// A scenario with quakes that are linked to their networks.
  private static let text = """
    scenario: quakes
    model:
      Quake:
        attributes:
          code: {type: string}
          net: {type: string, optional: true}
          magnitude: {type: double, optional: true}
        relationships:
          network: {to: Network, inverse: quakes}
          aftershocks: {to: Quake, inverse: main, many: true}
          main: {to: Quake, inverse: aftershocks}
      Network:
        attributes:
          code: {type: string}
        relationships:
          quakes: {to: Quake, inverse: network, many: true}
        unique: [[code]]
    entity: Quake
    source: {generate: {rows: 100}}
    link: {network: net}
    cells:
      - {strategy: save}
      - {strategy: batch-dictionary, link_every: 10}
      - {engine: sqlite, strategy: insert}
    """

  /// The scenario with one text replaced by another; the scenario must contain it.
  private func changed(
    _ old: String, _ new: String, in text: String = LinkTests.text, sourceLocation: SourceLocation = #_sourceLocation
  ) -> String {
    #expect(text.contains(old), "the scenario has no \(old)", sourceLocation: sourceLocation)
    return text.replacing(old, with: new)
  }

  private func place(of word: String, in text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard let line = lines.lastIndex(where: { $0.contains(word) }), let range = lines[line].firstRange(of: word) else {
      return "nowhere"
    }
    return "\(line + 1):\(lines[line].distance(from: lines[line].startIndex, to: range.lowerBound) + 1)"
  }

  @Test(
    "A link has the relationship, the attribute with the destination's name, and the attribute that names destinations")
  func link() throws {
    let scenario = try read(LinkTests.text)
    #expect(scenario.links == [Link("network", by: "net", to: "Network", named: "code")])
    #expect(scenario.cells.map(\.parametersText) == ["", "link_every=10", ""])
    #expect(try read(changed("link: {network: net}", "").replacing(", link_every: 10", with: "")).links.isEmpty)
  }

  @Test("The links of rows are part of the scenario's question")
  func fingerprint() throws {
    let other = changed(
      "net: {type: string, optional: true}", "net: {type: string, optional: true}\n      type: {type: string}")
    let texts = [
      LinkTests.text, changed("link: {network: net}", "").replacing(", link_every: 10", with: ""), other,
      changed("link: {network: net}", "link: {network: type}", in: other),
    ]
    #expect(try Set(texts.map { try read($0).fingerprint }).count == 4)
  }

  @Test("The number of rows to link at a time applies to all cells that have it, and can be swept")
  func pieces() throws {
    #expect(try read(LinkTests.text, "link_every=all").cells.map(\.parametersText) == ["", "link_every=all", ""])
    let swept = changed(", link_every: 10", "") + "\nsweep: {link_every: [100, 1_000, all]}"
    #expect(
      try read(swept).cells.map(\.id) == [
        "quakes/objectgraph/save", "quakes/objectgraph/batch-dictionary[link_every=100]",
        "quakes/objectgraph/batch-dictionary", "quakes/objectgraph/batch-dictionary[link_every=all]",
        "quakes/sqlite/insert",
      ])
  }

  @Test(
    "An invalid link is reported at its location",
    arguments: [
      (
        "[network]", "[network]",
        "a list; expected a mapping of relationships and the attributes that say where they lead, such as {network: net}"
      ),
      (
        "{}", "{}",
        "no relationship; expected a mapping of relationships and the attributes that say where they lead, such as "
          + "{network: net}"
      ),
      (
        "{netwrk: net}", "netwrk",
        "the relationship 'netwrk'; expected one of network, aftershocks, main; did you mean 'network'?"
      ),
      (
        "{aftershocks: net}", "aftershocks",
        "the relationship 'aftershocks', which is to-many; expected a to-one relationship of Quake"
      ),
      (
        "{main: net}", "main",
        "the relationship 'main' to 'Quake', whose rows the source gives; expected a relationship to another entity, which "
          + "has a row for each name"
      ),
      (
        "{network: nett}", "nett",
        "the attribute 'nett'; expected one of code, net, magnitude; did you mean 'net'?"
      ),
      (
        "{network: magnitude}", "magnitude",
        "the attribute 'magnitude', which is of type double; expected an attribute of type string, whose values name objects"
      ),
    ])
  func wrongLink(link: String, word: String, complaint: String) {
    let text = changed("link: {network: net}", "link: \(link)")
    let line = text.split(separator: "\n").first { $0.hasPrefix("link:") } ?? ""
    let column = line.firstRange(of: word).map { line.distance(from: line.startIndex, to: $0.lowerBound) + 1 } ?? 0
    #expect(complaints(text) == ["Scenarios/x.yml:20:\(column): found " + complaint])
  }
}

extension LinkTests {
  @Test(
    "A name must be enough to make a row of the destination",
    arguments: [
      (
        "code: {type: string}\n    relationships:\n      quakes",
        "code: {type: int32}\n    relationships:\n      quakes",
        "which a name alone does not make a row of; expected an entity of one attribute, a string that is unique: "
          + "attributes: {code: {type: string}} and unique: [[code]]"
      ),
      (
        "code: {type: string}\n    relationships:\n      quakes",
        "code: {type: string}\n      size: {type: int32}\n    relationships:\n      quakes",
        "which a name alone does not make a row of; expected an entity of one attribute, a string that is unique: "
          + "attributes: {code: {type: string}} and unique: [[code]]"
      ),
      (
        "\n    unique: [[code]]", "",
        "which a name alone does not make a row of; expected an entity of one attribute, a string that is unique: "
          + "attributes: {code: {type: string}} and unique: [[code]]"
      ),
      (
        "inverse: network, many: true", "inverse: network",
        "whose 'quakes' is to-one; expected an inverse that is to-many and without order, or inverse: null"
      ),
      (
        "inverse: network, many: true", "inverse: network, many: true, ordered: true",
        "whose 'quakes' is ordered; expected an inverse that is to-many and without order, or inverse: null"
      ),
      (
        "inverse: network, many: true", "inverse: network, many: true, optional: false",
        "whose relationship 'quakes' is required; expected optional: true, since rows are stored before they are linked"
      ),
      (
        "entity: Quake", "  Region:\n    parent: Network\nentity: Quake",
        "which is part of an inheritance; expected an entity without parent and children that is not abstract"
      ),
    ])
  func wrongDestination(old: String, new: String, complaint: String) {
    let text = changed(old, new)
    #expect(
      complaints(text) == [
        "Scenarios/x.yml:\(place(of: "network: net}", in: text)): found the relationship 'network' to 'Network', "
          + complaint
      ])
  }

  @Test("An entity without relationships cannot be linked, and two links to one entity are refused")
  func otherLinks() {
    #expect(
      complaints(validScenario.replacing("duplicates: 5%", with: "duplicates: 0%") + "\nlink: {network: code}") == [
        "Scenarios/x.yml:19:8: found the relationship 'network', while Quake has none; expected relationships: in Quake, "
          + "such as {network: {to: Network, inverse: null}}"
      ])
    let text = changed("      aftershocks", "      other: {to: Network, inverse: null}\n      aftershocks")
    #expect(
      complaints(changed("link: {network: net}", "link: {network: net, other: code}", in: text)) == [
        "Scenarios/x.yml:21:22: found the relationship 'other', which leads to Network as 'network' does; expected another "
          + "entity for each link"
      ])
  }

  @Test("A mistake in the model is reported once, and not again by the link")
  func modelMistakes() {
    let texts = [
      changed("net: {type: string, optional: true}", "net: {type: strin, optional: true}"),
      changed("network: {to: Network, inverse: quakes}", "network: {to: Netwrk, inverse: quakes}"),
    ]
    for text in texts {
      let found = complaints(text)
      #expect(!found.isEmpty && found.allSatisfy { !$0.hasPrefix("Scenarios/x.yml:20:") }, "\(found)")
    }
  }

  @Test("Keys that cannot be combined with links are refused by name")
  func combinations() {
    #expect(
      complaints(changed("{rows: 100}", "{rows: 100, duplicates: 5%}") + "\nmerge_policy: object_trump").contains(
        "Scenarios/x.yml:19:44: found duplicates of 5% with the key 'link'; expected duplicates: 0%, so that every row is "
          + "linked once"))
    #expect(
      complaints(LinkTests.text + "\nmerge_policy: object_trump\nrepeat: 2").contains(
        "Scenarios/x.yml:26:9: found a repeat of 2 with the key 'link'; expected repeat: 1, so that every row is linked once"
      ))
    #expect(
      complaints(changed("{strategy: save}", "{strategy: save, merge: changes}")) == [
        "Scenarios/x.yml:22:5: found merge: changes of the cell quakes/objectgraph/save[merge=changes] with the key 'link'; "
          + "expected merge: none, since an observer is notified of the source's rows alone"
      ])
    #expect(
      complaints(changed("{engine: sqlite, strategy: insert}", "{engine: grdb, strategy: record}")) == [
        "Scenarios/x.yml:24:5: found the strategy 'record' of the engine grdb with the key 'link', which it does not know; "
          + "expected an engine that links rows, such as objectgraph"
      ])
    #expect(
      complaints(changed("link: {network: net}\n", "")) == [
        "Scenarios/x.yml:22:5: found the key 'link_every' without the key 'link'; expected link: and what the rows are linked "
          + "to, such as {network: net}, or no such key"
      ])
    let delete = changed("{strategy: batch-dictionary, link_every: 10}", "{strategy: batch-delete}")
      .replacing("strategy: insert", with: "strategy: delete")
    #expect(
      complaints(delete + "\noperation: delete") == [
        "Scenarios/x.yml:20:7: found the key 'link' with the operation delete; expected operation: insert, or no such key"
      ])
  }

  @Test("Relationships cannot be left out if rows are linked, or if the model has none")
  func relationships() {
    let engine = NamedEngine(
      name: "objectgraph",
      strategies: [strategy("save", parameters: [ParameterKey.relationships], relationships: .withRows)])
    func complaints(_ text: String) -> [String] {
      do {
        _ = try ScenarioReader(schema: ScenarioSchema(engines: [engine])).read(text: text, file: "x.yml")
        return []
      } catch {
        return error.errors.map(\.description)
      }
    }
    let cells =
      "  - {strategy: save}\n  - {strategy: batch-dictionary, link_every: 10}\n  - {engine: sqlite, strategy: insert}"
    let text = changed(cells, "  - {strategy: save, relationships: none}")
    #expect(
      complaints(text) == [
        "x.yml:22:5: found the key 'relationships' with the key 'link'; expected no such key, since the scenario links its "
          + "rows"
      ])
    #expect(
      complaints(changed("link: {network: net}\n", "", in: text)) == [
        "x.yml:21:5: found the key 'relationships' with rows of one entity; expected synthetic rows or those of a store, "
          + "without an 'entity' in the source, or no such key"
      ])
    #expect(complaints(changed(", relationships: none", ", relationships: all", in: text)).isEmpty)
  }
}
