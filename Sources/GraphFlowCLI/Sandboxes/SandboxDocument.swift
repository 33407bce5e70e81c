import GraphSandbox
import JSONPath

/// A file of JSON that a sandbox answers with or starts from.
enum SandboxDocument {
  /// Reads a file.
  ///
  /// - Throws: ``CommandFailure`` if it cannot be read, is no JSON, or not what `make` expects.
  static func read<Value>(_ path: String, _ make: (JSON) throws -> Value) throws -> Value {
    let (bytes, isWhole) = try FileReading.beginning(of: path, limit: 1 << 30)
    guard isWhole else { throw CommandFailure(.invalid, "'\(path)' is larger than 1 GiB") }
    do {
      return try make(try JSON(parsing: bytes))
    } catch let error as JSON.SyntaxError {
      throw CommandFailure(.invalid, "'\(path)' is not JSON: \(error.message)")
    } catch let error as SandboxFailure {
      throw CommandFailure(.invalid, "'\(path)': \(error)")
    }
  }
}
