// A store from 2024: inheritance, every type of attribute, a derived attribute that triggers update, and history.
internal import CoreDataModel

extension SampleStore {
  static let library = SampleStore(
    name: "library-2024.sqlite", shape: .library, frameworkVersion: Generation.of2024.frameworkVersion,
    uuid: library2024.uuid, entities: counts("Book 11, GraphicNovel 1, Feedback 40, Page 300, Writer 0, Author 2"),
    history: .new, changes: [1, 354, 0, 0], model: SampleModels.sampleModel2,
    configurations: library2024.model.configurations, remarks: libraryRemarks, anomalies: [triggersOfLibrary],
    own: library2024)

  private static var libraryModel: ArchivableModel {
    var model = ArchivableModel(SampleModels.sampleModel2)
    model.configurations = ["SampleConfigurationV1": model.entities.map(\.name).sorted()]
    model.fetchedProperties = ["Author": ["feedbacks", "favFeedbacks"]]
    model.foreignDefaults = ["Book.cover"]
    model.foreignRules = ["Book.title"]
    return model
  }

  private static let library2024 = OwnStore(
    generation: .of2024, uuid: "2B0D0C4E-7A38-4C1B-8A0E-2024A5B0C008", model: libraryModel, identifiers: [],
    schema: """
      CREATE TABLE ZBOOK ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZPAGESCOUNT INTEGER, ZAUTHOR INTEGER, ZISBLACKANDWHITE INTEGER, ZPUBLISHEDAT TIMESTAMP, ZPRICE DECIMAL, ZTITLE VARCHAR, ZUNIQUEID BLOB, ZCOVER BLOB );
      CREATE TABLE ZFEEDBACK ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZRATING FLOAT, ZAUTHORALIAS VARCHAR, ZCOMMENT VARCHAR, ZBOOKID BLOB );
      CREATE TABLE ZPAGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZISBOOKMARKED INTEGER, ZNUMBER INTEGER, ZBOOK INTEGER, Z1_BOOK INTEGER, ZCONTENT BLOB );
      CREATE TABLE ZWRITER ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAGE INTEGER, ZALIAS VARCHAR, ZSITEURL VARCHAR );
      CREATE INDEX ZBOOK_ZAUTHOR_INDEX ON ZBOOK (ZAUTHOR);
      CREATE INDEX ZBOOK_Z_ENT_INDEX ON ZBOOK (Z_ENT);
      CREATE UNIQUE INDEX Z_Book_UNIQUE_uniqueID ON ZBOOK (ZUNIQUEID COLLATE BINARY ASC);
      CREATE INDEX ZPAGE_ZBOOK_INDEX ON ZPAGE (ZBOOK);
      CREATE INDEX ZWRITER_Z_ENT_INDEX ON ZWRITER (Z_ENT);
      CREATE UNIQUE INDEX Z_Author_UNIQUE_alias ON ZWRITER (ZALIAS COLLATE BINARY ASC);
      """,
    rows: """
      INSERT INTO ZWRITER VALUES (1, 6, 1, 41, 'first-alias', 'https://example.org/authors/1'),
        (2, 6, 2, 52, 'second-alias', NULL);
      \(HistoryTables.numbers(12)) INSERT INTO ZBOOK
        SELECT n, CASE n WHEN 7 THEN 2 ELSE 1 END, 1 + (n = 3), 25, 1 + n % 2, CASE n WHEN 7 THEN 0 END,
          700000000.25 + n * 86400, n + 0.11, printf('The word about %d and more', n), CAST(printf('book-%011d', n) AS BLOB),
          CAST(printf('{"cover": "number %d"}', n) AS BLOB) FROM n;
      \(HistoryTables.numbers(300)) INSERT INTO ZPAGE
        SELECT n, 4, 1, n % 10 = 0, n % 25, b.Z_PK, b.Z_ENT,
          CAST(printf('page %04d: ', n) || replace(hex(zeroblob(60)), '00', 'lorem ') AS BLOB)
        FROM n JOIN ZBOOK AS b ON b.Z_PK = 1 + n % 12;
      \(HistoryTables.numbers(40)) INSERT INTO ZFEEDBACK
        SELECT n, 3, 1, 1.25 + 0.5 * (n % 8), CASE n % 2 WHEN 0 THEN 'first-alias' ELSE 'second-alias' END,
          CASE n % 3 WHEN 0 THEN NULL ELSE printf('Comment %d on it', n * 37) END,
          CAST(printf('book-%011d', 1 + n % 12) AS BLOB) FROM n;
      """,
    afterwards: """
      CREATE TRIGGER Z_DA_ZPAGE_Book_pagesCount_PARAMETER_INSERT AFTER INSERT ON ZPAGE FOR EACH ROW WHEN (NEW.ZBOOK NOT NULL) BEGIN UPDATE ZBOOK SET ZPAGESCOUNT = IFNULL(ZPAGESCOUNT, 0) + 1 WHERE Z_PK = NEW.ZBOOK; SELECT NSCoreDataDATriggerUpdatedAffectedObjectValue('ZBOOK', Z_ENT, Z_PK, 'pagesCount', ZPAGESCOUNT) FROM ZBOOK WHERE Z_PK = NEW.ZBOOK; END;
      CREATE TRIGGER Z_DA_ZPAGE_Book_pagesCount_PARAMETER_UPDATE_INCREMENT AFTER UPDATE OF ZBOOK ON ZPAGE FOR EACH ROW WHEN (NEW.ZBOOK NOT NULL) BEGIN UPDATE ZBOOK SET ZPAGESCOUNT = ZPAGESCOUNT + 1 WHERE Z_PK = NEW.ZBOOK; SELECT NSCoreDataDATriggerUpdatedAffectedObjectValue('ZBOOK', Z_ENT, Z_PK, 'pagesCount', ZPAGESCOUNT) FROM ZBOOK WHERE Z_PK = NEW.ZBOOK; END;
      CREATE TRIGGER Z_DA_ZPAGE_Book_pagesCount_PARAMETER_UPDATE_DECREMENT AFTER UPDATE OF ZBOOK ON ZPAGE FOR EACH ROW WHEN (OLD.ZBOOK NOT NULL) BEGIN UPDATE ZBOOK SET ZPAGESCOUNT = ZPAGESCOUNT - 1 WHERE Z_PK = OLD.ZBOOK; SELECT NSCoreDataDATriggerUpdatedAffectedObjectValue('ZBOOK', Z_ENT, Z_PK, 'pagesCount', ZPAGESCOUNT) FROM ZBOOK WHERE Z_PK = OLD.ZBOOK; END;
      CREATE TRIGGER Z_DA_ZPAGE_Book_pagesCount_PARAMETER_DELETE AFTER DELETE ON ZPAGE FOR EACH ROW WHEN (OLD.ZBOOK NOT NULL) BEGIN UPDATE ZBOOK SET ZPAGESCOUNT = ZPAGESCOUNT - 1 WHERE Z_PK = OLD.ZBOOK; SELECT NSCoreDataDATriggerUpdatedAffectedObjectValue('ZBOOK', Z_ENT, Z_PK, 'pagesCount', ZPAGESCOUNT) FROM ZBOOK WHERE Z_PK = OLD.ZBOOK; END;
      CREATE TRIGGER Z_DA_ZBOOK_Book_pagesCount_SOURCE_INSERT AFTER INSERT ON ZBOOK FOR EACH ROW BEGIN UPDATE ZBOOK SET ZPAGESCOUNT = (SELECT IFNULL(COUNT(ZBOOK), 0) FROM ZPAGE WHERE ZBOOK = NEW.Z_PK) WHERE Z_PK = NEW.Z_PK; SELECT NSCoreDataDATriggerInsertUpdatedAffectedObjectValue('ZBOOK', Z_ENT, Z_PK, 'pagesCount', ZPAGESCOUNT) FROM ZBOOK WHERE Z_PK = NEW.Z_PK; END;
      """,
    keys: """
      (1, 'Book', 0, 12), (2, 'GraphicNovel', 1, 0), (3, 'Feedback', 0, 40), (4, 'Page', 0, 300), (5, 'Writer', 0, 2),
      (6, 'Author', 5, 0), (16001, 'CHANGE', 0, 354), (16002, 'TRANSACTION', 0, 1), (16003, 'TRANSACTIONSTRING', 0, 8)
      """,
    // Keys of strings are assigned in advance.
    history: HistoryTables.new() + """
      INSERT INTO ATRANSACTIONSTRING VALUES (1, 16003, NULL, 'org.example.library'), (2, 16003, NULL, 'Library-Process');
      INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZBUNDLEIDTS, ZPROCESSIDTS, ZTIMESTAMP) VALUES (1, 16002, 1, 2, 700000000.5);
      INSERT INTO ACHANGE (Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID)
        SELECT 16001, 0, Z_ENT, Z_PK, 1 FROM ZWRITER UNION ALL SELECT 16001, 0, Z_ENT, Z_PK, 1 FROM ZBOOK
        UNION ALL SELECT 16001, 0, Z_ENT, Z_PK, 1 FROM ZPAGE UNION ALL SELECT 16001, 0, Z_ENT, Z_PK, 1 FROM ZFEEDBACK;
      """)
}
