/// Where a world is kept between one start of a sandbox and the next.
package protocol WorldStore: Sendable {
  /// Visits all records, in no particular order; none if nothing was kept yet.
  ///
  /// - Throws: why the store cannot be read, and what the visitor throws.
  func forEachRecord(_ visit: (_ key: String, _ value: [UInt8]) throws -> Void) throws

  /// Changes records, all or none of them; a record without a value is taken away.
  ///
  /// - Returns: whether they are kept; if not, the same ones come again with the next change.
  func change(_ records: [(key: String, value: [UInt8]?)]) -> Bool
}
