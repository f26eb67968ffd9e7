// The words of generated places: distances, winds and towns, some of them beyond ASCII.

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
