import GraphSandbox
import JSONPath

/// The file of `--replay FILE`.
enum RecordingFile {
  /// Reads an HTTP archive.
  static func recording(at path: String) throws -> Recording {
    let (bytes, isWhole) = try FileReading.beginning(of: path, limit: sizeLimit)
    guard isWhole else { throw CommandFailure(.invalid, "'\(path)' is larger than 1 GiB") }
    do {
      return try Recording(archive: try JSON(parsing: bytes))
    } catch let error as JSON.SyntaxError {
      throw CommandFailure(.invalid, "'\(path)' is not JSON: \(error.message)")
    } catch let error as SandboxFailure {
      throw CommandFailure(.invalid, "'\(path)': \(error)")
    }
  }

  private static let sizeLimit = 1 << 30
}
