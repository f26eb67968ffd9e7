// A store like those of the first iPhones: small pages, the old format of rows, a rollback journal, no copy of the
// model.
internal import CoreDataModel

extension SampleStore {
  /// Pairs of categories and recipes, soups that are recipes, and ingredients with a companion column for a key.
  static let recipes = SampleStore(
    name: "recipes-2009.sqlite", shape: .recipes, frameworkVersion: Generation.of2009.frameworkVersion,
    uuid: recipes2009.uuid, entities: counts("Category 3, Ingredient 20, Recipe 4, Soup 2"),
    anomalies: [oldWithoutCache], hasModelCache: false, autoVacuum: Generation.of2009.autoVacuum, isFresh: false,
    own: recipes2009)

  private static let recipes2009 = OwnStore(
    generation: .of2009, uuid: "2B0D0C4E-7A38-4C1B-8A0E-2009A5B0C001",
    model: ArchivableModel([
      EntityDescription("Category"), EntityDescription("Ingredient"), EntityDescription("Recipe"),
      EntityDescription("Soup", superentity: "Recipe"),
    ]),
    identifiers: [],
    schema: """
      CREATE TABLE ZCATEGORY ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR );
      CREATE TABLE Z_1RECIPES ( Z_1CATEGORIES INTEGER, Z_3RECIPES INTEGER, PRIMARY KEY (Z_1CATEGORIES, Z_3RECIPES) );
      CREATE TABLE ZINGREDIENT ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZPLACE INTEGER, ZRECIPE INTEGER, Z3_RECIPE INTEGER, ZAMOUNT VARCHAR );
      CREATE TABLE ZRECIPE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZMINUTES INTEGER, ZISCOLD INTEGER, ZCOOKED TIMESTAMP, ZRATING FLOAT, ZCOST DECIMAL, ZTITLE VARCHAR, ZPICTURE BLOB );
      CREATE INDEX Z_1RECIPES_Z_3RECIPES_INDEX ON Z_1RECIPES (Z_3RECIPES, Z_1CATEGORIES);
      CREATE INDEX ZINGREDIENT_ZRECIPE_INDEX ON ZINGREDIENT (ZRECIPE);
      CREATE INDEX ZRECIPE_Z_ENT_INDEX ON ZRECIPE (Z_ENT);
      """,
    // Whole dates are integers, negative before 2001. Decimals pass through a double.
    rows: """
      INSERT INTO ZCATEGORY VALUES (1, 1, 1, 'Winter dishes'), (2, 1, 1, 'Quick dishes'), (4, 1, 3, 'Größe ⅓ für Gäste');
      INSERT INTO ZRECIPE VALUES
        (1, 3, 1, 20, NULL, 261100800, 4.5, 10.11, 'Potatoes in salt', zeroblob(300)),
        (2, 3, 2, 1, NULL, -631064399, 3.0, 0, 'Bread and oil', NULL),
        (3, 4, 1, 45, 0, 261100800.5, 0.0, 3.3333333332999993, 'Cabbage soup', NULL),
        (5, 3, 1, 0, NULL, NULL, NULL, NULL, NULL, NULL), (6, 4, 7, 90, 1, 0, 1.25, -1, 'Cold cucumber soup', NULL),
        (9, 3, 1, 30, NULL, 261187200, 4.0, 7, 'Rice pudding', NULL);
      INSERT INTO Z_1RECIPES VALUES (1, 1), (1, 3), (2, 2), (2, 3), (2, 6);
      \(HistoryTables.numbers(20)) INSERT INTO ZINGREDIENT
        SELECT n, 2, 1, n % 5, r.Z_PK, r.Z_ENT, printf('%d grams of it', n * 10) FROM n
        LEFT JOIN ZRECIPE AS r ON r.Z_PK = nullif(n % 4, 0);
      """,
    keys: "(1, 'Category', 0, 4), (2, 'Ingredient', 0, 22), (3, 'Recipe', 0, 9), (4, 'Soup', 3, 0)")
}
