import JSONPath

/// The object that is open: its fields as JSON, and its lists.
struct ObjectSection {
  let page: Page

  private var world: World { page.world }

  var html: HTML? {
    guard let id = page.view.object else { return nil }
    let title = "Object \(id)"
    guard let object = world.objects[id] else {
      return page.section(
        title, id: "object", [.tag("p", "This world has no such object."), close])
    }
    let fields = JSON.Object([("id", .string(id))] + object.fields.members.members)
    let pretty = PrettyJSON(world: world, view: page.view)
    return page.section(
      title, id: "object", note: object.type.name,
      [
        .tag(
          "pre", at: ["tabindex": "0", "role": "region", "aria-label": "Fields of \(id)"],
          pretty.html(of: TokenMask(world).json(.object(fields))))
      ]
        + world.objects.lists(of: id).sorted { $0.edge.name.text < $1.edge.name.text }
        .compactMap { list($0.edge, of: id) } + [close])
  }

  private func list(_ edge: Edge, of id: String) -> HTML? {
    guard let list = world.objects[edge, of: id], list.count > 0 else { return nil }
    let newest = list.entries.suffix(25).reversed().compactMap { world.objects[$0.object]?.id }
    let links = newest.flatMap { id -> [HTML] in
      [.link(page.view.with(\.object, id), .text(id)), " "]
    }
    let rest = list.count - newest.count
    return .tag(
      "p", at: ["class": "links"],
      holding: [.tag("strong", .text("\(edge.name.text) (\(list.count)) "))] + links
        + (rest > 0 ? [.text("and \(rest) older")] : []))
  }

  private var close: HTML { .tag("p", .link(page.view.with(\.object, nil), "Close the object")) }
}
