/// The page's style sheet, and the script that reloads it.
enum PageStyle {
  /// Reloads the page unless a field has the focus or the page is hidden.
  static let script: StaticString = """
    setInterval(function () {
      var place = document.activeElement;
      var isBusy = place && ["INPUT", "SELECT"].indexOf(place.tagName) >= 0;
      if (!document.hidden && !isBusy) location.reload();
    }, 3000);
    """

  static let sheet: StaticString = """
    :root { color-scheme: light dark; --ground: #f6f7f9; --card: #fff; --ink: #1c2430;
      --dim: #5b6478; --line: #e3e7ed; --blue: #1e63d6; --good: #157347; --good-ground: #e3f5ea;
      --bad: #b42318; --bad-ground: #fdeceb; --shade: #f1f3f6; --on-blue: #fff }
    @media (prefers-color-scheme: dark) { :root { --ground: #12161c; --card: #1a2029;
      --ink: #e4e8ee; --dim: #95a0b0; --line: #2b3441; --blue: #74a7ff; --good: #6fd39b;
      --good-ground: #15321f; --bad: #ff9b91; --bad-ground: #3b1b19; --shade: #232b36;
      --on-blue: #0d1420 } }
    * { box-sizing: border-box }
    body { margin: 0 auto; max-width: 76rem; padding: 1.75rem 1.25rem 3rem;
      background: var(--ground); color: var(--ink);
      font: 15px/1.5 system-ui, "Segoe UI", "DejaVu Sans", sans-serif }
    header { display: flex; flex-wrap: wrap; align-items: baseline; gap: .25rem 1.5rem;
      margin-bottom: 1.25rem }
    h1 { margin: 0; font-size: 1.35rem; font-weight: 400; letter-spacing: -.01em }
    header p { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: 0; color: var(--dim) }
    main { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 1rem }
    .column { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; align-content: start }
    .calls { grid-column: 1 / -1; overflow-x: auto }
    @media (max-width: 58rem) { main { grid-template-columns: minmax(0, 1fr) } }
    section { background: var(--card); border: 1px solid var(--line); border-radius: 10px;
      padding: 1rem 1.15rem }
    .waiting { border-color: var(--blue) }
    h2 { display: flex; align-items: baseline; gap: .6rem; margin: 0 0 .6rem; font-size: 1rem }
    h3 { display: flex; align-items: baseline; gap: .5rem; margin: .9rem 0 .2rem; font-size: .93rem }
    h2 + h3 { margin-top: 0 }
    small { color: var(--dim); font-size: .8rem; font-weight: 400 }
    td small { display: block; line-height: 1.3 }
    code, .address, .number, .code { font-family: ui-monospace, "DejaVu Sans Mono", monospace;
      font-size: .84rem }
    table { width: 100%; border-collapse: collapse }
    td { padding: .3rem .75rem .3rem 0; border-top: 1px solid var(--line); vertical-align: middle;
      unicode-bidi: isolate; overflow-wrap: anywhere }
    tr:first-child td { border-top: 0 }
    td:last-child { padding-right: 0 }
    .action { text-align: right; white-space: nowrap; color: var(--dim); font-size: .84rem }
    form, p { margin: 0 }
    button, input, select { font: inherit; font-size: .85rem; color: var(--ink);
      background: var(--shade); border: 1px solid var(--line); border-radius: 6px;
      padding: .15rem .7rem }
    button { cursor: pointer }
    button:hover { border-color: var(--blue) }
    .primary { background: var(--blue); border-color: var(--blue); color: var(--on-blue) }
    .asking { display: flex; gap: .5rem; margin-top: .5rem }
    .asking input { flex: 1; min-width: 0 }
    .waiting form + form { margin-top: .8rem; border-top: 1px solid var(--line); padding-top: .8rem }
    .waiting p { display: flex; flex-wrap: wrap; align-items: center; gap: .35rem 1rem;
      margin-bottom: .5rem }
    .waiting label { display: inline-flex; gap: .35rem; align-items: center; font-size: .85rem }
    .code { font-size: 1.3rem; letter-spacing: .12em }
    .buttons { display: inline-flex; gap: .5rem; margin-left: auto }
    .badge { border-radius: 99px; padding: .08rem .6rem; font-size: .8rem; white-space: nowrap }
    .badge.good { background: var(--good-ground) }
    .badge.bad { background: var(--bad-ground) }
    .good { color: var(--good) }
    .bad { color: var(--bad) }
    .dim { color: var(--dim) }
    em { font-style: normal; color: var(--bad) }
    meter { width: 100%; min-width: 5rem }
    .counts { display: flex; flex-wrap: wrap; gap: .1rem 1.1rem; color: var(--dim) }
    .count b { color: var(--ink) }
    ul { margin: 0; padding: 0; list-style: none }
    li { padding: .2rem 0; border-top: 1px solid var(--line) }
    .message { display: block; overflow: hidden; text-overflow: ellipsis; white-space: nowrap;
      unicode-bidi: isolate }
    .calls td { border-top: 0; padding-top: .08rem; padding-bottom: .08rem; font-size: .86rem }
    .calls tr.call td { border-top: 1px solid var(--line); padding-top: .3rem }
    .calls .number { text-align: right; width: 3.5rem; padding-right: 1rem }
    .calls td { white-space: nowrap; overflow-wrap: normal }
    .calls td.address { width: 100%; white-space: normal; overflow-wrap: anywhere }
    fieldset { border: 0; margin: 0; padding: 0 }
    @media (max-width: 40rem) { .calls tr { display: flex; flex-wrap: wrap }
      .calls td { border: 0 } .calls tr.call { border-top: 1px solid var(--line) }
      .calls td.address { order: 1; flex-basis: 100% } }
    """
}
