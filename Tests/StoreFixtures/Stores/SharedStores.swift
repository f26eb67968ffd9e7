// The stores that Core Data wrote, if they are next to the package, with facts that were looked up by hand.
internal import CoreDataModel
package import Foundation

extension SampleStore {
  /// `../shared/data/stores` relative to the package.
  package static let sharedDirectory = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "shared/data/stores")

  /// Empty if they do not exist.
  package static let sharedStores =
    FileManager.default.fileExists(atPath: sharedDirectory.path)
    ? [books, sampleCars, sampleUsers, notes2021, notes2024, emptyAuthors, bookMigration] : []

  private static let books = SampleStore(
    name: "SampleModel2_V1.sqlite", shape: .library, frameworkVersion: 1_344,
    uuid: "C9CB0B35-ED6A-4042-BE5C-1B911AC00B2A",
    entities: counts("Book 51, GraphicNovel 1, Feedback 444, Page 4970, Writer 0, Author 2"), history: .new,
    changes: [1, 5_468, 0, 0], model: SampleModels.sampleModel2,
    configurations: ["SampleConfigurationV1": SampleModels.sampleModel2.map(\.name).sorted()],
    remarks: libraryRemarks,
    anomalies: [
      triggersOfLibrary,
      "History has never been purged: it holds 5,468 changes and takes 11 % of the file.",
    ])

  private static let sampleCars = SampleStore(
    name: "SampleModel_V1.sqlite", shape: .cars, frameworkVersion: 1_044,
    uuid: "753753D3-A961-4901-AB05-8CC48B1D3853",
    entities: counts("Car 115, SportCar 5, ExpensiveSportCar 5, Person 20"), model: SampleModels.sampleModel)

  private static let sampleUsers = SampleStore(
    name: "SampleModel3_V1.sqlite", shape: .users, frameworkVersion: 1_344,
    uuid: "5443A63D-EF0E-44C2-B216-AE8B5ED2FD09", entities: counts("User 12"), model: SampleModels.sampleModel3)

  private static let emptyAuthors = SampleStore(
    name: "TestModel.sqlite", shape: .authors, frameworkVersion: 637, uuid: "E7350B5D-5058-46F7-90B9-DCA517BBAF92",
    entities: counts("Author 0, Book 0"), model: SampleModels.testModel)

  private static let bookMigration = SampleStore(
    name: "BookMigration-Model1.sqlite", shape: .shelf, frameworkVersion: 419,
    uuid: "EB0E13EE-F6AD-47EF-B7B2-FD2FB6A9F894", entities: counts("Book 4, User 3"),
    anomalies: [oldWithoutCache], hasModelCache: false)

  private static let notes2021 = SampleStore(
    name: "NoteStore-macOS-12-Monterey.sqlite", shape: .notes, frameworkVersion: 1_152,
    uuid: "FABDAB03-8EF2-41B9-9944-193D67BE0365",
    entities: counts(
      "ICCloudState 19, ICCloudSyncingObject 0, ICAccountData 1, ICAttachment 1, ICAttachmentPreviewImage 0, "
        + "ICDeviceMigrationState 0, ICHashtag 0, ICInlineAttachment 0, ICLegacyTombstone 0, ICMedia 0, ICNote 7, "
        + "ICNoteContainer 0, ICAccount 1, ICFolder 6, ICLocation 0, ICAttachmentLocation 0, ICNoteData 7, "
        + "ICServerChangeToken 0"), history: .new, changes: [95, 47, 251, 5])

  private static let notes2024 = SampleStore(
    name: "NoteStore-macOS-15-Seqoia.sqlite", shape: .notes, frameworkVersion: 1_447,
    uuid: "09FBEB4A-5B24-424E-814B-4AE8E757FB83",
    entities: counts(
      "ICCloudState 33, ICCloudSyncingObject 0, ICAccountData 1, ICAttachment 2, ICAttachmentPreviewImage 6, "
        + "ICDeviceMigrationState 0, ICHashtag 2, ICInlineAttachment 2, ICLegacyTombstone 0, ICMedia 1, ICNote 9, "
        + "ICNoteContainer 0, ICAccount 1, ICFolder 6, ICInvitation 0, ICLocation 0, ICAttachmentLocation 0, "
        + "ICNoteData 9, ICNoteParticipant 0, ICServerChangeToken 0"), history: .new, changes: [70, 76, 168, 4])

  static let triggersOfLibrary =
    "5 triggers on ZBOOK and ZPAGE call functions that only Core Data has: any other writer there fails or must do "
    + "without them."
  static let oldWithoutCache =
    "The store has no copy of its model, as is usual before 2015, so the model was worked out from its tables."
  static let libraryRemarks = [
    "A validation rule of Book.title is neither a range, a length nor a pattern: it is left out.",
    "Author.favFeedbacks is a fetched property, which has no place in a store: it is left out.",
    "Author.feedbacks is a fetched property, which has no place in a store: it is left out.",
    "The default of Book.cover is not binary data that can be read: there is none here.",
  ]

  /// Entities with their rows, as `Book 51, Page 4970`.
  static func counts(_ text: String) -> [Entity] {
    text.split(separator: ", ").map { part in
      let words = part.split(separator: " ")
      return Entity(name: String(words[0]), rows: Int(words[1]) ?? 0)
    }
  }
}
