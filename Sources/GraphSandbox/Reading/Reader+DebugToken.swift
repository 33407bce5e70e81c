import JSONPath

extension Reader {
  /// `GET debug_token?input_token=…` (docs/internals/graph-api.md, debug_token): 200 for an invalid
  /// token, too.
  func debugToken(_ parameters: Parameters) throws(GraphFault) -> Answer {
    guard let token = parameters["input_token"], !token.isEmpty else {
      throw .parameterRequired("input_token")
    }
    return Answer(["data": .object(tokenFacts(token))])
  }

  private func tokenFacts(_ token: String) -> JSON.Object {
    let access = session.access
    let application = access.application
    var facts: JSON.Object = ["app_id": .string(application)]
    guard let grant = access.grants[token] else {
      facts["error"] = Self.facts(.tokenUnreadable)
      facts["is_valid"] = false
      facts["scopes"] = []
      return facts
    }
    facts["type"] = .string(grant.kind.rawValue)
    facts["application"] = .string(objects[application]?.name ?? "")
    facts["data_access_expires_at"] = 0
    facts["expires_at"] = .number(.init(grant.expires ?? 0))
    let fault = grant.fault(of: application, at: now)
    if let fault { facts["error"] = Self.facts(fault) }
    facts["is_valid"] = .bool(fault == nil)
    let granted = grant.user.flatMap { access.permissions[$0] } ?? []
    if let expires = grant.expires, grant.user != nil {
      facts["issued_at"] = .number(.init(max(0, expires - AccessTable.tokenLifetime)))
    }
    let scopes = granted.filter { $0.status == .granted }.map(\.name)
    facts["scopes"] = .array(scopes.map { .string($0) })
    // Without target_ids they hold for all pages and accounts of the user.
    let granular = scopes.filter { name in
      ["ads_", "instagram_", "pages_", "business_", "leads_"].contains { name.hasPrefix($0) }
    }
    facts["granular_scopes"] = .array(granular.map { ["scope": .string($0)] })
    if let user = grant.user { facts["user_id"] = .string(user) }
    if grant.kind == .page { facts["profile_id"] = .string(grant.profile) }
    return facts
  }

  /// An error inside `data`, with `subcode` and not `error_subcode`
  /// (docs/internals/graph-api.md, Errors).
  private static func facts(_ fault: GraphFault) -> JSON {
    var facts: JSON.Object = ["message": .string(fault.message)]
    if let code = fault.code { facts["code"] = .number(.init(code)) }
    if let subcode = fault.subcode { facts["subcode"] = .number(.init(subcode)) }
    return .object(facts)
  }
}
