// A store from 2021: three levels of inheritance in one table, a compound constraint, transient attributes.
internal import CoreDataModel

extension SampleStore {
  static let cars = SampleStore(
    name: "cars-2021.sqlite", shape: .cars, frameworkVersion: Generation.of2021.frameworkVersion, uuid: cars2021.uuid,
    entities: counts("Car 60, SportCar 5, ExpensiveSportCar 5, Person 10"), model: SampleModels.sampleModel,
    own: cars2021)

  private static let cars2021 = OwnStore(
    generation: .of2021, uuid: "2B0D0C4E-7A38-4C1B-8A0E-2021A5B0C006", model: ArchivableModel(SampleModels.sampleModel),
    identifiers: ["1"],
    schema: """
      CREATE TABLE ZCAR ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZOWNER INTEGER, ZISLIMITEDEDITION INTEGER, ZMARKEDFORDELETIONASOF TIMESTAMP, ZMAKER VARCHAR, ZMODEL VARCHAR, ZNUMBERPLATE VARCHAR, ZCOLOR BLOB );
      CREATE TABLE ZPERSON ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZUPDATEDAT TIMESTAMP, ZFIRSTNAME VARCHAR, ZLASTNAME VARCHAR, ZID BLOB );
      CREATE INDEX ZCAR_ZOWNER_INDEX ON ZCAR (ZOWNER);
      CREATE INDEX ZCAR_Z_ENT_INDEX ON ZCAR (Z_ENT);
      CREATE UNIQUE INDEX Z_Car_UNIQUE_numberPlate ON ZCAR (ZNUMBERPLATE COLLATE BINARY ASC);
      CREATE UNIQUE INDEX Z_Person_UNIQUE_firstName_lastName ON ZPERSON (ZFIRSTNAME COLLATE BINARY ASC, ZLASTNAME COLLATE BINARY ASC);
      """,
    rows: """
      \(HistoryTables.numbers(10)) INSERT INTO ZPERSON
        SELECT n, 4, 1, 600000000 + n * 0.75, printf('Firstname-%d', n), CASE n WHEN 10 THEN NULL ELSE 'Þórsdóttir' END,
          CAST(printf('person-%09d', n) AS BLOB) FROM n;
      \(HistoryTables.numbers(70)) INSERT INTO ZCAR
        SELECT n, CASE WHEN n <= 60 THEN 1 WHEN n <= 65 THEN 2 ELSE 3 END, CASE n WHEN 5 THEN 2 ELSE 1 END,
          CASE n % 9 WHEN 0 THEN NULL ELSE 1 + n % 10 END, CASE WHEN n > 65 THEN n % 2 END,
          CASE n WHEN 7 THEN -631064399 WHEN 8 THEN 600000000.5 END,
          CASE n % 3 WHEN 0 THEN 'Volta Motors' WHEN 1 THEN 'Ferro' ELSE 'Corsa Grande' END,
          CASE n % 7 WHEN 0 THEN NULL ELSE printf('Model-%d', n % 7) END, printf('PLATE-%04d', n),
          CASE n % 4 WHEN 0 THEN NULL ELSE CAST(printf('%024d', n) AS BLOB) END FROM n;
      """,
    keys: "(1, 'Car', 0, 71), (2, 'SportCar', 1, 0), (3, 'ExpensiveSportCar', 2, 0), (4, 'Person', 0, 10)")
}
