internal import Crypto
internal import GraphAPI

/// A file's bytes and the path that the user typed.
public struct SourceFile: Sendable {
  /// The path as typed; `-` is standard input.
  public let path: String
  /// The contents, unchecked.
  public let bytes: [UInt8]
  /// Whether these are all of its bytes; a file that was too large to be read whole is refused.
  package let isWhole: Bool

  /// Whether diagnostics may print its lines; false if a link leads out of the folder in which the
  /// file was named.
  package let isShown: Bool

  /// The file and those that it includes, whose contents follow one another in `bytes`; empty for a
  /// file without `include`.
  package internal(set) var parts: [FilePart] = []
  /// For each part, what is at the paths that it includes.
  var included: [[String: Included]] = []

  /// Pairs a path with the bytes that were read from it.
  public init(path: String, bytes: [UInt8], isWhole: Bool = true, isShown: Bool = true) {
    self.path = path
    self.bytes = bytes
    self.isWhole = isWhole
    self.isShown = isShown
  }

  package var digest: String { Hexadecimal.text(of: SHA256.hash(data: bytes)) }

  /// The length of the byte order mark at the beginning; 0 if there is none.
  static func markLength(of bytes: some Sequence<UInt8>) -> Int {
    bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
  }
}

extension SourceFile {
  /// A file in the bytes of the workflow file that includes it.
  ///
  /// Lines are counted through all parts, so that a location says which file it is in.
  package struct FilePart: Hashable, Sendable {
    package let path: String
    var range: Range<Int>
    let linesBefore: Int
    /// The byte order mark of the file, which is not in the range.
    var mark: ArraySlice<UInt8> = []
  }

  /// What is at a path of `include`.
  enum Included: Hashable, Sendable {
    case part(Int)
    case unusable(FilePresence)
  }

  /// A part as a file of its own.
  func file(of part: Int) -> SourceFile {
    guard parts.indices.contains(part) else { return self }
    return SourceFile(
      path: parts[part].path, bytes: Array(bytes[parts[part].range]), isWhole: isWhole,
      isShown: isShown)
  }

  /// The file without those that it includes.
  package var alone: SourceFile { file(of: 0) }

  /// The files whose contents differ from those in another version of this file.
  package func changes(
    from old: SourceFile
  ) -> [(path: String, old: [UInt8], new: [UInt8])] {
    guard !parts.isEmpty else { return bytes == old.bytes ? [] : [(path, old.bytes, bytes)] }
    return zip(parts, old.parts).compactMap { new, former in
      let (before, after) = (old.bytes[former.range], bytes[new.range])
      return before == after ? nil : (new.path, Array(new.mark + before), Array(new.mark + after))
    }
  }
}

extension [SourceFile.FilePart] {
  /// A location as one in the file that it is in; the path is nil if there is only one file.
  func place(of location: SourceLocation) -> (path: String?, location: SourceLocation) {
    guard let part = last(where: { $0.linesBefore < location.line }) else {
      return (nil, location)
    }
    return (part.path, location.moved(by: -part.linesBefore))
  }

  /// A location in a file as one in all parts.
  func location(of location: SourceLocation, in path: String) -> SourceLocation {
    first { $0.path == path }.map { location.moved(by: $0.linesBefore) } ?? location
  }
}
