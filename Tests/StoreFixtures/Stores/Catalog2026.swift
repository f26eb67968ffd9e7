// A store of macOS 26 that was migrated in place: a new entity got the number 1, and all others moved up by one.
internal import CoreDataModel

extension SampleStore {
  static let catalog = SampleStore(
    name: "catalog-2026.sqlite", shape: .catalog, frameworkVersion: Generation.of2026.frameworkVersion,
    uuid: catalog2026.uuid, entities: counts("Asset 2, Item 5, Gadget 2, Tag 3, Vendor 2"), history: .new,
    changes: [3, 14, 1, 2], model: catalog2026.model.entities,
    anomalies: [
      "The indexes Z_1TAGS_Z_3TAGS_INDEX and Z_2TAGS_Z_4TAGS_INDEX of Z_2TAGS are over the same columns: one is "
        + "superfluous."
    ], isFresh: false, own: catalog2026)

  private static let catalog2026 = OwnStore(
    generation: .of2026, uuid: "2B0D0C4E-7A38-4C1B-8A0E-2026A5B0C00A",
    model: ArchivableModel([
      EntityDescription(
        "Asset", attributes: [.init("signature", .binary, isOptional: true)],
        relationships: [.init("items", to: "Item", inverse: "asset", isToMany: true)]),
      EntityDescription(
        "Item",
        attributes: [
          .init("isFeatured", .boolean, isOptional: true),
          .init("name", .string, preservesValueInHistoryOnDeletion: true, renamingIdentifier: "title"),
          .init("notes", .string, isOptional: true), .init("price", .decimal, isOptional: true),
          .init("stock", .int32, defaultValue: 0),
        ],
        relationships: [
          .init("asset", to: "Asset", inverse: "items"),
          .init("tags", to: "Tag", inverse: "items", isToMany: true, isOrdered: true),
          .init("vendor", to: "Vendor", inverse: "items"),
        ]),
      EntityDescription("Gadget", superentity: "Item", attributes: [.init("volts", .float, isOptional: true)]),
      EntityDescription(
        "Tag", attributes: [.init("word", .string)],
        relationships: [.init("items", to: "Item", inverse: "tags", isToMany: true, isOrdered: true)],
        uniquenessConstraints: [["word"]]),
      EntityDescription(
        "Vendor", attributes: [.init("site", .uri, isOptional: true)],
        relationships: [
          .init("favourite", to: "Item", inverse: nil),
          .init("items", to: "Item", inverse: "vendor", isToMany: true, isOrdered: true),
        ]),
    ]),
    identifiers: ["1.0.0"], otherMetadata: ["catalogRevision": .integer(7), "catalogOwner": .string("Shop")],
    schema: """
      CREATE TABLE ZITEM ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZSTOCK INTEGER, ZVENDOR INTEGER, Z_FOK_VENDOR INTEGER, ZVOLTS FLOAT, ZPRICE DECIMAL, ZTITLE VARCHAR );
      CREATE TABLE Z_1TAGS ( Z_1ITEMS INTEGER, Z_3TAGS INTEGER, Z_FOK_1ITEMS INTEGER, Z_FOK_3TAGS INTEGER, PRIMARY KEY (Z_1ITEMS, Z_3TAGS) );
      CREATE TABLE ZTAG ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZWORD VARCHAR );
      CREATE TABLE ZVENDOR ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZFAVOURITE INTEGER, Z1_FAVOURITE INTEGER, ZSITE VARCHAR );
      CREATE INDEX ZITEM_ZVENDOR_INDEX ON ZITEM (ZVENDOR);
      CREATE INDEX ZITEM_Z_ENT_INDEX ON ZITEM (Z_ENT);
      CREATE INDEX Z_1TAGS_Z_3TAGS_INDEX ON Z_1TAGS (Z_3TAGS, Z_1ITEMS);
      CREATE UNIQUE INDEX Z_Tag_UNIQUE_word ON ZTAG (ZWORD COLLATE BINARY ASC);
      CREATE INDEX ZVENDOR_ZFAVOURITE_INDEX ON ZVENDOR (ZFAVOURITE);
      """,
    rows: """
      INSERT INTO ZITEM VALUES (1, 1, 1, 4, 1, 3072, NULL, 10.11, 'a wooden chair'), (2, 2, 3, 0, 1, 2048, 230.0, 0, 'a kettle'),
        (3, 1, 1, 1, 2, 2048, NULL, NULL, 'a tin of paint'), (5, 1, 1, -7, 1, 2560, NULL, 3.5, 'a brush ✓'),
        (6, 2, 1, 12, NULL, NULL, 5.5, 99, 'a lamp post'), (8, 1, 2, 3, 2, 1024, NULL, 1.25, 'a bag of nails'),
        (9, 1, 1, 0, NULL, NULL, NULL, 7, 'a loose wheel');
      INSERT INTO ZTAG VALUES (1, 3, 1, 'household'), (2, 3, 1, 'workshop'), (3, 3, 1, 'for sale!');
      INSERT INTO Z_1TAGS VALUES (1, 1, 3072, 2048), (2, 1, 2048, 2048), (2, 3, 2048, 1024), (5, 2, 2048, 2048),
        (5, 1, 2560, 1536), (8, 2, 1024, 2048);
      INSERT INTO ZVENDOR VALUES (1, 4, 1, 2, 2, 'https://example.org/vendor?number=1'), (2, 4, 1, 3, 1, NULL);
      """,
    // The changes of an inferred migration: names with numbers change, new columns come last, and the old index stays.
    afterwards: """
      UPDATE ZITEM SET Z_ENT = Z_ENT + 1; UPDATE ZTAG SET Z_ENT = 4; UPDATE ZVENDOR SET Z_ENT = 5, Z1_FAVOURITE = Z1_FAVOURITE + 1;
      ALTER TABLE ZVENDOR RENAME COLUMN Z1_FAVOURITE TO Z2_FAVOURITE;
      ALTER TABLE Z_1TAGS RENAME TO Z_2TAGS;
      ALTER TABLE Z_2TAGS RENAME COLUMN Z_1ITEMS TO Z_2ITEMS; ALTER TABLE Z_2TAGS RENAME COLUMN Z_3TAGS TO Z_4TAGS;
      ALTER TABLE Z_2TAGS RENAME COLUMN Z_FOK_1ITEMS TO Z_FOK_2ITEMS; ALTER TABLE Z_2TAGS RENAME COLUMN Z_FOK_3TAGS TO Z_FOK_4TAGS;
      CREATE INDEX Z_2TAGS_Z_4TAGS_INDEX ON Z_2TAGS (Z_4TAGS, Z_2ITEMS);
      ALTER TABLE ZITEM RENAME COLUMN ZTITLE TO ZNAME;
      ALTER TABLE ZITEM ADD COLUMN ZNOTES VARCHAR; ALTER TABLE ZITEM ADD COLUMN ZISFEATURED INTEGER;
      ALTER TABLE ZITEM ADD COLUMN ZASSET INTEGER; CREATE INDEX ZITEM_ZASSET_INDEX ON ZITEM (ZASSET);
      CREATE TABLE ZASSET ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZSIGNATURE BLOB );
      INSERT INTO ZASSET VALUES (1, 1, 1, zeroblob(64)), (2, 1, 1, NULL);
      UPDATE ZITEM SET ZASSET = 1 + Z_PK % 2, ZISFEATURED = Z_PK % 3 = 0, ZNOTES = printf('remark %d', Z_PK) WHERE Z_PK > 2;
      """,
    keys: """
      (1, 'Asset', 0, 2), (2, 'Item', 0, 11), (3, 'Gadget', 2, 0), (4, 'Tag', 0, 3), (5, 'Vendor', 0, 2),
      (16001, 'CHANGE', 0, 17), (16002, 'TRANSACTION', 0, 3), (16003, 'TRANSACTIONSTRING', 0, 8)
      """,
    // Deleted items leave their names in the history.
    history: HistoryTables.new(tombstones: 1) + """
      INSERT INTO ATRANSACTIONSTRING VALUES (1, 16003, NULL, 'org.example.catalog'), (2, 16003, NULL, 'Catalog-Process'),
        (3, 16003, NULL, 'com.apple.coredata.schemamigrator: lightweight migration from model with digest { abc= }');
      INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZAUTHORTS, ZBUNDLEIDTS, ZPROCESSIDTS, ZTIMESTAMP) VALUES
        (1, 16002, NULL, 1, 2, 790000000.5), (2, 16002, 3, 1, 2, 790000001.5), (3, 16002, NULL, 1, 2, 790000002.5);
      INSERT INTO ACHANGE (Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID)
        SELECT 16001, 0, Z_ENT, Z_PK, 1 FROM ZITEM UNION ALL SELECT 16001, 0, 4, Z_PK, 1 FROM ZTAG
        UNION ALL SELECT 16001, 0, 5, Z_PK, 1 FROM ZVENDOR UNION ALL SELECT 16001, 0, 1, Z_PK, 2 FROM ZASSET;
      INSERT INTO ACHANGE (Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS, ZTOMBSTONE0) VALUES
        (16001, 1, 2, 1, 3, x'20', NULL), (16001, 2, 2, 10, 3, NULL, 'a broken vase'), (16001, 2, 3, 11, 3, NULL, 'a dead phone');
      """)
}
