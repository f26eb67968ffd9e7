// The smallest possible store: one entity from 2024, without constraints and relationships.
internal import CoreDataModel

extension SampleStore {
  static let users = SampleStore(
    name: "users-2024.sqlite", shape: .users, frameworkVersion: Generation.of2024.frameworkVersion,
    uuid: users2024.uuid, entities: counts("User 12"), model: SampleModels.sampleModel3, own: users2024)

  private static let users2024 = OwnStore(
    generation: .of2024, uuid: "2B0D0C4E-7A38-4C1B-8A0E-2024A5B0C009",
    model: ArchivableModel(SampleModels.sampleModel3), identifiers: ["1"],
    schema: """
      CREATE TABLE ZUSER ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR, ZPETNAME VARCHAR );
      """,
    rows: """
      \(HistoryTables.numbers(12)) INSERT INTO ZUSER SELECT n, 1, 1, printf('Person %d', n), printf('Pet %03d', n) FROM n;
      """,
    keys: "(1, 'User', 0, 12)")
}
