import JSONPath
import TestSupport

@testable import GraphFlow

/// Files with a command to a CI system in every place that may hold text.
enum HostileTexts {
  static let commands = [
    "::error file=x,line=1::y", " \t::set-output name=a::b", "%0A::warning::x%0D%0A",
    "a\n::stop-commands::t\n", "a\r\n##[group]b", "##[add-mask]a", "##vso[task.setvariable v=a]b",
    "\u{2028}::debug::x\u{85}::error::y", "%25%3A%3Aerror%3A%3A", "::", "##[", "\u{1b}[2J\u{9b}31m",
  ]

  /// Every broken golden file, and two valid ones with all keys.
  static let corpus: [String] =
    InvalidWorkflowTests.cases.compactMap { try? text(of: $0.path + ".yaml") }
    .filter { $0.utf8.count < 20_000 } + [WorkflowSample.everything, GroupReadingTests.text]

  /// The variants of a file with a command after one of its lines, or on a line of its own.
  static func withLines(of file: String) -> [String] {
    let lines = file.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    return lines.indices.flatMap { index in
      let command = commands[index % commands.count]
      return [lines[index] + command, command + "\n" + lines[index]].map { line in
        var changed = lines
        changed[index] = line
        return changed.joined(separator: "\n")
      }
    }
  }

  /// The variants of a file with a command in one of its values and keys.
  static func withValues(of file: String) -> [String] {
    guard let value = WorkflowSchemaTests.json(Array(file.utf8)) else { return [] }
    let tree = FileTree(value)
    return (0..<min(tree.count, 400)).flatMap { position in
      changes(of: tree[position], number: position).map { part in
        var changed = tree
        changed[position] = part
        return changed.text
      }
    }
  }

  private static func changes(of part: FileTree, number: Int) -> [FileTree] {
    let command = commands[number % commands.count]
    switch part {
    case .scalar(.string(let text)):
      return [.scalar(.string(command)), .scalar(.string(text + command))]
    case .scalar: return [.scalar(.string(command))]
    case .list(let elements): return [.list(elements + [.scalar(.string(command))])]
    case .map(let members):
      return members.indices.map { index in
        var changed = members
        changed[index].key += commands[(number + index) % commands.count]
        return .map(changed)
      } + [.map(members + [(command, .scalar(.string(command)))])]
    }
  }
}
