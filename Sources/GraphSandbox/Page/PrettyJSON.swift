import JSONPath

/// JSON, indented, in which the ids of objects are links to them.
struct PrettyJSON {
  let world: World
  let view: PageView

  func html(of json: JSON) -> HTML {
    var parts: [HTML] = []
    var text = ""
    write(json, indent: 0, &text, &parts)
    return .tag("code", holding: parts + [.text(text)])
  }

  private func write(_ json: JSON, indent: Int, _ text: inout String, _ parts: inout [HTML]) {
    let space = String(repeating: "  ", count: indent + 1)
    let end = "\n" + String(repeating: "  ", count: indent)
    switch json {
    case .array(let elements) where !elements.isEmpty:
      for (index, element) in elements.enumerated() {
        text += (index == 0 ? "[\n" : ",\n") + space
        write(element, indent: indent + 1, &text, &parts)
      }
      text += end + "]"
    case .object(let object) where !object.isEmpty:
      for (index, member) in object.members.enumerated() {
        text += (index == 0 ? "{\n" : ",\n") + space + "\(JSON.string(member.name)): "
        write(member.value, indent: indent + 1, &text, &parts)
      }
      text += end + "}"
    case .string(let id) where world.objects.place(of: id) != nil:
      parts += [.text(text + "\""), .link(view.with(\.object, id), .text(id))]
      text = "\""
    default: text += "\(json)"
    }
  }
}
