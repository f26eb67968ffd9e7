// The models of the small shared stores, transcribed by hand from their archives.
package import CoreDataModel

package enum SampleModels {
  package static let testModel = [
    EntityDescription(
      "Author",
      attributes: [.init("firstName", .string, isOptional: true), .init("lastName", .string, isOptional: true)],
      relationships: [.init("books", to: "Book", inverse: "authors", isToMany: true)]),
    EntityDescription(
      "Book", attributes: [.init("title", .string, isOptional: true)],
      relationships: [.init("authors", to: "Author", inverse: "books", isToMany: true)]),
  ]

  package static let sampleModel3 = [
    EntityDescription("User", attributes: [.init("name", .string), .init("petName", .string, isOptional: true)])
  ]

  package static let sampleModel = [
    EntityDescription(
      "Car",
      attributes: [
        .init("color", .transformable, isOptional: true),
        .init("currentDrivingSpeed", .int64, isOptional: true, defaultValue: 0, isTransient: true),
        .init("maker", .string, isOptional: true), .init("markedForDeletionAsOf", .date, isOptional: true),
        .init("model", .string, isOptional: true), .init("numberPlate", .string),
      ],
      relationships: [.init("owner", to: "Person", inverse: "cars")], uniquenessConstraints: [["numberPlate"]]),
    EntityDescription("SportCar", superentity: "Car"),
    EntityDescription(
      "ExpensiveSportCar", superentity: "SportCar",
      attributes: [.init("isLimitedEdition", .boolean, isOptional: true, defaultValue: false)]),
    EntityDescription(
      "Person",
      attributes: [
        .init("firstName", .string, isOptional: true), .init("id", .uuid, preservesValueInHistoryOnDeletion: true),
        .init("isDriving", .boolean, defaultValue: false, isTransient: true),
        .init("lastName", .string, isOptional: true), .init("updatedAt", .date),
      ],
      relationships: [.init("cars", to: "Car", inverse: "owner", isToMany: true)],
      uniquenessConstraints: [["firstName", "lastName"]]),
  ]

  package static let sampleModel2 = [
    EntityDescription(
      "Writer", isAbstract: true, attributes: [.init("age", .int16)]),
    EntityDescription(
      "Author", superentity: "Writer",
      attributes: [.init("alias", .string), .init("siteURL", .uri, isOptional: true)],
      relationships: [.init("books", to: "Book", inverse: "author", isToMany: true, deleteRule: .cascade)],
      uniquenessConstraints: [["alias"]]),
    EntityDescription(
      "Book",
      attributes: [
        .init("cover", .transformable),
        .init("pagesCount", .int64, isOptional: true, derivationExpression: "pages.@count"),
        .init("price", .decimal), .init("publishedAt", .date),
        .init("title", .string, validationRules: [.length(minimum: 3, maximum: 50)]), .init("uniqueID", .uuid),
      ],
      relationships: [
        .init("author", to: "Author", inverse: "books", isOptional: false, minimumCount: 1),
        .init(
          "pages", to: "Page", inverse: "book", isToMany: true, isOptional: false, minimumCount: 1,
          maximumCount: 10_000, deleteRule: .cascade),
      ], uniquenessConstraints: [["uniqueID"]]),
    EntityDescription(
      "GraphicNovel", superentity: "Book", attributes: [.init("isBlackAndWhite", .boolean, defaultValue: false)]),
    EntityDescription(
      "Feedback",
      attributes: [
        .init("authorAlias", .string), .init("bookID", .uuid), .init("comment", .string, isOptional: true),
        .init("rating", .double),
      ]),
    EntityDescription(
      "Page",
      attributes: [
        .init("content", .transformable), .init("isBookmarked", .boolean, defaultValue: false),
        .init("number", .int32),
      ],
      relationships: [.init("book", to: "Book", inverse: "pages", isOptional: false, minimumCount: 1)]),
  ]
}
