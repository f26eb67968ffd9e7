// swift-tools-version: 6.2
// What comparing two lists takes, beside hashing them and beside the standard library's difference.
import PackageDescription

let package = Package(
  name: "ListDifferences",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Batchmark", path: "../../..")],
  targets: [
    .executableTarget(
      name: "ListDifferences",
      dependencies: [.product(name: "ObjectGraph", package: "Batchmark")],
      swiftSettings: [.treatAllWarnings(as: .error)])
  ])
