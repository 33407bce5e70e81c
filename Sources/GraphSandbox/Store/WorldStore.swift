/// Storage that keeps a world from one start of a sandbox to the next.
package protocol WorldStore: Sendable {
  /// Visits all records, in no particular order; none if the store is new.
  ///
  /// - Throws: why the store cannot be read, and what the visitor throws.
  func forEachRecord(_ visit: (_ key: String, _ value: [UInt8]) throws -> Void) throws

  /// Writes records, all or none of them; a record without a value is removed.
  ///
  /// - Returns: whether they were written; if not, the next change includes them again.
  func change(_ records: [(key: String, value: [UInt8]?)]) -> Bool
}
