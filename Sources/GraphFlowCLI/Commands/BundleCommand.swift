import ArgumentParser
import GraphFlow

/// `graphflow bundle`: what a bug report about a run needs, in one file.
struct BundleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bundle", abstract: "Pack what a bug report about a run needs.",
    discussion: """
      Lists the files with their sizes. With --output it also writes them into a tar archive. They \
      hold no token and no secret input, but paths, parameters and bodies of answers: read them \
      before you give them to somebody. gzip makes the archive small.

      Example: see what would be packed, then pack it:

        graphflow bundle latest
        graphflow bundle latest --output run.tar && gzip run.tar
      """)

  @Argument(help: .value("run", "The run's id, or 'latest'."), completion: .runs)
  var name: String

  @Option(
    name: .shortAndLong, help: .value("file.tar", "Write the archive to this file."),
    completion: .file(extensions: ["tar"]))
  var output: String?

  @OptionGroup(title: "Output") var state: StateOptions

  func validate() throws {
    guard let output, output.hasSuffix(".gz") || output.hasSuffix(".tgz") else { return }
    throw ValidationError(
      "--output is '\(Untrusted.shown(output))', but the archive is not compressed: write a .tar, then "
        + "compress it with gzip")
  }

  func run() throws {
    let store = try state.store()
    let bundle = try RunBundle(try store.run(named: name), in: store)
    let sizes = bundle.entries.map { String($0.bytes.count) }
    let width = sizes.map(\.count).max() ?? 0
    for (entry, size) in zip(bundle.entries, sizes) {
      let gap = String(repeating: " ", count: width - size.count)
      try Terminal.printResult("\(entry.name.padded(to: 13))  \(gap)\(size)  \(entry.content)")
    }
    guard let output else {
      return Terminal.notify("nothing was written; --output FILE.tar writes these files")
    }
    try writeAtomically(bundle.archive, to: output)
    Terminal.notify("wrote \(Untrusted.shown(output)); read it before you give it to somebody")
  }
}
