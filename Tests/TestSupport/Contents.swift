#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A file that could not be read or written, with the system's reason.
public struct FileFault: Error, CustomStringConvertible {
  /// The path and the reason.
  public let description: String

  init(_ path: String) { description = "\(path): \(String(cString: strerror(errno)))" }
}

/// The bytes of the file at `path`.
public func contents(of path: String) throws -> [UInt8] {
  guard let file = fopen(path, "rb") else { throw FileFault(path) }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 65_536)
  while true {
    let count = fread(&chunk, 1, chunk.count, file)
    guard count > 0 else { break }
    bytes.append(contentsOf: chunk[..<count])
  }
  guard ferror(file) == 0 else { throw FileFault(path) }
  return bytes
}

/// The text of the UTF-8 file at `path`.
public func text(of path: String) throws -> String {
  String(decoding: try contents(of: path), as: UTF8.self)
}

/// Replaces the file at `path` by this text.
func write(_ text: String, to path: String) throws {
  guard let file = fopen(path, "wb") else { throw FileFault(path) }
  let bytes = Array(text.utf8)
  let written = fwrite(bytes, 1, bytes.count, file)
  guard fclose(file) == 0, written == bytes.count else { throw FileFault(path) }
}
