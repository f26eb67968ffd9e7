// The initial inputs of the fuzzer for Core Data's own formats: the tests' stores and their contents.
import Foundation

import SQLiteDriver
import StoreFixtures

@testable import CoreDataFiles

/// Writes the initial inputs to the folder in `FUZZ_SEEDS`.
@_cdecl("LLVMFuzzerInitialize")
public func prepare(_ count: UnsafeMutableRawPointer, _ arguments: UnsafeMutableRawPointer) -> CInt {
  guard let seeds = ProcessInfo.processInfo.environment["FUZZ_SEEDS"] else { return 0 }
  func write(_ target: Target, _ bytes: [UInt8], _ name: String) {
    let folder = "\(seeds)/\(target)"
    try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    _ = FileManager.default.createFile(atPath: "\(folder)/\(name)", contents: Data(bytes))
  }
  for store in SampleStore.all {
    guard let path = try? store.path, let data = FileManager.default.contents(atPath: path), data.count < 256 << 10,
      let image = try? StoreImage(path: path), let connection = try? image.connection()
    else { continue }
    write(.store, Array(data), store.name)
    let blobs = [
      (Target.modelCache, "SELECT Z_CONTENT FROM Z_MODELCACHE"), (.propertyList, "SELECT Z_PLIST FROM Z_METADATA"),
    ]
    for (target, sql) in blobs {
      guard let statement = try? connection.prepare(sql), (try? statement.step()) == true, let blob = statement.bytes(0)
      else { continue }
      write(target, Array(blob), store.name)
      if target == .modelCache, let archive = try? RawDeflate.inflate(Array(blob), limit: 1 << 20) {
        write(.archive, archive, store.name)
      }
    }
  }
  return 0
}
