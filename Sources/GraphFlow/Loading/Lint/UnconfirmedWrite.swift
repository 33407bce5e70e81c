internal import GraphAPI

/// A POST whose answer is lost may have happened or not, and nobody will know (docs/language.md,
/// "Writes in doubt").
///
/// A note, and only until the author has said something: `idempotent: false` is an answer, too.
enum UnconfirmedWrite {
  static func diagnostics(in file: inout LintedFile) -> [Diagnostic] {
    var found: [Diagnostic] = []
    let requests = file.workflow.requests
    for index in requests.indices
    where requests[index].method == .post && !requests[index].isIdempotent {
      guard let node = file.node(ofRequest: index), node.member("idempotent") == nil,
        node.member("confirm") == nil
      else { continue }
      found.append(
        file.finding(
          .unconfirmedWrite,
          "if its answer is lost, nobody knows whether '\(requests[index].name)' took effect",
          as: .note,
          at: requests[index].location,
          hint: "write confirm to find out, or idempotent: true if twice does no harm, else false"
        )
      )
    }
    return found
  }
}
