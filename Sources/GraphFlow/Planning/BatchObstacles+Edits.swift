extension BatchObstacles {
  /// The obstacle's name for programs.
  var name: String {
    switch self {
    case .expectation: "expect"
    case .pages: "paginate"
    case .polling: "until"
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

  /// Why one obstacle means that the answer has to be here first, in a sentence.
  ///
  /// - Parameters:
  ///   - dependent: the name of the request that waits.
  ///   - other: the name of the one that is waited for.
  /// - Returns: a sentence without its full stop.
  func reason(_ dependent: String, _ other: String) -> String {
    switch self {
    case .expectation: "what `expect` says of '\(other)' is judged before anything uses its answer"
    case .pages: "'\(other)' follows pages, and its body is there once all of them are"
    case .polling: "'\(other)' is asked again until something holds"
    case .cleanUp: "'\(dependent)' runs after a failure, too, and Graph skips what follows one"
    case .group: "'\(other)' is in a group, which is waited for with all of its items"
    case .source: "the answer of '\(other)' holds the items"
    case .alone: "'\(dependent)' travels alone"
    case .otherAlone: "'\(other)' travels alone"
    case .uncertain:
      "'\(other)' fails if a reference in it selects nothing, and Graph would run what follows"
    case .condition: "`when` is judged before the request is sent"
    case .header: "Graph fills in no headers"
    case .file: "the file is read here"
    case .token: "the token has to be here to be used"
    case .json: "Graph would not quote what it puts into JSON"
    case .confirmation: "if the answer is lost, `confirm` is asked and needs the value"
    case .written:
      "where nothing matches Graph puts in an empty text, and a POST would write it"
    case .writePath: "where nothing matches Graph would write to another path"
    case .defaultValue: "Graph knows no defaults"
    case .wholeBody: "Graph fills in members, not whole bodies"
    case .memberName: "Graph reads such a member's name otherwise, or not at all"
    default: "Graph's JSONPath and RFC 9535 do not agree on \(fault)"
    }
  }

  /// What to change in the file so that the obstacle is gone.
  ///
  /// - Parameters:
  ///   - dependent: the name of the request that waits.
  ///   - other: the name of the one that is waited for.
  /// - Returns: an instruction without its full stop; nil if no edit helps.
  func edit(_ dependent: String, _ other: String) -> String? {
    switch self {
    case .expectation: "remove `expect` from '\(other)', or judge it in a request that nothing uses"
    case .pages: "remove `paginate` from '\(other)', if its first page is enough"
    case .polling: "remove `until` from '\(other)'"
    case .cleanUp: "remove `on_dependency_failure: run` from '\(dependent)'"
    case .group: "move '\(dependent)' into the group, so that it waits for its own item only"
    case .source: "give the items as a list, an input or a file"
    case .alone: "remove `batch: alone`, or the text '{result=', from '\(dependent)'"
    case .otherAlone: "remove `batch: alone`, or the text '{result=', from '\(other)'"
    case .uncertain: "let '\(dependent)' wait for another request, or order it before '\(other)'"
    case .condition: "take the reference out of `when`"
    case .header, .file: nil
    case .token: "name a profile in `token`"
    case .json: "send the value as a parameter of its own, outside JSON"
    case .confirmation: "take the reference out of `confirm`"
    case .written: "refer to `$.id` of a POST; nothing else is certain enough to be written"
    case .writePath: "make the reference the whole path, or refer to `$.id` of a POST"
    case .defaultValue: "remove the default"
    case .wholeBody: "refer to a member, such as {result=\(other):$.id}"
    case .filter, .slice, .descendants: "use names, indices from 0 and [*] instead of \(fault)"
    case .negativeIndex: "count from the front"
    case .selectors: "use one selector in each pair of brackets"
    default: nil
    }
  }
}
