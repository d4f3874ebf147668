package palmares.operations.explain;

/** What stands around the body of a page. */
final class PageFrame {
  private PageFrame() {}

  static final String TEXT =
      """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>$TITLE</title>
      <style>
      :root {
        color-scheme: light dark;
        --ground: #fff; --ink: #1c1e21; --faint: #63686f; --line: #d9dce0; --mark: #0b62c4;
      }
      @media (prefers-color-scheme: dark) {
        :root {
          --ground: #16181b; --ink: #e7e9ec; --faint: #9aa1a9; --line: #34383e; --mark: #6db1ff;
        }
      }
      body {
        background: var(--ground); color: var(--ink); margin: 0 auto; max-width: 60rem;
        padding: 1.5rem; font: 1rem/1.5 system-ui, sans-serif;
      }
      h1 { font-size: 1.6rem; margin: 0; overflow-wrap: anywhere; }
      h2 {
        font-size: 1.1rem; margin: 2rem 0 .5rem; border-bottom: 1px solid var(--line);
        padding-bottom: .25rem;
      }
      p { margin: .25rem 0; overflow-wrap: anywhere; }
      dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; margin: 1rem 0; }
      dt { color: var(--faint); }
      dd { margin: 0; overflow-wrap: anywhere; }
      .wide { overflow-x: auto; }
      table { border-collapse: collapse; width: 100%; font-size: .9rem; margin: .5rem 0; }
      th { text-align: left; font-weight: 600; color: var(--faint); white-space: nowrap; }
      th, td {
        padding: .2rem .75rem .2rem 0; border-bottom: 1px solid var(--line); vertical-align: top;
      }
      .n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
      svg { width: 100%; height: auto; margin: .5rem 0; }
      svg text { fill: var(--faint); font-size: 12px; }
      .grid { stroke: var(--line); fill: none; }
      .curve { stroke: var(--mark); stroke-width: 2; fill: none; }
      @media print {
        :root { --ground: #fff; --ink: #000; --faint: #444; --line: #bbb; --mark: #000; }
        body { max-width: none; padding: 0; font-size: 10pt; }
        .wide { overflow: visible; }
        tr, svg { break-inside: avoid; }
        h2 { break-after: avoid; }
      }
      </style>
      </head>
      <body>
      $BODY</body>
      </html>
      """;
}
