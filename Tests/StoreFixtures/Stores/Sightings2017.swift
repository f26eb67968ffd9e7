// A store of macOS 10.13: the first kind of history, indexes with the names of their entities, and orders at both ends.
internal import CoreDataModel

extension SampleStore {
  static let sightings = SampleStore(
    name: "sightings-2017.sqlite", shape: .sightings, frameworkVersion: Generation.of2017.frameworkVersion,
    uuid: sightings2017.uuid, entities: counts("Observer 3, Sighting 9, Species 2, Bird 3"), history: .old,
    changes: [3, 6, 3, 2], model: sightings2017.model.entities, own: sightings2017)

  private static let sightings2017 = OwnStore(
    generation: .of2017, uuid: "2B0D0C4E-7A38-4C1B-8A0E-2017A5B0C005",
    model: ArchivableModel([
      EntityDescription(
        "Observer", attributes: [.init("name", .string)],
        relationships: [
          .init("favourites", to: "Species", inverse: "fans", isToMany: true, isOrdered: true),
          .init(
            "sightings", to: "Sighting", inverse: "observer", isToMany: true, isOrdered: true, deleteRule: .cascade),
        ], uniquenessConstraints: [["name"]]),
      EntityDescription(
        "Sighting",
        attributes: [
          .init("count", .int16, defaultValue: 1, validationRules: [.range(minimum: 1, maximum: nil)]),
          .init("isVerified", .boolean, isOptional: true), .init("latitude", .double, isOptional: true),
          .init("longitude", .double, isOptional: true), .init("photo", .binary, isOptional: true),
          .init("time", .date),
        ],
        relationships: [
          .init("observer", to: "Observer", inverse: "sightings"),
          .init("species", to: "Species", inverse: "sightings", isOptional: false, minimumCount: 1),
        ], fetchIndexes: [.init("byPlace", on: ["latitude", "longitude"])]),
      EntityDescription(
        "Species", attributes: [.init("id", .uuid), .init("name", .string)],
        relationships: [
          .init("fans", to: "Observer", inverse: "favourites", isToMany: true, isOrdered: true),
          .init("sightings", to: "Sighting", inverse: "species", isToMany: true, deleteRule: .cascade),
        ]),
      EntityDescription(
        "Bird", superentity: "Species", attributes: [.init("wingspan", .float, isOptional: true)]),
    ]),
    otherMetadata: [
      "_NSStoreAncillaryModelVersionHashesMetadataKey": .dictionary(["NSPersistentHistoryTrackingKey": .integer(1)])
    ],
    schema: """
      CREATE TABLE ZOBSERVER ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR );
      CREATE TABLE Z_1FAVOURITES ( Z_1FANS INTEGER, Z_3FAVOURITES INTEGER, Z_FOK_1FANS INTEGER, Z_FOK_3FAVOURITES INTEGER, PRIMARY KEY (Z_1FANS, Z_3FAVOURITES) );
      CREATE TABLE ZSIGHTING ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCOUNT INTEGER, ZISVERIFIED INTEGER, ZOBSERVER INTEGER, Z_FOK_OBSERVER INTEGER, ZSPECIES INTEGER, Z3_SPECIES INTEGER, ZLATITUDE FLOAT, ZLONGITUDE FLOAT, ZTIME TIMESTAMP, ZPHOTO BLOB );
      CREATE TABLE ZSPECIES ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZWINGSPAN FLOAT, ZNAME VARCHAR, ZID BLOB );
      CREATE UNIQUE INDEX Z_Observer_UNIQUE_name ON ZOBSERVER (ZNAME COLLATE BINARY ASC);
      CREATE INDEX Z_1FAVOURITES_Z_3FAVOURITES_INDEX ON Z_1FAVOURITES (Z_3FAVOURITES, Z_1FANS);
      CREATE INDEX ZSIGHTING_ZOBSERVER_INDEX ON ZSIGHTING (ZOBSERVER);
      CREATE INDEX ZSIGHTING_ZSPECIES_INDEX ON ZSIGHTING (ZSPECIES);
      CREATE INDEX Z_Sighting_byPlace ON ZSIGHTING (ZLATITUDE COLLATE BINARY ASC, ZLONGITUDE COLLATE BINARY ASC);
      CREATE INDEX ZSPECIES_Z_ENT_INDEX ON ZSPECIES (Z_ENT);
      """,
    rows: """
      INSERT INTO ZOBSERVER VALUES (1, 1, 2, 'Ana Lucia'), (2, 1, 1, 'Bo Ek-Lund'), (4, 1, 1, 'Ça va bien');
      INSERT INTO ZSPECIES VALUES
        (1, 4, 1, 1.5, 'grey heron', CAST('species-00000001' AS BLOB)),
        (2, 4, 1, 0.25, 'house sparrow', CAST('species-00000002' AS BLOB)),
        (3, 3, 1, NULL, 'field mouse', CAST('species-00000003' AS BLOB)),
        (4, 4, 2, NULL, 'a lost bird', CAST('species-00000004' AS BLOB)),
        (5, 3, 1, NULL, 'common frog', CAST('species-00000005' AS BLOB));
      INSERT INTO Z_1FAVOURITES VALUES (1, 2, 2048, 3072), (1, 1, 2048, 2560), (1, 5, 1024, 2048), (2, 2, 1024, 2048),
        (2, 1, 3072, 4096);
      \(HistoryTables.numbers(9)) INSERT INTO ZSIGHTING
        SELECT n, 2, 1 + n % 3, n, CASE n % 3 WHEN 0 THEN NULL ELSE n % 2 END, CASE n WHEN 9 THEN NULL ELSE 1 + n % 2 END,
          CASE n WHEN 9 THEN NULL ELSE 20480 - n * 1024 END, s.Z_PK, s.Z_ENT, 48.25 + n, -3.5 * n, 530000000 + n * 0.5,
          CASE n % 4 WHEN 0 THEN zeroblob(n * 100) END
        FROM n JOIN ZSPECIES AS s ON s.Z_PK = 1 + n % 5;
      """,
    keys: """
      (1, 'Observer', 0, 4), (2, 'Sighting', 0, 10), (3, 'Species', 0, 5), (4, 'Bird', 3, 0), (16001, 'CHANGE', 0, 11),
      (16002, 'TRANSACTION', 0, 3)
      """,
    // Bits after an entity's last property are uninitialized memory: an observer has three properties and five more
    // bits, a sighting has nine properties and seven more bits.
    history: HistoryTables.old + """
      INSERT INTO ATRANSACTION VALUES (1, 16002, NULL, 530000000.25, NULL, 'org.example.fields', NULL, 'Fields', NULL),
        (2, 16002, NULL, 530000001.0, 'importer', 'org.example.fields', 'background', 'Fields', NULL),
        (3, 16002, NULL, 530000002.5, 'importer', 'org.example.fields', NULL, 'Fields-2', zeroblob(48));
      INSERT INTO ACHANGE VALUES (1, 16001, NULL, 0, 1, 1, 1, NULL), (2, 16001, NULL, 0, 1, 2, 1, NULL),
        (3, 16001, NULL, 0, 4, 1, 1, NULL), (4, 16001, NULL, 0, 2, 1, 2, NULL), (5, 16001, NULL, 0, 2, 10, 2, NULL),
        (6, 16001, NULL, 0, 1, 3, 2, NULL), (7, 16001, NULL, 1, 1, 1, 2, x'5F'), (8, 16001, NULL, 1, 2, 1, 3, x'83FF'),
        (9, 16001, NULL, 1, 4, 4, 3, x'17'), (10, 16001, NULL, 2, 2, 10, 3, NULL), (11, 16001, NULL, 2, 1, 3, 3, NULL);
      """)
}
