// The keys at the top of a scenario file, the keys of its cells, and those for the measurement.
import BatchmarkEngine
import CoreDataModel
import ObjectGraph

extension ValueDomain {
  static let rowCount = number(1...mostRows, of: " of rows")
  static let offset = number(0...mostRows, of: " of rows")
  static let listedValues = number(1...ValueList.most, of: " of values")
  static let repeats = number(1...1_000, of: " of times")
  static let rounds = number(1...10_000, of: " of rounds")
  static let warmUpRows = number(0...mostRows, of: " of rows")
  static let mergePolicies = words(MergePolicy.MergeType.allCases.map(\.rawValue))
  static let deleteRules = words(ScenarioVariant.treeRules.map(\.rawValue))
  static let indexChoices = words(IndexChoice.allCases.map(\.rawValue))
}

extension ScenarioKey.Kind {
  /// The keys of a single cell.
  static let cellParameter = ScenarioKey.Kind.text("as in a cell")
}

extension ScenarioKey {
  static let scenarioKeys = [
    ScenarioKey(
      "scenario", .text("name"), in: .scenario,
      help: "its name, a part of every cell's id: ASCII letters, digits, '-', '_' and '.'"),
    ScenarioKey(
      "description", .text("sentence"), in: .scenario, help: "the question that the report answers"),
    ScenarioKey(
      "about", .list("figures, or one: time, an exact figure, or a latency", .either(.text, .list(.text))),
      in: .scenario,
      default: "time",
      help: "what the question is about, such as heap_peak, syncs or latency.read.p99: the title answers with it"),
    ScenarioKey(
      "tags", .list("words", .list(.text)), in: .scenario,
      help: "words of your own for all cells, which --only tag:WORD and --skip tag:WORD select"),
    ScenarioKey(
      "model", .mapping("entities by name, or a path", .either(.text, .named(.keys(.entity)))), in: .scenario,
      help: "the entities that are stored, or the path of a model file; a store as source may have its own"),
    ScenarioKey(
      "entity", .text("entity"), in: .scenario, help: "entity of the rows, if the model has several"),
    ScenarioKey(
      "indexes", .value(.indexChoices), in: .scenario, [.sweep, .setting], default: "all",
      help: "which of the entity's indexes the store has"),
    ScenarioKey(
      "delete_rule", .value(.deleteRules), in: .scenario, [.sweep, .setting],
      help: "what deleting a row of trees does to those below it, in place of the model's rule"),
    ScenarioKey("source", .mapping("one source", .keys(.source)), in: .scenario, help: "where rows come from"),
    ScenarioKey(
      "map", .mapping("fields by attribute", .named(.text)), in: .scenario,
      help: "fields of a feed for attributes that have other names, such as {title: Title}"),
    ScenarioKey(
      "link", .mapping("attributes by relationship", .named(.text)), in: .scenario,
      help: "to-one relationships that rows get, each with the attribute that names the other object"),
    ScenarioKey(
      "operation", .value(.words(Operation.Kind.allCases.map(\.rawValue))), in: .scenario, default: "insert",
      help: "what is measured; all but insert fill the store first"),
    ScenarioKey(
      "where", .text("predicate"), in: .scenario, .setting,
      help: "which rows are updated, deleted or fetched; all by default"),
    ScenarioKey(
      "predicates",
      .mapping("predicates by name", .named(.either(.text, .named(.wholeNumber(1...ValueList.most))))), in: .scenario,
      help: "named choices of rows: {strong: magnitude >= 6}, or {some: {code: 1_000}}, a list of so many codes"),
    ScenarioKey(
      "predicate", .value(.name), in: .scenario, [.sweep, .setting],
      help: "which of the predicates chooses the rows, in place of 'where'"),
    ScenarioKey(
      "order", .text("attribute"), in: .scenario,
      help: "unique attribute that fetched rows are ordered by, so that each engine finds the same"),
    ScenarioKey(
      "descending", .flag, in: .scenario, default: "false", help: "whether a fetch has the greatest value first"),
    ScenarioKey(
      "offset", .value(.offset), in: .scenario, [.sweep, .setting], default: "0",
      help: "rows that a fetch leaves out at the start of its order"),
    ScenarioKey(
      "limit", .value(.rowCount), in: .scenario, [.sweep, .setting], help: "the most rows that a fetch reads"),
    ScenarioKey(
      "follow", .text("path of relationships"), in: .scenario,
      help: "relationships that are followed from each fetched row, such as tracks.artist"),
    ScenarioKey(
      "group_by", .text("attribute"), in: .scenario,
      help: "string, whole number or boolean whose values make groups, which a fetch reads in place of rows"),
    ScenarioKey(
      "aggregates", .list("aggregates", .list(.text)), in: .scenario,
      help: "what is read of each group, such as [count, max(magnitude)]"),
    ScenarioKey(
      "page_cache", .value(.words(PageCacheState.allCases.map(\.rawValue))), in: .scenario, [.sweep, .setting],
      default: "warm", help: "whether a fetch finds the store in memory, or reads it from the disk"),
    ScenarioKey(
      "set", .mapping("values by attribute", .named(.scalar)), in: .scenario, help: "the values that an update sets"),
    ScenarioKey(
      "versions", .mapping("changed entities by version", .named(.named(.keys(.changedEntity)))), in: .scenario,
      help: "how other versions of the model differ, for the key 'version'"),
    ScenarioKey(
      "version", .value(.name), in: .scenario, [.sweep, .setting],
      help: "which of the versions the store is migrated to"),
    ScenarioKey(
      "merge_policy", .value(.mergePolicies), in: .scenario, [.sweep, .setting],
      help: "what happens to rows whose unique values are taken"),
    ScenarioKey(
      "repeat", .value(.repeats), in: .scenario, [.sweep, .setting], default: "1",
      help: "how often the rows are ingested into one store"),
    ScenarioKey("merge", .cellParameter, in: .scenario, help: "default for cells that have the key and do not set it"),
    ScenarioKey(
      "history", .cellParameter, in: .scenario, help: "default for cells that have the key and do not set it"),
    ScenarioKey("reader", .cellParameter, in: .scenario, help: "default for cells that do not set it"),
    ScenarioKey(
      "beside", .mapping("readers and writers", .keys(.beside)), in: .scenario,
      help: "who else uses the store, at a fixed rate, while the operation is measured"),
    ScenarioKey(
      "store", .mapping("pragmas", .keys(.store)), in: .scenario, help: "SQLite pragmas, the same for every engine"),
    ScenarioKey(
      "list", .mapping("the list of an observing context", .keys(.list)), in: .scenario,
      help: "what cells with results show and keep in step while rows are stored"),
    ScenarioKey(
      "cells", .list("cells", .list(.cell)), in: .scenario, help: "what is compared, each with its parameters"),
    ScenarioKey(
      "sweep", .mapping("lists of values by key", .sweep), in: .scenario, help: "values that multiply the cells"),
    ScenarioKey(
      "exclude", .list("values by key", .list(.exclusion)), in: .scenario, help: "cells of a sweep that are left out"),
    ScenarioKey(
      "measure", .mapping("settings", .keys(.measure)), in: .scenario, help: "how often and how long to measure"),
    ScenarioKey("budgets", .list("budgets", .list(.text)), in: .scenario, help: "limits on figures of cells"),
    ScenarioKey(
      "gate", .mapping("limits by figure", .limits), in: .scenario,
      help: "how far figures may change before a comparison by pair fails: a share, a number, or none"),
  ]

  static let listKeys = [
    ScenarioKey("order", .text("attribute"), in: .list, help: "attribute that its rows are ordered by, required"),
    ScenarioKey("descending", .flag, in: .list, default: "false", help: "whether the greatest value comes first"),
    ScenarioKey(
      "section", .text("attribute"), in: .list, help: "attribute whose values are its sections, for results: sections"),
    ScenarioKey(
      "matching", .text("predicate"), in: .list, .setting, help: "rows that it has with results: matching"),
  ]

  static let cellKeys = [
    ScenarioKey("engine", .text("engine"), in: .cell, default: "the first", help: "engine that stores the rows"),
    ScenarioKey("strategy", .text("strategy"), in: .cell, help: "strategy of the engine, for the scenario's operation"),
    ScenarioKey(
      "tags", .list("words", .list(.text)), in: .cell, help: "words of your own for this cell, beside the scenario's"),
  ]

  static let measureKeys = [
    ScenarioKey(
      "rounds", .value(.rounds), in: .measure, .setting, default: "\(MeasureSettings().rounds)",
      help: "timed samples of each cell"),
    ScenarioKey(
      "warm_up", .value(.warmUpRows), in: .measure, .setting, default: "\(MeasureSettings().warmUpRows)",
      help: "rows that a worker stores untimed before it measures, or all"),
    ScenarioKey(
      "sample_limit", .duration, in: .measure, .setting, default: "\(Int(MeasureSettings().sampleLimit)) s",
      help: "the longest a sample may take before its worker is stopped"),
    ScenarioKey(
      "cell_limit", .duration, in: .measure, .setting, help: "the time after which a cell's other rounds are left out"),
  ]
}
