import { cssString } from './html.ts';

interface Marks {
  /** The text at the top of every printed page; undefined for an adopted zoning. */
  readonly mark: string | undefined;
  /** The text at the bottom of every printed page. */
  readonly foot: string;
}

/** Returns the style sheet of a report: A4 when printed, with page numbers if the browser supports them. */
export function cssOf({ mark, foot }: Marks): string {
  const head = mark === undefined ? '' : `@top-center { content: ${cssString(mark)}; ${markFont} }`;
  return `${base}
@page { size: A4; margin: 18mm 16mm 18mm;
  ${head}
  @bottom-left { content: ${cssString(foot)}; ${footFont} }
  @bottom-right { content: counter(page) " / " counter(pages); ${footFont} }
}
${onPaper}`;
}

const family = `"Segoe UI", "Noto Sans", "Liberation Sans", "DejaVu Sans", Arial, sans-serif`;
const footFont = `font: 7.5pt ${family}; color: #444;`;
const markFont = `font: bold 9pt ${family}; color: #9a1b00; letter-spacing: .08em;`;

const base = `
:root { color-scheme: light; }
* { box-sizing: border-box; }
html { font: 16px/1.5 ${family}; color: #1a1a1a; background: #fff; overflow-wrap: anywhere; }
body { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
a { color: #0b4f8a; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: .2rem 0 .6rem; }
h2 { font-size: 1.3rem; line-height: 1.25; margin: 2.6rem 0 .7rem; padding-top: .5rem; border-top: 2px solid #1f4d2b; }
h3 { font-size: 1rem; margin: 1.2rem 0 .4rem; }
p, ul, dl { margin: .5rem 0; }
.kicker { font-size: .85rem; color: #444; letter-spacing: .04em; margin: 0; }
.state { padding: .6rem .9rem; border-left: 6px solid; margin: .8rem 0 1rem; }
.state strong { margin-right: .4em; }
.state.open { border-color: #b03a00; background: #fdf0e9; }
.state.adopted { border-color: #1f6b35; background: #ebf5ee; }
.said { white-space: pre-line; }
.note { color: #444; font-size: .9rem; }
.why { padding: .5rem .9rem; background: #f3f3f3; border-left: 4px solid #777; }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); gap: .4rem 1.2rem; }
.facts > :first-child { grid-column: span 2; }
@media (max-width: 30rem) { .facts > :first-child { grid-column: auto; } }
dt { font-size: .8rem; color: #444; }
dd { margin: 0; }
code { font: .8em/1.35 "Cascadia Mono", "DejaVu Sans Mono", "Liberation Mono", Consolas, monospace; word-break: break-all; }
nav ol { columns: 16rem; column-gap: 2.5rem; margin: .3rem 0; padding-left: 1.4rem; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(10rem, 1fr)); gap: .6rem; padding: 0; margin: .8rem 0; list-style: none; }
.tiles li { border: 1px solid #bbb; border-radius: 4px; padding: .5rem .7rem; }
.tiles b { display: block; font-size: 1.35rem; line-height: 1.2; font-variant-numeric: tabular-nums; }
.tiles small { display: block; font-size: .8rem; color: #444; }
.bar { display: block; width: 100%; height: 1.4rem; border: 1px solid #555; }
.brief li { margin: .35rem 0; }
.sentence { font-weight: 600; }
figure { margin: .8rem 0; }
.map { width: fit-content; max-width: 100%; margin: 0 auto; }
.map img { display: block; width: 100%; height: auto; border: 1px solid #999; background: #fff; }
.scale { display: block; width: 0; min-width: 100%; height: .6rem; margin-top: .3rem; }
.of-map { font-size: .75rem; color: #444; margin: 0 auto; text-align: center; }
figcaption { font-size: .9rem; margin-top: .4rem; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(18rem, 100%), 1fr)); gap: 1rem 1.4rem; }
.pair figure { margin: 0; }
.pair h3 { margin: 0 0 .3rem; }
.legend { list-style: none; padding: 0; margin: .4rem 0; font-size: .85rem; }
.legend li { display: flex; gap: .45em; align-items: baseline; }
.legend .ha { margin-left: auto; font-variant-numeric: tabular-nums; white-space: nowrap; }
.swatch { width: .95em; height: .95em; flex: none; border: 1px solid #555; vertical-align: -.1em; margin-right: .45em; }
.legend .swatch { margin: 0; align-self: center; }
.scroll { overflow-x: auto; margin: .7rem 0; }
table { border-collapse: collapse; width: 100%; font-size: .88rem; overflow-wrap: normal; }
caption { text-align: left; font-weight: 600; padding: .2rem 0 .4rem; }
th, td { padding: .28rem .5rem; border-bottom: 1px solid #ccc; vertical-align: top; text-align: left; }
thead th { border-bottom: 2px solid #555; vertical-align: bottom; font-size: .8rem; line-height: 1.25; }
tbody th { font-weight: 400; }
tfoot th, tfoot td, .group th { font-weight: 600; }
tfoot tr:first-child > * { border-top: 2px solid #555; }
.group th { background: #eef3ee; }
.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
.plain { list-style: none; padding: 0; margin: 0; }
.is-other { font-weight: 700; }
.origin th:last-child, .origin td:last-child { width: 54%; }
.origin th:nth-child(2), .origin td:nth-child(2) { width: 25%; }
.settings th:first-child { width: 46%; }
.settings td:last-child { width: 14%; }
.figures { list-style: none; padding: 0; }
.figures b { font-size: 1.25rem; margin-right: .3em; font-variant-numeric: tabular-nums; }
`;

const onPaper = `@media print {
  html { font-size: 9.5pt; line-height: 1.4; }
  body { max-width: none; padding: 0; }
  a { color: inherit; text-decoration: none; }
  nav { display: none; }
  h1 { font-size: 20pt; }
  h2 { font-size: 13pt; margin-top: 7mm; }
  h2, h3, caption { break-after: avoid; }
  .page { break-before: page; }
  .page > h2 { margin-top: 0; }
  .state, .tiles, figure, .why, tr, .facts > div, .figures li { break-inside: avoid; }
  .scroll { overflow: visible; }
  thead { display: table-header-group; }
  tfoot { display: table-row-group; }
  p, li { orphans: 3; widows: 3; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  .pair { grid-template-columns: 1fr 1fr; gap: 5mm 6mm; }
  table { font-size: 8.5pt; }
  thead th { font-size: 8pt; }
  code { font-size: 6.8pt; }
  .origin { table-layout: fixed; }
  .pair .map img { width: auto; max-width: 100%; max-height: 62mm; }
  .zoning .map img { width: auto; max-width: 100%; max-height: 100mm; }
  tbody tr:first-child { break-before: avoid; }
  .note { font-size: 8pt; }
}
`;
