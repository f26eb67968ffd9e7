// A hash of everything that a scenario measures, so that results of different questions are never compared.
import BatchmarkEngine
internal import Foundation
import CoreDataModel
internal import ObjectGraph
internal import Support
import SystemPackage

extension Scenario {
  /// The 64-bit FNV-1a hash, in hexadecimal, of everything that determines what the cells measure: the model, the
  /// entity, the source, the links, the operation, the merge policy, the repeats and the pragmas.
  ///
  /// It does not cover names and descriptions, how often and how long to measure, and the cells, which results list
  /// individually. Of a feed it covers only the file name, because checking a scenario does not read the feed. Two
  /// feeds with one name are distinguished by the content hash of the stored rows.
  var computedFingerprint: String {
    var hash = FNV1a()
    for line in canonicalLines { hash.combine(line + "\n") }
    return hash.hexadecimal
  }

  /// The hash for a whole sweep.
  ///
  /// It covers every combination, in any order.
  static func fingerprint(of variants: [[String: ParameterValue]: Scenario]) -> String {
    var hash = FNV1a()
    for line in variants.map({ "swept \(Cell.text(of: $0.key)) \($0.value.fingerprint)" }).sorted() {
      hash.combine(line + "\n")
    }
    return hash.hexadecimal
  }

  private var canonicalLines: [String] {
    var lines = ["scenario fingerprint 1"] + model.canonicalLines
    lines.append("rows of \(entityNames.joined(separator: ","))")
    switch source {
    case .generate(let settings):
      lines.append("generate \(settings.rows) \(settings.seed) \(settings.duplicates.bitPattern)")
    case .feed(let path, let map):
      lines.append("feed \(FileName.last(of: path))")
      lines += map.sorted { $0.key < $1.key }.map { "map \($0.key) \($0.value.debugDescription)" }
    case .store(let path, _):
      lines.append("store \(FileName.last(of: path))")
    case .synthetic(let synthetic, _):
      lines.append("synthetic \(synthetic.seed) \(synthetic.scale)")
      lines += synthetic.profile.lines
      lines += synthetic.profile.entities.flatMap { entity in
        entity.recipes.map { "draw \(entity.name).\($0.canonicalText)" }
          + entity.links.map { "lead \(entity.name).\($0.canonicalText)" }
      }
    case .trees(let settings):
      lines.append("trees \(settings.rows) \(settings.levels) \(settings.fanOut) \(settings.seed)")
    }
    for link in links { lines.append("link \(link.relationship) \(link.attribute)") }
    if operation != .insert {
      lines.append("operation \(operation.kind.rawValue)")
      if let condition = operation.condition { lines.append("where \(condition.canonicalText)") }
      let query = operation.query
      if let among = query.among { lines.append("among \(among.attribute) \(among.count)") }
      if let order = query.order { lines.append("order \(order) \(query.isAscending)") }
      if query.isPart { lines.append("part \(query.offset) \(query.limit ?? 0)") }
      if !query.path.isEmpty { lines.append("follow \(query.path.joined(separator: "."))") }
      if let grouping = query.grouping { lines.append("group \(grouping)") }
      if pageCache != .warm { lines.append("page cache \(pageCache.rawValue)") }
      if let version = operation.version { lines += version.model.canonicalLines.map { "version \($0)" } }
      lines += operation.assignments.map { "set \($0.attribute) \($0.value.canonicalText)" }
    }
    if let list {
      lines.append("list by \(list.order) \(list.isAscending) in \(list.section ?? "none")")
      if let condition = list.condition { lines.append("list of \(condition.canonicalText)") }
    }
    lines.append("merge_policy \(mergePolicy?.mergeType.rawValue ?? "none")")
    lines.append("repeat \(repeats)")
    for pragma in pragmas { lines.append("pragma \(pragma.name) \(pragma.value)") }
    lines += beside.canonicalLines
    return lines
  }
}

extension ManagedObjectModel {
  /// One line for each entity and for each part of it.
  fileprivate var canonicalLines: [String] {
    var lines: [String] = []
    for entity in entities {
      let superentity = entity.superentityName.map { " superentity \($0)" } ?? ""
      lines.append("entity \(entity.name)\(superentity)\(entity.isAbstract ? " abstract" : "")")
      for attribute in entity.attributes {
        let presence = attribute.isOptional ? "optional" : "required"
        let kept = attribute.isTransient ? " transient" : ""
        let former = attribute.renamingIdentifier.map { " renamed \($0)" } ?? ""
        lines.append("attribute \(attribute.name) \(attribute.type.rawValue) \(presence)\(kept)\(former)")
        if !attribute.defaultValue.isNull { lines.append("default \(attribute.defaultValue.canonicalText)") }
        lines += attribute.validationRules.map(\.canonicalText)
      }
      lines += entity.relationships.map(\.canonicalText)
      lines += entity.fetchIndexes.map(\.canonicalText)
      for constraint in entity.uniquenessConstraints { lines.append("unique \(constraint.joined(separator: ","))") }
    }
    return lines
  }
}

extension AttributeValue {
  /// A text that is equal for equal values, on every machine.
  var canonicalText: String {
    switch self {
    case .null: "null"
    case .integer(let value): "\(value)"
    case .boolean(let value): "\(value)"
    case .real(let value): "\(value.bitPattern)"
    case .decimal(let value): value.description
    case .date(let value): "\(value.timeIntervalSinceReferenceDate.bitPattern)"
    case .string(let value): value.debugDescription
    case .binary(let value): value.base64EncodedString()
    case .uuid(let value): value.uuidString
    case .uri(let value): value.absoluteString
    // Neither defaults nor bounds of rules are objects.
    case .reference: "object"
    }
  }
}

extension ConcurrentWork {
  /// Empty if nothing else uses the store.
  fileprivate var canonicalLines: [String] {
    guard isThere else { return [] }
    let condition = query.condition.map { " where \($0.canonicalText)" } ?? ""
    return [
      "beside \(readers) \(writers) \(rate) \(transaction.rawValue) \(busyTimeout)",
      "beside query \(query.limit)\(condition)",
    ] + (place == .processes ? [] : ["beside in \(place.rawValue)"])
  }
}

extension RowCondition {
  fileprivate var canonicalText: String {
    switch self {
    case .comparison(let attribute, let comparison, let values):
      "(\(attribute) \(comparison.rawValue) \(values.map(\.canonicalText).joined(separator: ",")))"
    case .constant(let value): "\(value)"
    case .and(let terms): "and(\(terms.map(\.canonicalText).joined(separator: " ")))"
    case .or(let terms): "or(\(terms.map(\.canonicalText).joined(separator: " ")))"
    case .not(let term): "not(\(term.canonicalText))"
    }
  }
}

extension ValidationRule {
  fileprivate var canonicalText: String {
    switch self {
    case .range(let minimum, let maximum):
      "range \(minimum?.canonicalText ?? "none") \(maximum?.canonicalText ?? "none")"
    case .length(let minimum, let maximum):
      "length \(minimum.map(String.init) ?? "none") \(maximum.map(String.init) ?? "none")"
    case .pattern(let pattern): "pattern \(pattern.debugDescription)"
    }
  }
}

extension RelationshipDescription {
  fileprivate var canonicalText: String {
    "relationship \(name) \(destinationEntityName) \(inverseName ?? "none") \(isToMany) \(isOrdered) \(isOptional)"
      + " \(minimumCount) \(maximumCount) \(deleteRule.rawValue)"
  }
}

extension FetchIndexDescription {
  fileprivate var canonicalText: String {
    "index \(name) " + elements.map { "\($0.propertyName) \($0.isAscending)" }.joined(separator: ",")
  }
}

extension AttributeRecipe {
  fileprivate var canonicalText: String {
    let what =
      switch values {
      case .numbers(let numbers): "numbers \(numbers.lowest) \(numbers.highest) \(numbers.stepsPerUnit)"
      case .texts(let lengths, let characters):
        "texts \(lengths.lowerBound) \(lengths.upperBound) "
          + String(decoding: characters.flatMap { $0 }, as: UTF8.self).debugDescription
      case .uuids: "uuids"
      case .flags(let share): "flags \(share.bitPattern)"
      case .listed(let values): "values \(values.map(\.canonicalText).joined(separator: ","))"
      }
    return "\(name) \(what) \(nulls.canonicalText) \(distinct.map(String.init) ?? "any") \(distribution.canonicalText)"
  }
}

extension LinkRecipe {
  fileprivate var canonicalText: String {
    "\(name) \(destination) \(nulls.canonicalText) \(destinations.lowerBound) \(destinations.upperBound) "
      + distribution.canonicalText
  }
}

extension RowShare {
  fileprivate var canonicalText: String {
    switch self {
    case .count(let count): "\(count)"
    case .share(let share): "share \(share.bitPattern)"
    }
  }
}

extension ValueDistribution {
  fileprivate var canonicalText: String {
    switch self {
    case .uniform: "uniform"
    case .normal(let mean, let deviation): "normal \(mean.bitPattern) \(deviation.bitPattern)"
    case .zipf(let exponent): "zipf \(exponent.bitPattern)"
    }
  }
}
