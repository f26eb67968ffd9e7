// An empty store from 2015, the first year in which stores have a copy of their model.
internal import CoreDataModel

extension SampleStore {
  static let authors = SampleStore(
    name: "authors-2015.sqlite", shape: .authors, frameworkVersion: Generation.of2015.frameworkVersion,
    uuid: authors2015.uuid, entities: counts("Author 0, Book 0"), model: SampleModels.testModel, own: authors2015)

  private static let authors2015 = OwnStore(
    generation: .of2015, uuid: "2B0D0C4E-7A38-4C1B-8A0E-2015A5B0C003", model: ArchivableModel(SampleModels.testModel),
    schema: """
      CREATE TABLE ZAUTHOR ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZFIRSTNAME VARCHAR, ZLASTNAME VARCHAR );
      CREATE TABLE Z_1BOOKS ( Z_1AUTHORS INTEGER, Z_2BOOKS INTEGER, PRIMARY KEY (Z_1AUTHORS, Z_2BOOKS) );
      CREATE TABLE ZBOOK ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTITLE VARCHAR );
      CREATE INDEX Z_1BOOKS_Z_2BOOKS_INDEX ON Z_1BOOKS (Z_2BOOKS, Z_1AUTHORS);
      """,
    rows: "", keys: "(1, 'Author', 0, 0), (2, 'Book', 0, 0)")
}
