// swift-tools-version: 6.2
// Measures comparing two lists against hashing them and against the standard library's difference.
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
