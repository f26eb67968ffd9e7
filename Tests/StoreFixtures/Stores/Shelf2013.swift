// A store from 2013: a key that only its index and its name reveal, and no copy of the model.
internal import CoreDataModel

extension SampleStore {
  static let shelf = SampleStore(
    name: "shelf-2013.sqlite", shape: .shelf, frameworkVersion: Generation.of2013.frameworkVersion,
    uuid: shelf2013.uuid, entities: counts("Book 5, User 3"), anomalies: [oldWithoutCache], hasModelCache: false,
    own: shelf2013)

  private static let shelf2013 = OwnStore(
    generation: .of2013, uuid: "2B0D0C4E-7A38-4C1B-8A0E-2013A5B0C002",
    model: ArchivableModel([EntityDescription("Book"), EntityDescription("User")]),
    schema: """
      CREATE TABLE ZBOOK ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZUSER INTEGER, ZAUTHORNAME VARCHAR, ZTITLE VARCHAR, ZFILEURL BLOB );
      CREATE TABLE ZUSER ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZUSERID INTEGER );
      CREATE INDEX ZBOOK_ZUSER_INDEX ON ZBOOK (ZUSER);
      """,
    rows: """
      INSERT INTO ZUSER VALUES (1, 2, 1, 700100), (2, 2, 4, -1), (3, 2, 1, NULL);
      INSERT INTO ZBOOK VALUES
        (1, 1, 1, 1, 'Ada Writer', 'On tables', CAST('file:///shelf/on-tables.epub' AS BLOB)),
        (2, 1, 2, 1, 'Ada Writer', 'On columns', CAST('file:///shelf/on-columns.epub' AS BLOB)),
        (3, 1, 1, 2, 'Ölga Þórsdóttir', '日本の本 🌋', x'00FF00FF00FF00FF00'), (6, 1, 1, NULL, NULL, '', NULL),
        (7, 1, 9, 3, 'Bea O''Neill', 'Nothing "quoted"', NULL);
      """,
    keys: "(1, 'Book', 0, 15), (2, 'User', 0, 3)")
}
