"""How the report looks: readable in light and dark, on a phone and on paper. Verdicts have the figures' colours."""

STYLE = """
:root {
  --page: #ffffff; --text: #1c1c1e; --soft: #5b5b62; --line: #d9d9de; --link: #005a8f;
  --holds: #00664b; --fails: #a34700; --open: #5b5b62;
  --holds-back: #dff3ec; --fails-back: #fbe6d8; --open-back: #ececef;
  --warn-back: #fdf3dc; --warn-line: #e69f00;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #17171a; --text: #ececf0; --soft: #a5a5ae; --line: #3a3a41; --link: #7cc4f0;
    --holds: #63d3b1; --fails: #f5a06a; --open: #b4b4bc;
    --holds-back: #12352b; --fails-back: #43260f; --open-back: #303036;
    --warn-back: #352a10; --warn-line: #b98000;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0 auto; padding: 1.2rem clamp(0.9rem, 4vw, 2.5rem) 4rem; max-width: 70rem;
  background: var(--page); color: var(--text);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif;
}
h1 { font-size: clamp(1.45rem, 4.5vw, 2.1rem); line-height: 1.2; margin: 0.6rem 0 0.3rem; text-wrap: balance; }
h2 { font-size: 1.35rem; margin: 2.6rem 0 0.6rem; padding-top: 0.9rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.05rem; margin: 1.8rem 0 0.2rem; }
p { margin: 0.5rem 0; max-width: 48rem; }
a { color: var(--link); }
.soft, .legend { color: var(--soft); }
.legend { font-size: 0.9rem; margin: 0.2rem 0 0; }
.scale { background: var(--warn-back); border-left: 5px solid var(--warn-line); padding: 0.7rem 1rem; margin: 1rem 0; }
.scale p { margin: 0.2rem 0; }
nav ul { list-style: none; display: flex; flex-wrap: wrap; gap: 0.3rem 1.1rem; margin: 0.8rem 0; padding: 0; }
.tiles { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 0.7rem; margin: 1rem 0; }
.tiles { max-width: 40rem; }
.tile { border-radius: 0.5rem; padding: 0.6rem 0.9rem; line-height: 1.25; }
.tile b { display: block; font-size: 1.9rem; line-height: 1.1; }
.badge { display: inline-block; white-space: nowrap; border-radius: 1rem; padding: 0 0.6rem; }
.badge { font-size: 0.95em; font-weight: 600; }
.holds { background: var(--holds-back); color: var(--holds); }
.fails { background: var(--fails-back); color: var(--fails); }
.open { background: var(--open-back); color: var(--open); }
.scroll { overflow-x: auto; margin: 0.6rem 0 1rem; }
table { border-collapse: collapse; font-size: 0.9rem; font-variant-numeric: tabular-nums; }
th, td { padding: 0.3rem 0.9rem 0.3rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
th:last-child, td:last-child { padding-right: 0; }
thead th { border-bottom: 2px solid var(--soft); font-weight: 600; vertical-align: bottom; }
th.number, td.number { text-align: right; white-space: nowrap; }
.key, .line { white-space: nowrap; }
.line { display: block; }
.claim { min-width: 16rem; }
.statistic { min-width: 15rem; color: var(--soft); font-size: 0.95em; }
code, .digest { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: 0.85em; }
figure { margin: 1.6rem 0 2.6rem; }
figure img { display: block; width: 100%; max-width: 48rem; height: auto; }
figure img { background: #ffffff; border: 1px solid var(--line); }
figcaption { margin-top: 0.5rem; max-width: 48rem; font-size: 0.92rem; }
details { margin: 0.6rem 0; }
summary { cursor: pointer; padding: 0.35rem 0; font-weight: 600; }
td details { margin: 0; }
.group { margin: 0.4rem 0 0.1rem; font-weight: 600; }
.comparisons { list-style: none; margin: 0 0 0.5rem; padding: 0; }
.comparisons li { padding: 0.12rem 0 0.12rem 1.7em; text-indent: -1.7em; }
.sign { display: inline-block; width: 1.25em; margin-right: 0.45em; text-indent: 0; text-align: center; }
.sign { border-radius: 1em; }
td summary { font-weight: 400; color: var(--link); padding: 0; }
@media (max-width: 46rem) {
  table { font-size: 0.8rem; }
  th, td { padding-right: 0.55rem; }
  th.key, td.key { white-space: normal; }
  table.claims { font-size: 0.92rem; }
  table.claims > thead { display: none; }
  table.claims, table.claims > tbody, table.claims > tbody > tr, table.claims > tbody > tr > td { display: block; }
  table.claims > tbody > tr { border-bottom: 1px solid var(--line); padding: 0.7rem 0; }
  table.claims > tbody > tr > td { border: 0; padding: 0.1rem 0; min-width: 0; }
  table.claims > tbody > tr > td.key { display: inline-block; margin-right: 0.7rem; }
}
@media print {
  :root {
    --page: #ffffff; --text: #000000; --soft: #444444; --line: #bbbbbb; --link: #000000;
    --holds: #00664b; --fails: #a34700; --open: #444444;
    --holds-back: #ffffff; --fails-back: #ffffff; --open-back: #ffffff; --warn-back: #ffffff;
  }
  html { font-size: 9.5pt; }
  body { max-width: none; padding: 0; }
  nav { display: none; }
  .scroll { overflow: visible; }
  .badge { border: 1px solid; }
  .tile { border: 1px solid; }
  table { font-size: 8pt; }
  .claim, .statistic { min-width: 0; }
  h2, h3, .legend { break-after: avoid; }
  figure, tr, .scale { break-inside: avoid; }
  figure img { max-width: 16cm; }
}
"""
