// What the fuzzer of Core Data's own formats begins with: real stores, and what stands in them.
import Foundation

import SQLiteDriver

@testable import CoreDataFiles

/// Writes what to begin with, when it is told where: `FUZZ_SEEDS`, and the folder of real stores, `FUZZ_STORES`.
@_cdecl("LLVMFuzzerInitialize")
public func prepare(_ count: UnsafeMutableRawPointer, _ arguments: UnsafeMutableRawPointer) -> CInt {
  let environment = ProcessInfo.processInfo.environment
  guard let seeds = environment["FUZZ_SEEDS"], let stores = environment["FUZZ_STORES"] else { return 0 }
  func write(_ target: Target, _ bytes: [UInt8], _ name: String) {
    let folder = "\(seeds)/\(target)"
    try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    _ = FileManager.default.createFile(atPath: "\(folder)/\(name)", contents: Data(bytes))
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
  return 0
}
