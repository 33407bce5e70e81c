internal import GraphAPI

/// A POST whose effect is unknown if its answer is lost (docs/reference/language.md, "Writes in
/// doubt").
///
/// A note that any decision of the author removes, `idempotent: false` included.
enum UnconfirmedWrite {
  static func check(_ file: inout LintedFile) {
    for (index, request) in file.workflow.requests.enumerated()
    where request.method == .post && !request.isIdempotent {
      guard let node = file.node(ofRequest: index), node.member("idempotent") == nil,
        node.member("confirm") == nil
      else { continue }
      file.report(
        .unconfirmedWrite,
        "if the answer is lost, it is unknown whether '\(request.name)' took effect", as: .note,
        at: request.location,
        hint: "add confirm to check, or idempotent: true if repeating it does no harm, else false")
    }
  }
}
