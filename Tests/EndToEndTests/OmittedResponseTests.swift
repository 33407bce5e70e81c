import CommandHarness
import TestSupport
import Testing

/// `omit_response` keeps personal data out of everything that a run leaves.
struct OmittedResponseTests {
  private let graphflow: CommandFixture

  init() throws { graphflow = try CommandFixture() }

  @Test(arguments: [true, false])
  func `an omitted answer is in no file, and dependents still use it`(_ isOmitted: Bool) throws {
    let file = try graphflow.folder.write(
      """
      graphflow: 1
      requests:
        person:
          get: me
          params: {fields: "id,email"}
          omit_response: \(isOmitted)
          expect: ["$.email != 'nobody'"]
        alone: {get: me, params: {fields: email}, omit_response: \(isOmitted), batch: alone}
        wrong:
          get: me
          params: {fields: email}
          omit_response: \(isOmitted)
          expect: ["$.email == 'nobody'"]
        feed: {get: "{result=person:$.id}/feed", when: "{result=person:$.email} != 'nobody'"}

      """, to: "person.yaml")

    let outcome = try graphflow(
      "run", file, "--sandbox", "--verbose", "--record", graphflow.folder.path + "/x.har",
      "--report", graphflow.folder.path + "/x.jsonl")

    #expect(outcome.code == 1)
    #expect(outcome.error.contains("succeeded   feed"), "\(outcome.error)")
    var holders: [String] = outcome.error.contains("alex@example.com") ? ["error"] : []
    for name in graphflow.folder.files() {
      let bytes = try contents(of: graphflow.folder.path + "/" + name)
      // As Graph does, the sandbox writes the sign as \u0040.
      let forms = ["alex@example.com", "u0040example.com"]
      if forms.contains(where: { bytes.firstRange(of: Array($0.utf8)) != nil }) {
        holders.append(name.split(separator: "/").last.map(String.init) ?? name)
      }
    }
    #expect(holders.isEmpty == isOmitted, "\(holders)")
    if !isOmitted { #expect(Set(holders).isSuperset(of: ["error", "x.har", "x.jsonl"])) }
  }
}
