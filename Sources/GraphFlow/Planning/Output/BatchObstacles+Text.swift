extension BatchObstacles {
  /// The single obstacles, in a fixed order.
  var members: [BatchObstacles] {
    (0..<UInt32(UInt32.bitWidth)).map { BatchObstacles(rawValue: 1 << $0) }.filter(contains)
  }

  /// One obstacle in a few words, given the name of the dependent request; `it` means the request that
  /// it waits for.
  func shortReason(_ dependent: String) -> String {
    switch self {
    case .expectation: "its `expect` is evaluated first"
    case .pages: "all of its pages are read first"
    case .polling: "it is repeated until its condition holds"
    case .report: "its rows are read when its run is complete"
    case .cleanUp: "'\(dependent)' also runs after failures"
    case .group: "all of its items finish first"
    case .source: "its answer contains the items"
    case .alone: "'\(dependent)' travels alone"
    case .otherAlone: "it travels alone"
    case .uncertain: "a reference in it may match nothing"
    case .condition: "a reference in `when`"
    case .header: "a reference in a header"
    case .file: "a reference in the path of a file"
    case .token: "its answer contains the token"
    case .confirmation: "a reference in `confirm`"
    case .guarded: "the machine's guard reads where it leads"
    default: "reference resolved by graphflow: \(unsupportedPart)"
    }
  }

  /// The obstacle's name in JSON.
  var name: String {
    switch self {
    case .expectation: "expect"
    case .pages: "paginate"
    case .polling: "until"
    case .report: "report"
    case .cleanUp: "on_dependency_failure"
    case .group: "group"
    case .source: "source"
    case .alone, .otherAlone: "alone"
    case .uncertain: "uncertain"
    case .condition: "when"
    case .header: "header"
    case .file: "file"
    case .token: "token"
    case .json: "inside_json"
    case .confirmation: "confirm"
    case .written: "post_parameter"
    case .writePath: "write_path"
    case .guarded: "guard"
    case .defaultValue: "default"
    case .wholeBody: "whole_body"
    case .filter: "filter"
    case .slice: "slice"
    case .descendants: "descendants"
    case .negativeIndex: "negative_index"
    case .selectors: "selectors"
    case .memberName: "member_name"
    default: "other"
    }
  }

  /// Why graphflow needs the answer before it sends the dependent request, as a sentence.
  ///
  /// It names the request that waits, and the other one that it waits for; without its full stop.
  func reason(_ dependent: String, _ other: String) -> String {
    switch self {
    case .expectation: "`expect` of '\(other)' is evaluated before anything uses its answer"
    case .pages: "'\(other)' follows pages, and its body is complete only after the last one"
    case .polling: "'\(other)' is repeated until its condition holds"
    case .report: "'\(other)' is a report, whose rows are read when its run is complete"
    case .cleanUp: "'\(dependent)' also runs after a failure, but Graph skips what follows one"
    case .group: "'\(other)' is in a group, and '\(dependent)' waits for all of its items"
    case .source: "the answer of '\(other)' contains the items"
    case .alone: "'\(dependent)' travels alone"
    case .otherAlone: "'\(other)' travels alone"
    case .uncertain:
      "'\(other)' fails if a reference in it matches nothing, but Graph would run what follows"
    case .condition: "`when` is evaluated before the request is sent"
    case .header: "Graph does not fill in headers"
    case .file: "graphflow reads the file"
    case .token: "graphflow needs the token to send the request"
    case .json: "Graph would not escape a value inside JSON"
    case .confirmation: "if the answer is lost, the check of `confirm` needs the value"
    case .written: "if nothing matches, Graph would write an empty string"
    case .writePath: "if nothing matches, Graph would write to another path"
    case .guarded: "the machine's guard reads where '\(dependent)' leads before it is sent"
    case .defaultValue: "Graph does not support defaults"
    case .wholeBody: "Graph fills in members, not whole bodies"
    case .memberName: "Graph reads such a member name differently, or not at all"
    default: "Graph's JSONPath and RFC 9535 differ on \(unsupportedPart)"
    }
  }

  /// How to remove the obstacle by editing the file, without a full stop; nil if no edit helps.
  func edit(_ dependent: String, _ other: String) -> String? {
    switch self {
    case .expectation: "remove `expect` from '\(other)', or move it to a request that nothing uses"
    case .pages: "remove `paginate` from '\(other)', if its first page is enough"
    case .polling: "remove `until` from '\(other)'"
    case .report: "request the insights of '\(other)' with `get`, if they are few"
    case .cleanUp: "remove `on_dependency_failure: run` or `always` from '\(dependent)'"
    case .group: "move '\(dependent)' into the group, so that it only waits for its own item"
    case .source: "give the items as a list, an input or a file"
    case .alone: "remove `batch: alone`, or the text '{result=', from '\(dependent)'"
    case .otherAlone: "remove `batch: alone`, or the text '{result=', from '\(other)'"
    case .uncertain: "make '\(dependent)' wait for another request, or order it before '\(other)'"
    case .condition: "take the reference out of `when`"
    case .header, .file: nil
    case .token: "name a profile in `token`"
    case .json: "send the value as a parameter of its own, outside JSON"
    case .confirmation: "take the reference out of `confirm`"
    case .written: "refer to `$.id` of a POST, which every successful POST returns"
    case .writePath: "make the reference the whole path, or refer to `$.id` of a POST"
    case .defaultValue: "remove the default"
    case .wholeBody: "refer to a member, such as {result=\(other):$.id}"
    case .filter, .slice, .descendants:
      "use names, indices from 0 and [*] instead of \(unsupportedPart)"
    case .negativeIndex: "count from the front"
    case .selectors: "use one selector in each pair of brackets"
    default: nil
    }
  }

  /// The part of a reference that Graph cannot resolve.
  private var unsupportedPart: String {
    switch self {
    case .json: "inside JSON"
    case .written: "a POST would write an empty string"
    case .writePath: "part of a write's path"
    case .defaultValue: "it has a default"
    case .wholeBody: "the whole body"
    case .filter: "a filter"
    case .slice: "a slice"
    case .descendants: "descendants"
    case .negativeIndex: "an index from the end"
    case .selectors: "several selectors"
    case .memberName: "an unusual member name"
    default: "graphflow needs the value"
    }
  }
}
