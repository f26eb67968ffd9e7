// A store from 2021 of an application with a server: one table for most entities, in four levels, and a history of
// inserts, updates and deletes.
internal import CoreDataModel
internal import Foundation

extension SampleStore {
  static let journal = SampleStore(
    name: "journal-2021.sqlite", shape: .journal, frameworkVersion: Generation.of2021.frameworkVersion,
    uuid: journal2021.uuid,
    entities: counts(
      "CloudState 16, NoteData 8, SyncObject 0, Attachment 5, Container 0, Account 1, Folder 2, Note 8, Token 1"),
    history: .new, changes: [5, 43, 10, 2], model: journal2021.model.entities, own: journal2021)

  private static let journal2021 = OwnStore(
    generation: .of2021, uuid: "2B0D0C4E-7A38-4C1B-8A0E-2021A5B0C007", model: journalModel, identifiers: ["42"],
    // If siblings have properties of the same name, the later ones' columns have numbers.
    schema: """
      CREATE TABLE ZCLOUDSTATE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCURRENTVERSION INTEGER, ZINCLOUD INTEGER, ZSYNCOBJECT INTEGER, Z3_SYNCOBJECT INTEGER, ZLOCALVERSIONDATE TIMESTAMP );
      CREATE TABLE ZNOTEDATA ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNOTE INTEGER, ZDATA BLOB );
      CREATE TABLE ZSYNCOBJECT ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZMARKEDFORDELETION INTEGER, ZCLOUDSTATE INTEGER, ZFILESIZE INTEGER, ZNOTE INTEGER, ZPARENT INTEGER, ZSORTORDER INTEGER, ZFAILURECOUNT INTEGER, ZACCOUNT INTEGER, ZACCOUNT1 INTEGER, ZDATA INTEGER, ZFOLDER INTEGER, ZMODIFICATIONDATE TIMESTAMP, ZCREATED TIMESTAMP, ZCREATIONDATE TIMESTAMP, ZIDENTIFIER VARCHAR, ZTITLE VARCHAR, ZNAME VARCHAR, ZTITLE1 VARCHAR, ZTITLE2 VARCHAR, ZRECORDDATA BLOB );
      CREATE TABLE ZTOKEN ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZSCOPE INTEGER, ZZONE VARCHAR );
      CREATE INDEX ZCLOUDSTATE_ZSYNCOBJECT_INDEX ON ZCLOUDSTATE (ZSYNCOBJECT);
      CREATE INDEX ZNOTEDATA_ZNOTE_INDEX ON ZNOTEDATA (ZNOTE);
      CREATE INDEX ZSYNCOBJECT_ZCLOUDSTATE_INDEX ON ZSYNCOBJECT (ZCLOUDSTATE);
      CREATE INDEX ZSYNCOBJECT_ZNOTE_INDEX ON ZSYNCOBJECT (ZNOTE);
      CREATE INDEX ZSYNCOBJECT_ZPARENT_INDEX ON ZSYNCOBJECT (ZPARENT);
      CREATE INDEX ZSYNCOBJECT_ZACCOUNT_INDEX ON ZSYNCOBJECT (ZACCOUNT);
      CREATE INDEX ZSYNCOBJECT_ZACCOUNT1_INDEX ON ZSYNCOBJECT (ZACCOUNT1);
      CREATE INDEX ZSYNCOBJECT_ZDATA_INDEX ON ZSYNCOBJECT (ZDATA);
      CREATE INDEX ZSYNCOBJECT_ZFOLDER_INDEX ON ZSYNCOBJECT (ZFOLDER);
      CREATE INDEX ZSYNCOBJECT_Z_ENT_INDEX ON ZSYNCOBJECT (Z_ENT);
      CREATE UNIQUE INDEX Z_SyncObject_UNIQUE_identifier ON ZSYNCOBJECT (ZIDENTIFIER COLLATE BINARY ASC);
      """,
    // Keys 1 to 16: an account, two folders, eight notes, five attachments. In the one-to-one relationship with cloud
    // states, half of the states have an empty column.
    rows: """
      \(HistoryTables.numbers(16)) INSERT INTO ZSYNCOBJECT
        (Z_PK, Z_ENT, Z_OPT, ZMARKEDFORDELETION, ZCLOUDSTATE, ZMODIFICATIONDATE, ZIDENTIFIER, ZRECORDDATA)
        SELECT n, CASE WHEN n = 1 THEN 6 WHEN n <= 3 THEN 7 WHEN n <= 11 THEN 8 ELSE 4 END, 1 + n % 43, n % 5 = 0, 17 - n,
          660000000 + n * 60, printf('IDENTIFIER-%04d', n), CASE n % 2 WHEN 0 THEN zeroblob(40 + n) END FROM n;
      UPDATE ZSYNCOBJECT SET ZNAME = 'On this device', ZFAILURECOUNT = 0, ZSORTORDER = -1, ZCREATED = -541232580
        WHERE Z_ENT = 6;
      UPDATE ZSYNCOBJECT SET ZTITLE1 = printf('Folder of %d', Z_PK), ZACCOUNT = 1, ZSORTORDER = Z_PK WHERE Z_ENT = 7;
      UPDATE ZSYNCOBJECT SET ZTITLE2 = printf('Note about %d ✎', Z_PK), ZCREATIONDATE = 650000000.125 + Z_PK,
        ZACCOUNT1 = 1, ZDATA = Z_PK - 3, ZFOLDER = 2 + Z_PK % 2 WHERE Z_ENT = 8;
      UPDATE ZSYNCOBJECT SET ZTITLE = printf('picture-%d.jpeg', Z_PK), ZFILESIZE = 1000000 * Z_PK, ZNOTE = Z_PK - 8,
        ZPARENT = CASE WHEN Z_PK > 14 THEN 12 END WHERE Z_ENT = 4;
      INSERT INTO ZCLOUDSTATE SELECT 17 - Z_PK, 1, 2, Z_PK, Z_PK % 2, CASE WHEN Z_PK <= 8 THEN Z_PK END,
        CASE WHEN Z_PK <= 8 THEN Z_ENT END, 660000000.5 + Z_PK FROM ZSYNCOBJECT;
      INSERT INTO ZNOTEDATA SELECT ZDATA, 2, 1, Z_PK, CAST(printf('the body of note %d', Z_PK) AS BLOB) FROM ZSYNCOBJECT
        WHERE Z_ENT = 8;
      INSERT INTO ZTOKEN VALUES (1, 9, 3, 2, 'zone of notes');
      """,
    keys: """
      (1, 'CloudState', 0, 18), (2, 'NoteData', 0, 8), (3, 'SyncObject', 0, 18), (4, 'Attachment', 3, 0),
      (5, 'Container', 3, 0), (6, 'Account', 5, 0), (7, 'Folder', 5, 0), (8, 'Note', 3, 0), (9, 'Token', 0, 1),
      (16001, 'CHANGE', 0, 55), (16002, 'TRANSACTION', 0, 5), (16003, 'TRANSACTIONSTRING', 0, 8)
      """,
    // Two objects were inserted and deleted. A note has eleven properties and needs two bytes: 0x0880 is its data and
    // its modification date, 0x0020 its title. For a cloud state, 0x80 is its version and 0x18 is its object with the
    // companion column.
    history: HistoryTables.new() + """
      INSERT INTO ATRANSACTIONSTRING VALUES (1, 16003, NULL, 'org.example.journal'), (2, 16003, NULL, 'Journal-Process'),
        (3, 16003, NULL, 'main-view-context'), (4, 16003, NULL, 'syncing-author');
      INSERT INTO ATRANSACTION
        (Z_PK, Z_ENT, ZAUTHORTS, ZBUNDLEIDTS, ZCONTEXTNAMETS, ZPROCESSIDTS, ZTIMESTAMP, ZQUERYGEN) VALUES
        (1, 16002, NULL, 1, NULL, 2, 660000000.5, NULL), (2, 16002, 4, 1, 3, 2, 660000001.25, zeroblob(48)),
        (3, 16002, 4, 1, NULL, 2, 660000002.0, NULL), (4, 16002, NULL, 1, 3, 2, 660000003.5, NULL),
        (5, 16002, NULL, 1, NULL, 2, 660000004.5, NULL);
      INSERT INTO ACHANGE (Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS)
        SELECT 16001, 0, Z_ENT, Z_PK, 1, NULL FROM ZSYNCOBJECT NOT INDEXED UNION ALL SELECT 16001, 0, 1, Z_PK, 1, NULL FROM ZCLOUDSTATE
        UNION ALL SELECT 16001, 0, 2, Z_PK, 1, NULL FROM ZNOTEDATA UNION ALL SELECT 16001, 0, 9, 1, 1, NULL
        UNION ALL SELECT 16001, 0, 8, 17, 2, NULL UNION ALL SELECT 16001, 0, 8, 18, 2, NULL;
      INSERT INTO ACHANGE (Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS)
        SELECT 16001, 1, 8, Z_PK, 3, CASE Z_PK % 2 WHEN 0 THEN x'0880' ELSE x'0020' END FROM ZSYNCOBJECT NOT INDEXED WHERE Z_ENT = 8
        UNION ALL SELECT 16001, 1, 1, 1, 4, x'80' UNION ALL SELECT 16001, 1, 1, 2, 4, x'18'
        UNION ALL SELECT 16001, 2, 8, 17, 5, NULL UNION ALL SELECT 16001, 2, 8, 18, 5, NULL;
      """)

  private static let journalModel = ArchivableModel([
    EntityDescription(
      "CloudState",
      attributes: [
        .init("currentVersion", .int64, defaultValue: 0), .init("inCloud", .boolean, isOptional: true),
        .init("localVersionDate", .date, isOptional: true),
      ], relationships: [.init("syncObject", to: "SyncObject", inverse: "cloudState")]),
    EntityDescription(
      "NoteData", attributes: [.init("data", .binary, isOptional: true)],
      relationships: [.init("note", to: "Note", inverse: "data", isOptional: false, minimumCount: 1)]),
    EntityDescription(
      "SyncObject",
      attributes: [
        .init("identifier", .string, isOptional: true), .init("markedForDeletion", .boolean, defaultValue: false),
        .init("modificationDate", .date, isOptional: true),
        .init("recordData", .binary, isOptional: true, renamingIdentifier: "cachedRecord"),
      ],
      relationships: [.init("cloudState", to: "CloudState", inverse: "syncObject", deleteRule: .cascade)],
      uniquenessConstraints: [["identifier"]]),
    EntityDescription(
      "Attachment", superentity: "SyncObject",
      attributes: [.init("fileSize", .int64, isOptional: true), .init("title", .string, isOptional: true)],
      relationships: [
        .init("children", to: "Attachment", inverse: "parent", isToMany: true, deleteRule: .cascade),
        .init("note", to: "Note", inverse: "attachments", isOptional: false),
        .init("parent", to: "Attachment", inverse: "children"),
      ]),
    EntityDescription(
      "Container", superentity: "SyncObject", isAbstract: true,
      attributes: [.init("sortOrder", .int32, isOptional: true)]),
    EntityDescription(
      "Account", superentity: "Container",
      attributes: [
        .init(
          "created", .date, isOptional: true, defaultValue: .date(Date(timeIntervalSinceReferenceDate: -541_232_580))),
        .init(
          "failureCount", .int16, isOptional: true, defaultValue: 0,
          validationRules: [.range(minimum: 0, maximum: nil)]),
        .init("name", .string, isOptional: true),
      ],
      relationships: [
        .init("folders", to: "Folder", inverse: "account", isToMany: true, deleteRule: .cascade),
        .init("notes", to: "Note", inverse: "account", isToMany: true),
      ]),
    EntityDescription(
      "Folder", superentity: "Container", attributes: [.init("title", .string, isOptional: true)],
      relationships: [
        .init("account", to: "Account", inverse: "folders"),
        .init("notes", to: "Note", inverse: "folder", isToMany: true),
      ]),
    EntityDescription(
      "Note", superentity: "SyncObject",
      attributes: [.init("creationDate", .date, isOptional: true), .init("title", .string, isOptional: true)],
      relationships: [
        .init("account", to: "Account", inverse: "notes"),
        .init("attachments", to: "Attachment", inverse: "note", isToMany: true, deleteRule: .cascade),
        .init("data", to: "NoteData", inverse: "note", deleteRule: .cascade),
        .init("folder", to: "Folder", inverse: "notes"),
      ]),
    EntityDescription(
      "Token", attributes: [.init("scope", .int16), .init("zone", .string, isOptional: true)]),
  ])
}
