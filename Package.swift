// swift-tools-version: 6.2
// The modules of Batchmark and ObjectGraph, bottom up; README.md has the tour.
import PackageDescription

/// The thread sanitizer and jemalloc do not go together: BATCHMARK_SANITIZE=1 builds without jemalloc.
let sanitizing = Context.environment["BATCHMARK_SANITIZE"] == "1"
let allocator: [Target.Dependency] = sanitizing ? [] : ["CJemalloc"]

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

let package = Package(
  name: "Batchmark",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "ObjectGraph", targets: ["ObjectGraph"]),
    .library(name: "SQLiteDriver", targets: ["SQLiteDriver"]),
    .library(name: "BatchmarkCLI", targets: ["BatchmarkCLI"]),
    .library(name: "CAllocationMeter", type: .dynamic, targets: ["CAllocationMeter"]),
    .executable(name: "batchmark", targets: ["batchmark"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", exact: "1.0.2", traits: []),
  ],
  targets: [
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(
      name: "CJemalloc", pkgConfig: "jemalloc",
      providers: [.apt(["libjemalloc-dev"]), .brew(["jemalloc"])]),
    .target(name: "CAllocationMeter", dependencies: allocator),

    module("SQLiteDriver", ["CSQLite"]),
    module("ObjectGraph", ["SQLiteDriver"]),
    .target(
      name: "Instruments", dependencies: allocator + ["SQLiteDriver"],
      swiftSettings: strict + (sanitizing ? [.define("BATCHMARK_SANITIZE")] : [])),
    module("Statistics"),
    module("Scenarios", ["ObjectGraph", .product(name: "Yams", package: "Yams")]),
    module("Workloads", ["Scenarios", "ObjectGraph", "Instruments"]),
    module("Engines", ["Workloads", "ObjectGraph", "SQLiteDriver"]),
    module(
      "Harness",
      ["Workloads", "Statistics", .product(name: "Subprocess", package: "swift-subprocess")]),
    module("Reports", ["Harness", "Statistics"]),
    module(
      "BatchmarkCLI",
      ["Reports", "Harness", .product(name: "ArgumentParser", package: "swift-argument-parser")]),
    .executableTarget(
      name: "batchmark", dependencies: ["BatchmarkCLI", "Engines"], swiftSettings: strict),
  ]
)
