// swift-tools-version: 6.2
// The modules of Batchmark and ObjectGraph, bottom up; Documentation/Architecture.md has the tour.
import PackageDescription

/// The thread sanitizer and jemalloc do not go together: BATCHMARK_SANITIZE=1 builds without jemalloc.
let sanitizing = Context.environment["BATCHMARK_SANITIZE"] == "1"
let allocator: [Target.Dependency] = sanitizing ? [] : ["CJemalloc"]
/// BATCHMARK_UNDEFINED=1 builds the C sources with traps for undefined behavior.
let undefinedTraps =
  Context.environment["BATCHMARK_UNDEFINED"] == "1"
  ? [CSetting.unsafeFlags(["-fsanitize=undefined", "-fsanitize-trap=undefined"])] : []

let strict: [SwiftSetting] =
  [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
  ] + (sanitizing ? [.define("BATCHMARK_SANITIZE")] : [])

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let system = Target.Dependency.product(name: "SystemPackage", package: "swift-system")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")

func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

/// Tests of a release build are not optimized themselves: that would take them longer than it saves.
let unoptimized = [SwiftSetting.unsafeFlags(["-Onone"], .when(configuration: .release))]

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
  .testTarget(
    name: name, dependencies: ["MissionTags"] + dependencies, exclude: exclude, swiftSettings: strict + unoptimized)
}

/// An executable that only tests start.
func testProgram(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(name: name, dependencies: dependencies, path: "Tests/\(name)", swiftSettings: strict + unoptimized)
}

let package = Package(
  name: "Batchmark",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "CoreDataModel", targets: ["CoreDataModel"]),
    .library(name: "ObjectGraph", targets: ["ObjectGraph", "CoreDataModel"]),
    .library(name: "CoreDataFiles", targets: ["CoreDataFiles"]),
    .library(name: "SQLiteDriver", targets: ["SQLiteDriver"]),
    // What a custom engine imports, and what else an executable with such an engine needs.
    .library(name: "BatchmarkEngine", targets: ["BatchmarkEngine"]),
    .library(name: "BatchmarkCLI", targets: ["BatchmarkCLI", "Engines"]),
    // Libraries that are preloaded. SwiftPM links them with Swift's runtime; PreloadList keeps that from catching crashes.
    .library(name: "CAllocationMeter", type: .dynamic, targets: ["CAllocationMeter"]),
    .library(name: "CStoreMeter", type: .dynamic, targets: ["CStoreMeter", "CStoreMeterPreload"]),
    .library(name: "CProgramAllocationMeter", type: .dynamic, targets: ["CProgramAllocationMeter"]),
    .executable(name: "batchmark", targets: ["batchmark"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
  ],
  targets: [
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(
      name: "CJemalloc", pkgConfig: "jemalloc",
      providers: [.apt(["libjemalloc-dev"]), .brew(["jemalloc"])]),
    // No target depends on it: linked statically, it would be the process's malloc. It is a product, and preloaded.
    .target(
      name: "CAllocationMeter", dependencies: allocator,
      cSettings: [.treatAllWarnings(as: .error)] + (sanitizing ? [.define("BATCHMARK_SANITIZE")] : []) + undefinedTraps),
    // The same for programs of others, over the allocator that they have. It is preloaded too.
    .target(name: "CProgramAllocationMeter", cSettings: [.treatAllWarnings(as: .error)] + undefinedTraps),
    // The meter of SQLite, and what attaches it where it is preloaded. Neither is linked to a SQLite library.
    .target(name: "CStoreMeter", cSettings: [.treatAllWarnings(as: .error)] + undefinedTraps),
    .target(
      name: "CStoreMeterPreload", dependencies: ["CStoreMeter"],
      cSettings: [.treatAllWarnings(as: .error)] + undefinedTraps),
    // The meter's way to the SQLite library that this process is linked to.
    .target(
      name: "CStoreMeterLinked", dependencies: ["CStoreMeter", "CSQLite"],
      cSettings: [.treatAllWarnings(as: .error)] + undefinedTraps),

    module("Support"),
    module("SQLiteDriver", ["Support", "CSQLite", "CStoreMeter", "CStoreMeterLinked"]),
    module("CoreDataModel", ["Support"]),
    module("ObjectGraph", ["CoreDataModel", "SQLiteDriver", "Support"]),
    module("CoreDataFiles", ["ObjectGraph", "CoreDataModel", "SQLiteDriver", "Support", "CZlib"]),
    module("Statistics", ["Support"]),
    module("Charts"),
    module("BatchmarkEngine", ["ObjectGraph", "CoreDataModel", "SQLiteDriver", "Support"]),
    module("Instruments", allocator + ["CStoreMeter", "BatchmarkEngine", "SQLiteDriver", "Support"]),
    module(
      "Scenarios", ["BatchmarkEngine", "CoreDataFiles", "ObjectGraph", "CoreDataModel", "Support", yams, system]),
    module(
      "Programs",
      [
        "BatchmarkEngine", "Scenarios", "Instruments", "ObjectGraph", "CoreDataModel", "SQLiteDriver", "Support",
        system,
      ]),
    module("Engines", ["BatchmarkEngine", "ObjectGraph", "CoreDataModel", "SQLiteDriver", grdb]),
    module(
      "Harness",
      [
        "BatchmarkEngine", "Scenarios", "Programs", "CoreDataFiles", "ObjectGraph", "CoreDataModel", "Instruments",
        "SQLiteDriver", "Statistics", "Support", system,
      ]),
    module(
      "Analysis",
      [
        "Harness", "BatchmarkEngine", "Scenarios", "CoreDataFiles", "ObjectGraph", "CoreDataModel",
        "Instruments", "Statistics", "Support", system,
      ]),
    module("Reports", ["Analysis", "Charts", "Support"]),
    module(
      "BatchmarkCLI",
      [
        "Reports", "Analysis", "Harness", "Programs", "BatchmarkEngine", "Scenarios", "CoreDataFiles", "ObjectGraph",
        "CoreDataModel", "Instruments", "SQLiteDriver", "Statistics", "Support", argumentParser, system,
      ]),
    .executableTarget(name: "batchmark", dependencies: ["BatchmarkCLI", "Engines"], swiftSettings: strict),

    .target(name: "MissionTags", path: "Tests/MissionTags", swiftSettings: strict),
    // Stores and feeds that the tests write themselves, and those that lie beside the package where they are.
    .target(
      name: "StoreFixtures", dependencies: ["CoreDataFiles", "CoreDataModel", "SQLiteDriver", "CZlib"],
      path: "Tests/StoreFixtures",
      swiftSettings: strict),
    tests("SQLiteDriverTests", ["SQLiteDriver", "Support", "CSQLite"]),
    tests("CoreDataModelTests", ["CoreDataModel"]),
    // What tests of stores share: a stack on a store of its own, copies of stores, questions in plain SQL.
    .target(
      name: "ObjectGraphFixtures", dependencies: ["StoreFixtures", "ObjectGraph", "CoreDataModel", "SQLiteDriver"],
      path: "Tests/ObjectGraphFixtures", swiftSettings: strict),
    tests(
      "ObjectGraphTests",
      [
        "ObjectGraphFixtures", "StoreFixtures", "CoreDataFiles", "ObjectGraph", "CoreDataModel", "SQLiteDriver",
        "Support", "CSQLite", "CZlib",
      ],
      exclude: ["CompileFixtures"]),
    tests(
      "CoreDataFilesTests",
      [
        "ObjectGraphFixtures", "StoreFixtures", "CoreDataFiles", "ObjectGraph", "CoreDataModel", "SQLiteDriver",
        "Support", "CZlib",
      ]),
    tests("BatchmarkEngineTests", ["BatchmarkEngine", "CoreDataModel", "Support"]),
    testProgram("StoreProcess", ["ObjectGraph", "CoreDataModel", "SQLiteDriver", "Support"]),
    testProgram("FaultProcess", ["ObjectGraph", "CoreDataModel", "SQLiteDriver", "CSQLite"]),
    tests("StoreProcessTests", ["StoreProcess", "FaultProcess", "SQLiteDriver", "Support"]),
    testProgram("MeterProbe", ["Instruments", "BatchmarkEngine", "SQLiteDriver", "Support", "CSQLite"]),
    // A program that uses SQLite from C, to be watched.
    .executableTarget(
      name: "WatchProbe", dependencies: ["CSQLite"], path: "Tests/WatchProbe",
      cSettings: [.treatAllWarnings(as: .error)] + undefinedTraps),
    tests(
      "InstrumentsTests", ["Instruments", "BatchmarkEngine", "SQLiteDriver", "Support", "MeterProbe", "WatchProbe"]),
    tests("StatisticsTests", ["Statistics", "Support"]),
    tests("ChartsTests", ["Charts", "Support"]),
    tests(
      "ScenariosTests", ["StoreFixtures", "BatchmarkEngine", "Scenarios", "ObjectGraph", "CoreDataModel", "Support"]),
    tests(
      "EnginesTests",
      [
        "StoreFixtures", "Engines", "Harness", "BatchmarkEngine", "Scenarios", "CoreDataFiles", "ObjectGraph",
        "CoreDataModel", "Instruments", "SQLiteDriver", "CSQLite", "Statistics", grdb,
      ]),
    tests(
      "ProgramsTests",
      [
        "Programs", "Harness", "BatchmarkEngine", "CoreDataModel", "Instruments", "Scenarios", "SQLiteDriver",
        "Support",
      ]),
    // What tests of the harness and of the analysis share.
    .target(
      name: "HarnessFixtures",
      dependencies: ["Harness", "BatchmarkEngine", "ObjectGraph", "CoreDataModel", "Instruments"],
      path: "Tests/HarnessFixtures", swiftSettings: strict),
    tests(
      "HarnessTests",
      [
        "HarnessFixtures", "Analysis", "Harness", "Programs", "BatchmarkEngine", "Scenarios", "Statistics",
        "Instruments",
        "Support",
      ],
      exclude: ["Kept"]),
    tests(
      "AnalysisTests",
      [
        "HarnessFixtures", "Analysis", "Harness", "BatchmarkEngine", "Scenarios", "Statistics",
        "Instruments", "Support",
      ]),
    tests(
      "ReportsTests",
      [
        "StoreFixtures", "Reports", "Charts", "Analysis", "Harness", "BatchmarkEngine", "Scenarios", "CoreDataFiles",
        "SQLiteDriver", "Statistics", "Instruments", "Support",
      ],
      exclude: ["Golden", "Kept"]),
    .target(
      name: "CFileFaults", path: "Tests/CFileFaults", cSettings: [.treatAllWarnings(as: .error)]),
    testProgram(
      "FaultyEngines",
      ["BatchmarkCLI", "Engines", "BatchmarkEngine", "SQLiteDriver", "CSQLite", "CFileFaults"]),
    // Does more of one thing where its file's name says so; scripts/explain-test compares it with itself.
    .executableTarget(
      name: "SeededCauses", dependencies: ["BatchmarkCLI", "Engines", "BatchmarkEngine", "SQLiteDriver"],
      path: "Tests/SeededCauses", exclude: ["causes.yml"], swiftSettings: strict + unoptimized),
    tests(
      "CommandTests",
      [
        "StoreFixtures", "batchmark", "FaultyEngines", "WatchProbe", "BatchmarkCLI", "Engines", "Reports", "Analysis",
        "Harness", "BatchmarkEngine", "Scenarios", "Instruments", "CoreDataModel", "SQLiteDriver", "Support",
        argumentParser,
      ],
      exclude: ["Commands"]),
  ]
)

/// BATCHMARK_PART builds some modules and their tests alone, for sanitizers, which look at nothing else: stores or instruments.
let parts: [String: Set<String>] = [
  "stores": [
    "CSQLite", "CZlib", "CStoreMeter", "CStoreMeterPreload", "CStoreMeterLinked", "Support", "SQLiteDriver",
    "CoreDataModel", "ObjectGraph", "CoreDataFiles", "MissionTags",
    "StoreFixtures", "ObjectGraphFixtures", "SQLiteDriverTests", "CoreDataModelTests", "ObjectGraphTests",
    "CoreDataFilesTests",
  ],
  "instruments": [
    "CSQLite", "CJemalloc", "CAllocationMeter", "CProgramAllocationMeter", "CStoreMeter", "CStoreMeterPreload",
    "CStoreMeterLinked", "Support", "SQLiteDriver", "CoreDataModel", "ObjectGraph", "BatchmarkEngine", "Instruments",
    "MissionTags", "MeterProbe", "WatchProbe",
    "InstrumentsTests",
  ],
]
if let part = Context.environment["BATCHMARK_PART"].flatMap({ parts[$0] }) {
  package.targets.removeAll { !part.contains($0.name) }
  package.products.removeAll { !part.contains($0.name) }
  package.dependencies = []
}

/// The fuzzer has libFuzzer's main function, and is built by `scripts/fuzz` alone.
if Context.environment["BATCHMARK_FUZZ"] == "1" {
  package.targets.append(
    .executableTarget(
      name: "Fuzzer",
      dependencies: [
        "StoreFixtures", "Reports", "Charts", "Analysis", "Harness", "Engines", "BatchmarkEngine", "Scenarios",
        "CoreDataFiles", "ObjectGraph", "CoreDataModel", "SQLiteDriver",
      ],
      path: "Tests/Fuzzer", exclude: ["Corpus"],
      swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])]))
}
