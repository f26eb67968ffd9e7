// The built-in source: earthquakes that look like a month's feed, the same for a seed on every machine.
import BatchmarkEngine
import CoreDataModel

/// Makes earthquakes, newest first, about three minutes apart.
///
/// It uses integer arithmetic. Fractions are made by one division by a power of ten, which rounds like parsing the same
/// decimal. Fields of optional attributes are null as often as in feeds.
struct EarthquakeGenerator {
  private let settings: GeneratorSettings
  private let codes: EventCodes
  private let law = GutenbergRichter()

  private static let source = "the generator"
  /// The time of the newest earthquake: 2018-06-12T16:38:28.820Z in milliseconds since 2001.
  private static let newest: Int64 = 1_528_821_508_820 - ISO8601.millisecondsTo2001
  /// A month's feed has about 15,000 earthquakes.
  private static let spacing = 169_000
  private static let magnitudeTypes = ["ml", "ml", "ml", "ml", "ml", "md", "md", "mb", "mww", "mwr"].map {
    Array($0.utf8)
  }
  private static let types = ["earthquake", "explosion", "quarry blast", "ice quake"].map { Array($0.utf8) }
  private static let statuses = ["automatic", "reviewed"].map { Array($0.utf8) }

  init(_ settings: GeneratorSettings) {
    self.settings = settings
    codes = EventCodes(settings)
  }

  /// Makes the columns of an entity; O(rows · attributes), about a tenth of a microsecond per value.
  func rows(for entity: EntityDescription) throws(SourceError) -> ColumnarRows {
    var columns: [Column] = []
    for attribute in entity.attributes { columns.append(try column(for: attribute, of: entity)) }
    return ColumnarRows(
      entityName: entity.name, attributes: entity.attributes, columns: columns, count: settings.rows)
  }

  private func column(for attribute: AttributeDescription, of entity: EntityDescription) throws(SourceError) -> Column {
    guard let field = SourceField.generated.first(where: { $0.name == attribute.name }) else {
      throw entity.missingField(
        attribute.name, fields: SourceField.generated.map(\.name), source: EarthquakeGenerator.source)
    }
    guard field.kind.types.contains(attribute.type) else {
      throw SourceError(
        source: EarthquakeGenerator.source,
        found: "the type '\(attribute.type.rawValue)' of the attribute '\(attribute.name)'",
        expected: field.kind.expectation)
    }
    let random = random(field.name)
    func fraction(_ row: Int, from low: Int = 0, below high: Int, over unit: Double) -> Double {
      Double(random.number(row, below: high - low) + low) / unit
    }
    switch field.name {
    case "code": return texts { codes.append($0, to: &$1) }
    case "net": return texts { codes.appendNetwork($0, to: &$1) }
    case "place": return places()
    case "magType": return words(EarthquakeGenerator.magnitudeTypes, random)
    case "type": return words(EarthquakeGenerator.types, random, rareOnceIn: 64)
    case "status": return words(EarthquakeGenerator.statuses, random)
    case "time": return times(attribute)
    case "updated": return times(attribute, later: random)
    case "magnitude": return numbers(attribute, nullOnceIn: 1000) { law.magnitude(random[$0]) }
    case "latitude": return numbers(attribute) { fraction($0, from: -600_000, below: 750_000, over: 10_000) }
    case "longitude": return numbers(attribute) { fraction($0, from: -1_800_000, below: 1_800_000, over: 10_000) }
    case "depth": return depths(attribute, random)
    case "nst": return numbers(attribute, nullOnceIn: 5) { fraction($0, from: 4, below: 121, over: 1) }
    case "gap": return numbers(attribute, nullOnceIn: 6) { fraction($0, from: 14, below: 354, over: 1) }
    case "dmin": return numbers(attribute, nullOnceIn: 6) { fraction($0, below: 400_000, over: 100_000) }
    default:  // rms, the only one left
      return numbers(attribute, nullOnceIn: 300) { fraction($0, below: 150, over: 100) }
    }
  }

  private func random(_ field: String) -> RandomField { RandomField(seed: settings.seed, field: field) }
}

// MARK: - Fields

extension EarthquakeGenerator {
  /// Seconds since 2001.
  ///
  /// If `later` is given, it adds up to three days.
  private func times(_ attribute: AttributeDescription, later: RandomField? = nil) -> Column {
    let jitter = random("time")
    return numbers(attribute) { row in
      let age = row * EarthquakeGenerator.spacing + jitter.number(row, below: EarthquakeGenerator.spacing)
      let delay = later?.number(row, below: 259_200_000) ?? 0
      return Double(EarthquakeGenerator.newest - Int64(age) + Int64(delay)) / 1000
    }
  }

  /// Kilometers: mostly shallow, some above the reference level, a few deep.
  private func depths(_ attribute: AttributeDescription, _ hundredths: RandomField) -> Column {
    let layer = random("depth layer")
    return numbers(attribute) { row in
      switch layer.number(row, below: 100) {
      case 0..<3: Double(hundredths.number(row, below: 300) - 300) / 100
      case 3..<90: Double(hundredths.number(row, below: 2_500)) / 100
      case 90..<98: Double(hundredths.number(row, below: 12_500) + 2_500) / 100
      default: Double(hundredths.number(row, below: 50_000) + 15_000) / 100
      }
    }
  }

  /// In the survey's notation: `12km SW of Volcano, Hawaii`.
  private func places() -> Column {
    let (distance, direction, town) = (random("place distance"), random("place direction"), random("place town"))
    return texts { row, bytes in
      bytes.append(contentsOf: Places.distances[distance.number(row, below: Places.distances.count)])
      bytes.append(contentsOf: Places.directions[direction.number(row, below: Places.directions.count)])
      bytes.append(contentsOf: Places.towns[town.number(row, below: Places.towns.count)])
    }
  }

  /// One of a few words.
  ///
  /// With a rarity, it is nearly always the first one.
  private func words(_ words: [[UInt8]], _ random: RandomField, rareOnceIn rarity: Int = 1) -> Column {
    texts { row, bytes in
      let number = random.number(row, below: words.count * rarity)
      bytes.append(contentsOf: words[number < words.count ? number : 0])
    }
  }
}

// MARK: - Columns

extension EarthquakeGenerator {
  private func texts(_ append: (Int, inout [UInt8]) -> Void) -> Column {
    var bytes: [UInt8] = []
    var starts: [Int] = []
    starts.reserveCapacity(settings.rows + 1)
    starts.append(0)
    for row in 0..<settings.rows {
      append(row, &bytes)
      starts.append(bytes.count)
    }
    return .text(BytesColumn(bytes: bytes, starts: starts, nulls: []))
  }

  private func numbers(
    _ attribute: AttributeDescription, nullOnceIn rarity: Int = 0, _ number: (Int) -> Double
  ) -> Column {
    let absence = random("\(attribute.name) absence")
    var nulls: [Bool] = []
    if rarity > 0 && attribute.isOptional {
      nulls = (0..<settings.rows).map { absence.happens($0, onceIn: rarity) }
    }
    switch attribute.type {
    case .int16, .int32, .int64:
      return .integers(NumberColumn(numbers: (0..<settings.rows).map { Int64(number($0)) }, nulls: nulls))
    case .float:
      return .reals(NumberColumn(numbers: (0..<settings.rows).map { Double(Float(number($0))) }, nulls: nulls))
    default:
      return .reals(NumberColumn(numbers: (0..<settings.rows).map { number($0) }, nulls: nulls))
    }
  }
}

/// Draws magnitudes according to the law of Gutenberg and Richter, log₁₀ N(≥ m) = a − b · m with b = 1 (Bulletin of the
/// Seismological Society of America 34, 1944), in steps of a hundredth from 0 to 9.5.
///
/// The law does not apply below the magnitude at which a network records every earthquake. One row in 64 is a small
/// one, uniformly from −1 to −0.01, as in the feeds of local networks.
struct GutenbergRichter {
  /// The highest magnitude, slightly above the greatest one measured (Valdivia 1960, 9.4 to 9.6).
  private static let steps = 950

  /// `survivors[k]` · 2⁻⁶⁴ is the share of earthquakes with a magnitude of at least k / 100, from k = 1 on.
  private let survivors: [UInt64]

  init() {
    // 10^(−1/100) · 2⁶⁴, rounded. Its powers by integer multiplication are the same on every machine, unlike those of a
    // math library.
    let ratio: UInt64 = 18_026_844_914_274_992_355
    var survivors: [UInt64] = []
    var share = ratio
    for _ in 0..<GutenbergRichter.steps {
      survivors.append(share)
      share = share.multipliedFullWidth(by: ratio).high
    }
    self.survivors = survivors
  }

  /// The magnitude for 64 random bits: the double nearest to its two decimals.
  func magnitude(_ bits: UInt64) -> Double {
    if bits & 63 == 0 { return Double(-1 - Int((bits >> 6) % 100)) / 100 }
    // Binary search for the number of steps the bits survive.
    var (low, high) = (0, survivors.count)
    while low < high {
      let middle = (low + high) / 2
      if bits < survivors[middle] { low = middle + 1 } else { high = middle }
    }
    return Double(low) / 100
  }
}

/// The parts of a place, as UTF-8.
enum Places {
  static let distances: [[UInt8]] = (1...150).map { Array("\($0)km ".utf8) }

  static let directions: [[UInt8]] = [
    "N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW",
  ].map { Array("\($0) of ".utf8) }

  static let towns: [[UInt8]] = [
    "Volcano, Hawaii", "Pāhala, Hawaii", "Nāʻālehu, Hawaii", "Honaunau-Napoopoo, Hawaii", "Kawaihae, Hawaii",
    "Leilani Estates, Hawaii", "Anchorage, Alaska", "Cantwell, Alaska", "Healy, Alaska", "Homer, Alaska",
    "Kotzebue, Alaska", "Coldfoot, Alaska", "Atka, Alaska", "Adak, Alaska", "Sand Point, Alaska", "Utqiaġvik, Alaska",
    "Talkeetna, Alaska", "Valdez, Alaska", "Yakutat, Alaska", "The Geysers, CA", "Cobb, CA", "Anza, CA", "Aguanga, CA",
    "Banning, CA", "Bombay Beach, CA", "Borrego Springs, CA", "Cabazon, CA", "Castaic, CA", "Coalinga, CA",
    "East Los Angeles, CA", "Ferndale, CA", "Gilroy, CA", "Hollister, CA", "Julian, CA", "La Cañada Flintridge, CA",
    "Little Lake, CA", "Mammoth Lakes, CA", "Niland, CA", "Parkfield, CA", "Petrolia, CA", "Piñon Hills, CA",
    "Ridgecrest, CA", "San Bernardino, CA", "San José, CA", "Tres Pinos, CA", "Trona, CA", "Searles Valley, CA",
    "Hawthorne, Nevada", "Mina, Nevada", "Spanish Springs, Nevada", "Tonopah, Nevada", "Wells, Nevada",
    "Ashford, Washington", "Morton, Washington", "Duvall, Washington", "Mount Hood Village, Oregon",
    "Virginia Gardens, Oregon", "Soda Springs, Idaho", "Challis, Idaho", "Lincoln, Montana", "Three Forks, Montana",
    "West Yellowstone, Montana", "Kanosh, Utah", "Enterprise, Utah", "Medford, Oklahoma", "Perry, Oklahoma",
    "Hennessey, Oklahoma", "Harper, Kansas", "Anthony, Kansas", "New Madrid, Missouri", "Ridgely, Tennessee",
    "Pecos, Texas", "Snyder, Texas", "Cañon City, Colorado", "Española, New Mexico", "Maria Antonia, Puerto Rico",
    "Añasco, Puerto Rico", "Boquerón, Puerto Rico", "Mayagüez, Puerto Rico", "Charlotte Amalie, U.S. Virgin Islands",
    "Punta Cana, Dominican Republic", "Mazatán, Mexico", "Ometepec, Mexico", "Puerto Ángel, Mexico",
    "Champerico, Guatemala", "Acajutla, El Salvador", "Corinto, Nicaragua", "Boca de Sábalos, Nicaragua",
    "Sámara, Costa Rica", "Burica, Panama", "Bahía de Caráquez, Ecuador", "Chincha Alta, Peru", "San Antonio, Chile",
    "Ovalle, Chile", "Hacienda La Calera, Chile", "Ñuñoa, Chile", "Putre, Chile", "San Juan, Argentina",
    "Ölfus, Iceland", "Siglufjörður, Iceland", "Longyearbyen, Svalbard and Jan Mayen", "Zákynthos, Greece",
    "Ierápetra, Greece", "Norcia, Italy", "Gjirokastër, Albania", "Ağrı, Turkey", "Muğla, Turkey", "Īlām, Iran",
    "Kermān, Iran", "Ashkāsham, Afghanistan", "Farkhor, Tajikistan", "Murghob, Tajikistan", "Leh, India",
    "Kathmandu, Nepal", "Wuliancheng, China", "Hualien City, Taiwan", "Ishigaki, Japan", "Hachinohe, Japan",
    "Ōfunato, Japan", "Shizunai-furukawachō, Japan", "Severo-Kuril’sk, Russia", "Petropavlovsk-Kamchatsky, Russia",
    "Sarangani, Philippines", "Santa Monica, Philippines", "Ternate, Indonesia", "Kupang, Indonesia",
    "Banda Aceh, Indonesia", "Saumlaki, Indonesia", "Kimbe, Papua New Guinea", "Panguna, Papua New Guinea",
    "Kirakira, Solomon Islands", "Isangel, Vanuatu", "Tadine, New Caledonia", "Nukuʻalofa, Tonga", "Ndoi Island, Fiji",
    "L’Esperance Rock, New Zealand", "Kaikōura, New Zealand", "Whakatāne, New Zealand",
    "Visokoi Island, South Georgia and the South Sandwich Islands",
  ].map { Array($0.utf8) }
}
