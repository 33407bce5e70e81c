extension Workflow {
  /// The index of the request with a display name.
  package func index(ofRequestNamed name: String) -> Int? {
    requests.firstIndex { $0.displayName == name }
  }

  /// The display name of the request that was probably meant, if one is near.
  package func requestName(near name: String) -> String? {
    let ofGroup = requests.first { request in
      request.group.map { groups[$0].name == name } ?? false
        || request.name == name
    }
    return ofGroup?.displayName ?? NearestName.to(name, among: requests.lazy.map(\.displayName))
  }
}
