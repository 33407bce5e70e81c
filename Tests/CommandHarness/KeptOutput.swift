import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Copies of what the command wrote, for `scripts/scan-secrets`; made if `GRAPHFLOW_KEEP_WRITTEN`
/// names a folder.
package enum KeptOutput {
  /// The folder; nil if nothing is kept.
  package static let folder: String? = getenv("GRAPHFLOW_KEEP_WRITTEN").map { String(cString: $0) }
    .flatMap { $0.isEmpty ? nil : $0 }

  private static let count = Mutex(0)

  /// Keeps the streams of a command and records the secrets that it received.
  package static func keep(_ words: [String], _ environment: [String: String], _ streams: [[UInt8]])
  {
    guard let folder, words.first?.hasSuffix("graphflow") == true else { return }
    let isSecret = { (name: String) in name.contains("TOKEN") || name.contains("SECRET") }
    for (name, value) in environment where isSecret(name) { append("\(value)\n", to: "canaries") }
    let number = next()
    // In the file's name, so that a hit says whose output it is.
    let command = words.dropFirst().first { $0.allSatisfy(\.isLetter) } ?? "none"
    // A sandbox prints its tokens on purpose.
    for (index, bytes) in streams.enumerated()
    where !bytes.isEmpty && !(command == "sandbox" && index == 0) {
      let name = "stream-\(number)-\(command.prefix(20))-\(index + 1)"
      guard let stream = fopen("\(folder)/\(name)", "wb") else { continue }
      fwrite(bytes, 1, bytes.count, stream)
      fclose(stream)
    }
  }

  /// Keeps files of a temporary folder by moving them, except those that the test itself wrote.
  package static func keep(_ files: [String], of temporary: String, except own: Set<String>) {
    guard let folder else { return }
    // A stored login holds a token. A sandbox's store holds only the worthless tokens of its world.
    let holdsTokens = { (file: String) in
      file.contains("graphflow/logins/") || file.hasPrefix("world.db")
    }
    for file in files where !own.contains(file) && !holdsTokens(file) {
      let name = file.split(separator: "/").joined(separator: "+")
      _ = rename("\(temporary)/\(file)", "\(folder)/file-\(next())-\(name.suffix(200))")
    }
  }

  private static func next() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }

  private static func append(_ line: String, to name: String) {
    guard let folder, let stream = fopen("\(folder)/\(name)", "ab") else { return }
    fputs(line, stream)
    fclose(stream)
  }
}
