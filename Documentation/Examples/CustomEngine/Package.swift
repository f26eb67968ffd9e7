// swift-tools-version: 6.2
// An executable with its own engine beside the built-in ones.
import PackageDescription

let package = Package(
  name: "CustomEngine",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Batchmark", path: "../../..")],
  targets: [
    .executableTarget(
      name: "CustomEngine",
      dependencies: [
        .product(name: "BatchmarkCLI", package: "Batchmark"), .product(name: "BatchmarkEngine", package: "Batchmark"),
        .product(name: "SQLiteDriver", package: "Batchmark"),
      ])
  ])
