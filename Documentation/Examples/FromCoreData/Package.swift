// swift-tools-version: 6.2
// What people coming from Core Data write on the first day, in ObjectGraph; each idiom checks itself.
import PackageDescription

let package = Package(
  name: "FromCoreData",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Batchmark", path: "../../..")],
  targets: [
    .executableTarget(
      name: "FromCoreData",
      dependencies: [
        .product(name: "ObjectGraph", package: "Batchmark"), .product(name: "CoreDataModel", package: "Batchmark"),
      ],
      swiftSettings: [.treatAllWarnings(as: .error)])
  ])
