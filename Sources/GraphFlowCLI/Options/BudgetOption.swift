import ArgumentParser
import GraphFlow

/// The option for how much of Graph's limits a run may use.
struct BudgetOption: ParsableArguments {
  @Option(
    name: .customLong("budget"),
    help: ArgumentHelp(
      "The most to use of Graph's limits: calls=N,usage=P%, or one of them.",
      discussion: """
        Each operation of a batch and each id of 'ids=' is a call. When the budget is used up, the \
        run stays unfinished, and the exit code is 75.
        """, valueName: "parts"),
    transform: { text in
      do throws(RunBudget.Problem) {
        return try RunBudget(text)
      } catch {
        throw ValidationError(error.message)
      }
    })
  var value: RunBudget?
}

/// The option for how many writes can become in doubt at the same time.
struct UnsafeWritesOption: ParsableArguments {
  @Option(
    name: .customLong("max-unsafe-writes"),
    help: ArgumentHelp(
      "The most active writes that can be neither repeated nor confirmed.", valueName: "n"))
  var maximum = 50

  func validate() throws {
    guard maximum >= 1 else {
      throw ValidationError("--max-unsafe-writes is \(maximum), but must be at least 1")
    }
  }
}
