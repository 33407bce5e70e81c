import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The package's own files, as the tidy test reads them.
enum SourceTree {
  /// One file.
  struct File: Sendable, CustomTestStringConvertible {
    /// The path from the package's root.
    let path: String
    let lines: [String]
    let isBinary: Bool

    var testDescription: String { path }
  }

  /// The package's root, derived from the path of this file.
  static let root = String(#filePath.dropLast("/Tests/GraphFlowTests/SourceTree.swift".count))

  /// The files under some folders, sorted.
  static func files(under folders: [String], ending: String) -> [File] {
    folders.flatMap(paths).filter { $0.hasSuffix(ending) }.sorted().compactMap(file)
  }

  private static func paths(under folder: String) -> [String] {
    let entries = try? FileManager.default.contentsOfDirectory(atPath: "\(root)/\(folder)")
    return (entries ?? []).flatMap { entry in
      ["\(folder)/\(entry)"] + paths(under: "\(folder)/\(entry)")
    }
  }

  /// Whether there is a file or folder with this path from the root.
  static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: "\(root)/\(path)")
  }

  /// A file by its path from the root; `nil` for folders and missing files.
  static func file(_ path: String) -> File? {
    guard let data = FileManager.default.contents(atPath: "\(root)/\(path)") else { return nil }
    let text = String(decoding: data, as: UTF8.self)
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.last == "" { lines.removeLast() }
    return File(path: path, lines: lines, isBinary: data.contains(0))
  }
}

extension SourceTree.File {
  /// The functions and initialisers with a body, found by the formatter's indentation.
  var functions: [(line: Int, length: Int)] {
    var functions: [(line: Int, length: Int)] = []
    var open: [(line: Int, indentation: Int)] = []
    for (index, line) in lines.enumerated() {
      let indentation = line.prefix { $0 == " " }.count
      let code = line.dropFirst(indentation)
      if code.contains("func ") || code.hasPrefix("init(") || code.contains(" init(") {
        if !code.hasPrefix("//") && !code.hasSuffix("}") { open.append((index + 1, indentation)) }
      }
      // The body may be on the line that closes the parameters.
      guard code == "}" || code.hasPrefix(")") && code.hasSuffix("}"), let start = open.last,
        start.indentation == indentation
      else { continue }
      open.removeLast()
      functions.append((start.line, index + 1 - start.line + 1))
    }
    return functions
  }

  /// The folder under `Golden/` that the file is in, or its name if it is in none.
  var goldenFolder: String {
    let parts = path.split(separator: "/")
    let golden = parts.firstIndex(of: "Golden") ?? 0
    return parts.indices.contains(golden + 1) ? String(parts[golden + 1]) : path
  }
}
