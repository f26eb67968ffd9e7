// A store from 2015 with indexes and a constraint in the form used until 2017, and ordered relationships.
internal import CoreDataModel

extension SampleStore {
  static let garden = SampleStore(
    name: "garden-2015.sqlite", shape: .garden, frameworkVersion: Generation.of2015.frameworkVersion,
    uuid: garden2015.uuid, entities: counts("Bed 3, Crop 6, Herb 3"), model: garden2015.model.entities, isFresh: false,
    own: garden2015)

  private static let garden2015 = OwnStore(
    generation: .of2015, uuid: "2B0D0C4E-7A38-4C1B-8A0E-2015A5B0C004", model: gardenModel,
    identifiers: ["garden 2"], otherMetadata: ["gardenSeason": .string("spring")],
    schema: """
      CREATE TABLE ZBED ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZROW INTEGER, ZLABEL VARCHAR, CONSTRAINT ZLABEL_ZROW UNIQUE (ZLABEL, ZROW) );
      CREATE TABLE ZCROP ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZBED INTEGER, Z_FOK_BED INTEGER, ZHEIGHT FLOAT, ZSOWN TIMESTAMP, ZCODE VARCHAR, ZSCENT VARCHAR );
      CREATE TABLE Z_2NEIGHBOURS ( Z_2NEIGHBOUROF INTEGER, Z_2NEIGHBOURS INTEGER, PRIMARY KEY (Z_2NEIGHBOUROF, Z_2NEIGHBOURS) );
      CREATE INDEX ZCROP_ZBED_INDEX ON ZCROP (ZBED);
      CREATE INDEX ZCROP_ZCODE_INDEX ON ZCROP (ZCODE);
      CREATE INDEX ZCROP_ZSOWN_ZHEIGHT ON ZCROP (ZSOWN, ZHEIGHT);
      CREATE INDEX ZCROP_Z_ENT_INDEX ON ZCROP (Z_ENT);
      CREATE INDEX Z_2NEIGHBOURS_Z_2NEIGHBOURS_INDEX ON Z_2NEIGHBOURS (Z_2NEIGHBOURS, Z_2NEIGHBOUROF);
      """,
    // Orders only have a meaning within one bed, and are not positions: the first is 2048, and an object between two
    // others gets the middle.
    rows: """
      INSERT INTO ZBED VALUES (1, 1, 3, 1, 'south wall'), (2, 1, 1, 2, 'south wall'), (3, 1, 1, 1, 'north fence');
      INSERT INTO ZCROP VALUES
        (1, 2, 1, 1, 3072, 0.25, 450000000, 'leek-01', NULL), (2, 2, 1, 1, 2048, 1.5, 450000000.5, 'bean-01', NULL),
        (3, 3, 2, 1, 2560, 0.1, 450000060, 'thyme-1', 'thymol'), (4, 2, 1, 2, 2048, NULL, NULL, 'bean-02', NULL),
        (5, 3, 1, 2, 1024, 0.5, 450100000, 'sage-01', 'camphor'), (6, 3, 5, NULL, NULL, 2.0, NULL, 'laurel1', NULL),
        (7, 2, 1, 2, 4, 1.25, 450100000.25, 'maize-1', NULL), (8, 2, 1, 2, 7, 0.0, -3600, NULL, NULL),
        (12, 2, 1, 2, 13, 3.5, 449999999, 'hops-01', NULL);
      INSERT INTO Z_2NEIGHBOURS VALUES (1, 2), (2, 1), (2, 3), (3, 12), (7, 7);
      """,
    keys: "(1, 'Bed', 0, 3), (2, 'Crop', 0, 14), (3, 'Herb', 2, 0)")

  private static var gardenModel: ArchivableModel {
    var model = ArchivableModel([
      EntityDescription(
        "Bed", attributes: [.init("label", .string), .init("row", .int32)],
        relationships: [
          .init("crops", to: "Crop", inverse: "bed", isToMany: true, isOrdered: true, deleteRule: .deny)
        ], uniquenessConstraints: [["label", "row"]]),
      EntityDescription(
        "Crop",
        attributes: [
          .init("code", .string, isOptional: true, validationRules: [.pattern("[a-z]+-?[0-9]+")]),
          .init("height", .float, isOptional: true, defaultValue: 0.5), .init("sown", .date, isOptional: true),
        ],
        relationships: [
          .init("bed", to: "Bed", inverse: "crops"),
          .init("neighbourOf", to: "Crop", inverse: "neighbours", isToMany: true),
          .init("neighbours", to: "Crop", inverse: "neighbourOf", isToMany: true),
        ],
        fetchIndexes: [.init("sown_height", on: ["sown", "height"]), .init("byCodeIndex", on: ["code"])]),
      EntityDescription("Herb", superentity: "Crop", attributes: [.init("scent", .string, isOptional: true)]),
    ])
    model.hasOldIndexes = true
    return model
  }
}
