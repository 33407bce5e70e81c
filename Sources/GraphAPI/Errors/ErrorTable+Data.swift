extension ErrorTable {
  static let graphErrors = """
    1 | API Unknown | transient | server | yes | never | x | y
    """
}
