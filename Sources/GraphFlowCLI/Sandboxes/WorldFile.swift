import GraphFlow
import GraphSandbox

/// A world file that the user has named.
enum WorldFile {
  /// Reads a world file; what is wrong with it goes to standard error.
  ///
  /// - Throws: a ``CommandFailure``: 66 for a file that cannot be read, 65 for one that is wrong.
  static func world(at path: String) throws -> WorldDescription {
    let (bytes, isWhole) = try FileReading.beginning(of: path, limit: sizeLimit)
    let source = SourceFile(path: path, bytes: bytes, isWhole: isWhole)
    let (world, diagnostics) = WorldReader.reading(source)
    Diagnostics.say(diagnostics, of: source)
    guard let world else { throw CommandFailure.silent(.invalid) }
    return world
  }

  /// No world file is larger.
  private static let sizeLimit = 64 << 20
}
