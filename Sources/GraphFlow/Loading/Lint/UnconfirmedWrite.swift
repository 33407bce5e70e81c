internal import GraphAPI

/// A POST whose answer is lost may have happened or not, and nobody will know
/// (docs/reference/language.md, "Writes in doubt").
///
/// A note, and only until the author has said something: `idempotent: false` is an answer, too.
enum UnconfirmedWrite {
  static func check(_ file: inout LintedFile) {
    for (index, request) in file.workflow.requests.enumerated()
    where request.method == .post && !request.isIdempotent {
      guard let node = file.node(ofRequest: index), node.member("idempotent") == nil,
        node.member("confirm") == nil
      else { continue }
      file.report(
        .unconfirmedWrite,
        "if its answer is lost, nobody knows whether '\(request.name)' took effect",
        as: .note,
        at: request.location,
        hint: "write confirm to find out, or idempotent: true if twice does no harm, else false"
      )
    }
  }
}
