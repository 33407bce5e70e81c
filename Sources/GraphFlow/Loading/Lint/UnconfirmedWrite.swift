internal import GraphAPI

/// A POST whose answer is lost may have happened or not, and nobody will know (language.md §10).
///
/// A note, and only until the author has said something: `idempotent: false` is an answer, too.
enum UnconfirmedWrite {
  static func diagnostics(in file: inout LintedFile) -> [Diagnostic] {
    var found: [Diagnostic] = []
    for (index, request) in file.workflow.requests.enumerated()
    where request.method == .post && !request.isIdempotent {
      guard let node = file.node(ofRequest: index), node.member("idempotent") == nil,
        node.member("confirm") == nil
      else { continue }
      found.append(
        file.finding(
          .unconfirmedWrite,
          "if its answer is lost, nobody knows whether '\(request.name)' took effect",
          as: .note,
          at: request.location,
          hint: "say idempotent: true if twice does no harm, else idempotent: false"
        )
      )
    }
    return found
  }
}
