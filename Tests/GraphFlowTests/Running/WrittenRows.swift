import JSONPath

@testable import GraphFlow

extension [OutputPart] {
  /// The rows of outputs with one file, as they are written.
  var rows: [(output: Int, value: JSON)] { written.rows }

  /// The rows of the files of items by their paths, as they are written.
  var files: [String: [JSON]] { written.files }

  /// The number of rows that were handed over and neither written nor dropped.
  var heldCount: Int { written.held.values.joined().count }

  private var written:
    (
      rows: [(output: Int, value: JSON)], files: [String: [JSON]], held: [[Int]: [JSON]]
    )
  {
    var rows: [(output: Int, value: JSON)] = []
    var (files, held) = ([String: [JSON]](), [[Int]: [JSON]]())
    for part in self {
      switch part {
      case .rows(let output, let values): rows += values.map { (output, $0) }
      case .held(let output, let item, let values): held[[output, item], default: []] += values
      case .released(let output, let item):
        rows += (held.removeValue(forKey: [output, item]) ?? []).map { (output, $0) }
      case .dropped(let output, let item): held[[output, item]] = nil
      case .file(let item):
        let first = held.removeValue(forKey: [item.output, item.item.index]) ?? []
        files[item.path] = first + item.rows
      case .window: break
      }
    }
    return (rows, files, held)
  }
}
