// Orders of measurement: balanced in position and time, random, and the same for the same seed.
import MissionTags
import Statistics
import Testing

@Suite("A2 · balanced random orders", .tags(.a2, .a7))
struct BalancedOrdersTests {
  @Test("Two sides come in blocks AB BA or BA AB, with equal probability")
  func pairs() {
    let orders = balancedOrders(alternatives: 2, rounds: 4000, seed: 1)
    var startingWithFirst = 0
    for block in stride(from: 0, to: orders.count, by: 2) {
      #expect(orders[block].sorted() == [0, 1])
      #expect(orders[block + 1] == orders[block].reversed())
      startingWithFirst += orders[block] == [0, 1] ? 1 : 0
    }
    // The 99.9 % limits of scipy.stats.binom(2000, 0.5).
    #expect((927...1073).contains(startingWithFirst))
  }

  @Test("With more sides, each comes once in each position of a square, and squares differ", arguments: 1...7)
  func squares(alternatives: Int) {
    let orders = balancedOrders(alternatives: alternatives, rounds: alternatives * 20, seed: 7)
    for square in stride(from: 0, to: orders.count, by: alternatives) {
      let rows = orders[square..<square + alternatives]
      for place in 0..<alternatives { #expect(Set(rows.map { $0[place] }).count == alternatives) }
      #expect(rows.allSatisfy { $0.sorted() == Array(0..<alternatives) })
    }
    if alternatives > 2 { #expect(Set(orders).count > alternatives) }
  }

  @Test("With three sides, every order of a round has the same probability")
  func fairness() {
    var frequency: [[Int]: Int] = [:]
    let squares = 4000
    for order in balancedOrders(alternatives: 3, rounds: squares * 3, seed: 5) { frequency[order, default: 0] += 1 }
    #expect(frequency.count == 6)
    // A square has either the three orders of one kind or the three of the other. Chi-squared of both kinds, 99.9 %.
    let even = Double(frequency[[0, 1, 2], default: 0])
    #expect(abs(even - Double(squares) / 2) < 3.29 * (Double(squares) / 4).squareRoot())
    #expect(frequency[[1, 2, 0]] == frequency[[0, 1, 2]] && frequency[[2, 1, 0]] == frequency[[0, 2, 1]])
  }

  @Test("A seed determines one order, and a longer schedule begins with the shorter one")
  func seeds() {
    let long = balancedOrders(alternatives: 2, rounds: 90, seed: 42)
    #expect(balancedOrders(alternatives: 2, rounds: 27, seed: 42) == Array(long.prefix(27)))
    #expect(balancedOrders(alternatives: 2, rounds: 90, seed: 43) != long)
    #expect(balancedOrders(alternatives: 5, rounds: 7, seed: 42).count == 7)
    #expect(balancedOrders(alternatives: 0, rounds: 9, seed: 1).isEmpty)
    #expect(balancedOrders(alternatives: 2, rounds: 0, seed: 1).isEmpty)
    #expect(balancedOrders(alternatives: 1, rounds: 3, seed: 1) == [[0], [0], [0]])
  }
}
