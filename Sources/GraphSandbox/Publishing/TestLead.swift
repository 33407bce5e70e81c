import JSONPath

/// The test lead of a form, which has one at a time (Marketing API, Lead Ads, "Testing and
/// Troubleshooting").
enum TestLead {
  /// `POST {form}/test_leads`.
  static func make(
    of form: GraphObject, by writer: Writer, _ objects: inout ObjectTable
  ) throws(GraphFault) -> Answer {
    try writer.session.require("leads_retrieval")
    guard objects[.testLeads, of: form.id]?.entries.isEmpty ?? true else {
      throw GraphFault.numbered(100, "The form has a test lead already; delete it first").invented
    }
    var fields: JSON.Object = [
      "created_time": .string(GraphTime.text(writer.now)), "form_id": .string(form.id),
      "is_organic": true,
    ]
    fields["field_data"] = try list("field_data", writer.parameters) ?? answers(to: form)
    if let responses = try list("custom_disclaimer_responses", writer.parameters) {
      fields["custom_disclaimer_responses"] = responses
    }
    var lead = GraphObject(.lead, id: objects.nextID(), owner: form.owner, fields: fields)
    lead.listings = [.init(id: form.id, edge: .testLeads)]
    return writer.create(lead, in: &objects)
  }

  /// An answer to each question of a form, as Graph makes them.
  private static func answers(to form: GraphObject) -> JSON {
    let names = form.fields["questions"]?.array?.compactMap { $0["key"]?.string } ?? ["email"]
    return .array(
      names.map {
        ["name": .string($0), "values": [.string("<test lead: dummy data for \($0)>")]]
      })
  }

  private static func list(_ name: String, _ parameters: Parameters) throws(GraphFault) -> JSON? {
    guard let text = parameters[name] else { return nil }
    guard let list = JSON(relaxed: text), list.array != nil else {
      throw .parameterMalformed(name, "an array")
    }
    return list
  }
}
