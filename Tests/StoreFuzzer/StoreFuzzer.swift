// A coverage-guided fuzzer of what reads other people's files: libFuzzer calls it with bytes, and whatever they are, it must
// come back. `scripts/fuzz` builds and runs it; it is no part of other builds.
import Foundation

import SQLiteDriver

@testable import CoreDataFiles
@testable import CoreDataModel
@testable import ObjectGraph

/// What the bytes after the first are taken for.
private enum Target: UInt8, CaseIterable {
  case store, modelCache, archive, modelFile, propertyList
}

/// One file, made anew for each input.
private let path = FileManager.default.temporaryDirectory.path + "/fuzzed-\(getpid()).sqlite"

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafeRawPointer, _ count: Int) -> CInt {
  let input = UnsafeRawBufferPointer(start: start, count: count)
  guard let first = input.first, let target = Target(rawValue: first % UInt8(Target.allCases.count)) else { return 0 }
  let bytes = Array(input.dropFirst())
  switch target {
  case .store: readStore(bytes)
  case .modelCache: _ = try? RecoveredModel(modelCache: bytes, path: path)
  case .archive: _ = try? RecoveredModel(archive: bytes)
  case .modelFile: _ = try? RecoveredModel(xml: Data(bytes))
  case .propertyList: _ = try? PropertyList(binary: bytes)
  }
  return 0
}

/// Opens the bytes as a store, reads every object of every entity, and inspects it.
private func readStore(_ bytes: [UInt8]) {
  guard FileManager.default.createFile(atPath: path, contents: Data(bytes)) else { return }
  defer { try? FileManager.default.removeItem(atPath: path) }
  guard let file = try? StoreFile(path: path) else { return }
  let context = ManagedObjectContext(.privateQueue, coordinator: file.coordinator)
  context.performAndWait {
    for entity in file.recoveredModel.model.entities where !entity.isAbstract {
      guard let objects = try? context.fetch(FetchRequest(entityName: entity.name)) else { continue }
      for object in objects.prefix(100) {
        for relationship in file.recoveredModel.model.relationships(of: entity.name) {
          _ = try? object.objectIDs(forRelationshipNamed: relationship.name)
        }
      }
    }
  }
  try? file.close()
  _ = try? StoreInspection(of: path, withValues: true)
}

/// Writes what to begin with, when it is told where: `FUZZ_SEEDS`, and the folder of real stores, `FUZZ_STORES`.
@_cdecl("LLVMFuzzerInitialize")
public func prepare(_ count: UnsafeMutableRawPointer, _ arguments: UnsafeMutableRawPointer) -> CInt {
  let environment = ProcessInfo.processInfo.environment
  guard let seeds = environment["FUZZ_SEEDS"], let stores = environment["FUZZ_STORES"] else { return 0 }
  func write(_ target: Target, _ bytes: [UInt8], _ name: String) {
    let contents = Data([target.rawValue] + bytes)
    _ = FileManager.default.createFile(atPath: "\(seeds)/\(target)-\(name)", contents: contents)
  }
  for name in (try? FileManager.default.contentsOfDirectory(atPath: stores)) ?? [] {
    guard let data = FileManager.default.contents(atPath: "\(stores)/\(name)"), data.count < 64 << 10,
      let image = try? StoreImage(path: "\(stores)/\(name)"), let connection = try? image.connection()
    else { continue }
    write(.store, Array(data), name)
    let blobs = [
      (Target.modelCache, "SELECT Z_CONTENT FROM Z_MODELCACHE"), (.propertyList, "SELECT Z_PLIST FROM Z_METADATA"),
    ]
    for (target, sql) in blobs {
      guard let statement = try? connection.prepare(sql), (try? statement.step()) == true, let blob = statement.bytes(0)
      else { continue }
      write(target, Array(blob), name)
      if target == .modelCache, let archive = try? RawDeflate.inflate(Array(blob), limit: 1 << 20) {
        write(.archive, archive, name)
      }
    }
  }
  let model = """
    <?xml version="1.0" encoding="UTF-8"?><model type="com.apple.IDECoreDataModeler.DataModel"><entity name="Book">
    <attribute name="title" optional="YES" attributeType="String" maxValueString="10"/><relationship name="author"
    maxCount="1" deletionRule="Nullify" destinationEntity="Author" inverseName="books" inverseEntity="Author"/>
    </entity><entity name="Author" parentEntity="Person" isAbstract="YES"><relationship name="books" toMany="YES"
    deletionRule="Cascade" destinationEntity="Book" inverseName="author" inverseEntity="Book"/><uniquenessConstraints>
    <uniquenessConstraint><constraint value="name"/></uniquenessConstraint></uniquenessConstraints></entity><entity
    name="Person"><attribute name="name" attributeType="String" defaultValueString="x"/></entity></model>
    """
  write(.modelFile, Array(model.utf8), "library")
  return 0
}
