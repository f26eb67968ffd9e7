// The text of an inspection's facts: the file, its history, the values of an attribute.

internal import Analysis

extension StoreInspection {
  /// Facts about the file as a whole.
  var fileFacts: [(name: String, text: String)] {
    let free =
      file.freePages == 0
      ? "none free" : "\(Digits.grouped(file.freePages)) free (\(InspectionPage.percent(file.freeShare)))"
    let hashes =
      metadata.entitiesWithoutHash.isEmpty && metadata.hashesWithoutEntity.isEmpty && metadata.versionHashes > 0
      ? "version hashes of all its entities"
      : "version hashes of \(counted(metadata.versionHashes, "entity", "entities"))"
    let identifiers = metadata.modelVersionIdentifiers.filter { !$0.isEmpty }
    return [
      ("file", "\(HumanUnits.bytes(file.bytes)) (\(Digits.grouped(file.bytes)) bytes)"),
      ("pages", "\(Digits.grouped(file.pages)) of \(Digits.grouped(file.pageSize)) bytes, \(free)"),
      (
        "journal",
        (file.journalMode == "wal" ? "write-ahead log" : "rollback journal") + ", by bytes 18 and 19 of the file"
      ),
      ("WAL", writeAheadLog?.words ?? "none beside the file"),
      ("vacuum", "\(file.autoVacuum), text in \(file.encoding)"),
      (
        "Core Data",
        metadata.frameworkVersion.map { "framework version \($0)" } ?? "unknown framework version"
      ),
      ("store", metadata.uuid ?? "without an identifier"),
      (
        "model",
        "from the \(model.origin == .schema ? "tables" : model.origin.rawValue)"
          + (model.origin == .modelCache ? metadata.modelCacheBytes.map { " (\(HumanUnits.bytes($0)))" } ?? "" : "")
          + "; \(hashes)"
          + (identifiers.isEmpty ? "" : "; version \(identifiers.joined(separator: ", "))")
      ),
    ]
  }

  private func counted(_ count: Int, _ one: String, _ more: String) -> String {
    "\(Digits.grouped(count)) \(count == 1 ? one : more)"
  }
}

extension StoreInspection.WriteAheadLog {
  fileprivate var words: String {
    let memory = sharedMemoryBytes.map { "with shared memory of \(HumanUnits.bytes($0))" } ?? "without shared memory"
    guard let pageSize else { return "\(HumanUnits.bytes(bytes)), empty, \(memory)" }
    return
      "\(HumanUnits.bytes(bytes)), \(memory): \(HumanUnits.counted(Int(clamping: frames), "frame")) of "
      + "\(Digits.grouped(pageSize)) bytes, \(Digits.grouped(committedFrames)) of them committed; "
      + "which of those the file already has is not recorded"
  }
}

extension StoreInspection.History {
  var facts: [(name: String, text: String)] {
    let times = first.flatMap { first in last.map { first == $0 ? ", at \(first)" : ", from \(first) to \($0)" } }
    var facts = [
      ("transactions", Digits.grouped(transactions) + (times ?? "")),
      (
        "changes",
        "\(Digits.grouped(changes)): \(Digits.grouped(inserts)) inserted, \(Digits.grouped(updates)) updated, "
          + "\(Digits.grouped(deletes)) deleted"
      ),
      ("strings", strings.map { Digits.grouped($0) } ?? "kept in the transactions, as in 2017"),
    ]
    if let bytes { facts.append(("size", "\(HumanUnits.bytes(bytes)), \(InspectionPage.percent(share)) of the file")) }
    return facts.map { (name: $0.0, text: $0.1) }
  }
}

extension StoreInspection.Attribute {
  /// The number of distinct values, their range, and the most frequent ones.
  var valueTexts: [String] {
    guard let values else { return ["", "", ""] }
    let unit = type == .string || type == .uri ? "characters" : "bytes"
    var range = ""
    if let least = values.least, let greatest = values.greatest {
      range = least == greatest ? least : "\(least) to \(greatest)"
    } else if let shortest = values.shortest, let longest = values.longest {
      range = "\(shortest == longest ? "\(shortest)" : "\(shortest) to \(longest)") \(unit)"
    }
    let frequent = values.mostFrequent.map { "\($0.value) (\(Digits.grouped($0.rows)))" }
    return [Digits.grouped(values.distinct), range, frequent.joined(separator: ", ")]
  }
}
