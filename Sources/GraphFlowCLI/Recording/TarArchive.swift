/// An archive of files in the format of POSIX `tar` ("ustar"), as bytes.
///
/// https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html, "ustar Interchange Format".
/// All files are private and belong to nobody, so that the same files give the same bytes.
struct TarArchive {
  private static let blockSize = 512
  private var contents: [UInt8] = []
  /// The time of all files, in seconds since 1970.
  let time: Int64

  init(time: Int64) { self.time = time }

  /// Adds a file, whose name has at most 100 bytes and whose content has less than 8 GiB.
  mutating func add(_ name: String, _ bytes: [UInt8]) {
    contents += header(name, size: bytes.count) + bytes
    pad()
  }

  /// The archive: its files and two empty blocks.
  var bytes: [UInt8] { contents + [UInt8](repeating: 0, count: 2 * TarArchive.blockSize) }

  private mutating func pad() {
    let rest = contents.count % TarArchive.blockSize
    if rest > 0 { contents += [UInt8](repeating: 0, count: TarArchive.blockSize - rest) }
  }

  private func header(_ name: String, size: Int) -> [UInt8] {
    var fields: [(text: String, size: Int)] = [
      (name, 100), (octal(0o600, 7), 8), (octal(0, 7), 8), (octal(0, 7), 8),
      (octal(Int64(size), 11), 12), (octal(max(0, time), 11), 12), ("        ", 8), ("0", 1),
      ("", 100), ("ustar", 6), ("00", 2),
    ]
    var bytes = TarArchive.joined(fields)
    // The sum of all bytes, with spaces in place of the sum itself.
    let sum = bytes.reduce(0) { $0 + Int64($1) }
    fields[6].text = octal(sum, 6) + "\0 "
    bytes = TarArchive.joined(fields)
    return bytes + [UInt8](repeating: 0, count: TarArchive.blockSize - bytes.count)
  }

  private static func joined(_ fields: [(text: String, size: Int)]) -> [UInt8] {
    fields.flatMap { field in
      let text = Array(field.text.utf8.prefix(field.size))
      return text + [UInt8](repeating: 0, count: field.size - text.count)
    }
  }

  private func octal(_ number: Int64, _ width: Int) -> String {
    let digits = String(number, radix: 8)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
