"""How the report looks: readable in light and dark, on a phone and on paper. Colours as in the figures (Okabe, Ito)."""

STYLE = """
:root {
  --page: #ffffff; --text: #1c1c1e; --soft: #5b5b62; --line: #d9d9de; --panel: #f5f5f7; --link: #005a8f;
  --holds: #00664b; --fails: #a34700; --open: #5b5b62; --holds-back: #dff3ec; --fails-back: #fbe6d8; --open-back: #ececef;
  --warn-back: #fdf3dc; --warn-line: #e69f00;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #17171a; --text: #ececf0; --soft: #a5a5ae; --line: #3a3a41; --panel: #212126; --link: #7cc4f0;
    --holds: #63d3b1; --fails: #f5a06a; --open: #b4b4bc; --holds-back: #12352b; --fails-back: #43260f;
    --open-back: #303036; --warn-back: #352a10; --warn-line: #b98000;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-behavior: smooth; }
body {
  margin: 0 auto; padding: 1.2rem clamp(0.9rem, 4vw, 2.5rem) 4rem; max-width: 70rem; background: var(--page);
  color: var(--text); font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif;
}
h1 { font-size: clamp(1.45rem, 4.5vw, 2.1rem); line-height: 1.2; margin: 0.6rem 0 0.3rem; text-wrap: balance; }
h2 { font-size: 1.35rem; margin: 2.6rem 0 0.6rem; padding-top: 0.5rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.05rem; margin: 1.8rem 0 0.4rem; }
p { margin: 0.5rem 0; max-width: 48rem; }
a { color: var(--link); }
.soft { color: var(--soft); }
.scale { background: var(--warn-back); border-left: 5px solid var(--warn-line); padding: 0.7rem 1rem; margin: 1rem 0; }
.scale p { margin: 0.2rem 0; }
nav ul { list-style: none; display: flex; flex-wrap: wrap; gap: 0.3rem 1.1rem; margin: 0.8rem 0; padding: 0; }
.tiles { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 0.7rem; margin: 1rem 0; max-width: 40rem; }
.tile { border-radius: 0.5rem; padding: 0.6rem 0.9rem; }
.tile b { display: block; font-size: 1.9rem; line-height: 1.1; }
.tile.holds { background: var(--holds-back); color: var(--holds); }
.tile.fails { background: var(--fails-back); color: var(--fails); }
.tile.open { background: var(--open-back); color: var(--open); }
.badge { display: inline-block; white-space: nowrap; border-radius: 1rem; padding: 0 0.6rem; font-size: 0.85rem; font-weight: 600; }
.badge.holds { background: var(--holds-back); color: var(--holds); }
.badge.fails { background: var(--fails-back); color: var(--fails); }
.badge.open { background: var(--open-back); color: var(--open); }
.scroll { overflow-x: auto; margin: 0.8rem 0; }
table { border-collapse: collapse; font-size: 0.9rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--soft); font-size: 0.88rem; padding: 0.2rem 0 0.4rem; max-width: 48rem; }
th, td { padding: 0.3rem 0.7rem 0.3rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
thead th { border-bottom: 2px solid var(--soft); font-weight: 600; vertical-align: bottom; }
.number { text-align: right; white-space: nowrap; }
.key { white-space: nowrap; }
.claim { min-width: 16rem; }
.statistic { min-width: 14rem; color: var(--soft); font-size: 0.86rem; }
code, .digest { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: 0.85em; }
.cell { display: block; white-space: nowrap; }
.cell.paper { color: var(--soft); }
figure { margin: 1.6rem 0 2.4rem; }
figure img { display: block; width: 100%; max-width: 46rem; height: auto; background: #ffffff; border: 1px solid var(--line); }
figcaption { margin-top: 0.5rem; max-width: 46rem; font-size: 0.92rem; }
details { margin: 0.6rem 0; }
summary { cursor: pointer; padding: 0.35rem 0; font-weight: 600; }
td details { margin: 0; }
td summary { font-weight: 400; color: var(--link); padding: 0; }
footer { margin-top: 3rem; color: var(--soft); font-size: 0.88rem; }
@media (max-width: 46rem) {
  table.claims thead { display: none; }
  table.claims, table.claims tbody, table.claims tr, table.claims td { display: block; }
  table.claims tr { border-bottom: 1px solid var(--line); padding: 0.7rem 0; }
  table.claims td { border: 0; padding: 0.1rem 0; min-width: 0; }
  table.claims td.key { display: inline-block; margin-right: 0.7rem; }
}
@media print {
  :root { --page: #ffffff; --text: #000000; --soft: #444444; --line: #bbbbbb; --panel: #ffffff; --link: #000000; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  nav { display: none; }
  .scroll { overflow: visible; }
  table { font-size: 8pt; }
  h2, h3 { break-after: avoid; }
  figure, tr, .scale { break-inside: avoid; }
}
"""
