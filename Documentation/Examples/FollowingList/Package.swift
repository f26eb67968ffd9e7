// swift-tools-version: 6.2
// A list in the terminal that follows an import in another process.
import PackageDescription

let package = Package(
  name: "FollowingList",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Batchmark", path: "../../..")],
  targets: [
    .executableTarget(
      name: "FollowingList",
      dependencies: [
        .product(name: "ObjectGraph", package: "Batchmark"), .product(name: "CoreDataModel", package: "Batchmark"),
      ],
      swiftSettings: [.treatAllWarnings(as: .error)])
  ])
