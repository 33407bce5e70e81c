import TestSupport
import Testing

/// Each capability of `docs/internals/capabilities.md` has a proof that exists, or says that it has
/// none.
struct CapabilityTests {
  private static let rows = TableRow.all(of: SourceTree.root + "/docs/internals/capabilities.md")

  @Test func `every row has a capability, a proof and what it shows`() {
    #expect(Self.rows.count > 50)
    for row in Self.rows { #expect(row.cells.count == 3, "\(row.cells)") }
    #expect(Set(Self.rows.map { $0.cells[0] }).count == Self.rows.count)
  }

  @Test func `every proof exists`() throws {
    for row in Self.rows where row.cells.count == 3 {
      let (proof, shown) = (row.cells[1], row.cells[2])
      if ["not built", "ended"].contains(proof) { continue }
      let file = try #require(SourceTree.file(proof), "\(proof)")
      if proof.hasSuffix(".swift") {
        #expect(file.lines.contains { $0.contains("func `\(shown)`") }, "\(proof): \(shown)")
      } else if proof.hasSuffix(".diagnostics") {
        #expect(file.lines.contains { $0.contains(shown) }, "\(proof): \(shown)")
      } else {
        let isPath = shown.hasPrefix("Tests/") || shown.hasPrefix("docs/")
        #expect(!isPath || SourceTree.exists(shown), "\(shown)")
      }
    }
  }
}
