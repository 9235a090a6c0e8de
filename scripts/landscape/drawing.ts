import { nodes } from '../../src/landscape/graph/graph.ts';
import type { Band } from '../../src/landscape/model/bands.ts';
import { leaves } from '../../src/landscape/model/leaves.ts';

const box = { width: 168, height: 40, gap: 14 };
const lane = { height: 7, gap: 5 };
const column = { width: box.width + 96, top: 64 };
const margin = 20;

const hues = ['#1f77b4', '#d95f02', '#2ca02c', '#7570b3', '#e7298a', '#a6761d', '#17a2a2', '#b22222'];
const fills = ['#eef3f8', '#e8f5e9', '#fff8e1', '#fce4ec', '#ede7f6'];

/** A box of the drawing, or the passage of a band's line through a column between its box and its readers. */
interface Item {
  readonly band: Band;
  readonly isBox: boolean;
  y: number;
}

/** Draws the graph as an SVG: slots, then nodes by stage, and by depth within the last stage. */
export function drawLandscape(): string {
  const columns = arrange();
  const height = Math.max(...columns.map(heightOf));
  for (const items of columns) place(items, column.top + (height - heightOf(items)) / 2);
  const size = { width: 2 * margin + (columns.length - 1) * column.width + box.width, height };
  const total = size.height + column.top + margin;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${total}" font-family="Helvetica, Arial, sans-serif">
<title>The graph of the Landscape Program</title>
<rect width="${size.width}" height="${total}" fill="#ffffff"/>
${headings(columns).join('\n')}
${linesOf(columns).join('\n')}
${columns.flatMap((items, at) => items.filter(({ isBox }) => isBox).map((item) => drawBox(item, at))).join('\n')}
</svg>
`;
}

/** Arranges columns from left to right, each ordered so that lines are as straight as possible. */
function arrange(): Item[][] {
  const at = new Map<Band, number>(leaves.map((leaf) => [leaf, 0]));
  for (const { stage, inputs, output } of nodes) {
    const behind = inputs.map((input) => (at.get(input) ?? 0) + (isOfStage(input, stage) ? 1 : 0));
    at.set(output, Math.max(stage + 1, ...behind));
  }
  const columns: Item[][] = [];
  for (const [band, from] of at) {
    const reads = nodes
      .filter(({ inputs }) => inputs.includes(band))
      .map(({ output }) => at.get(output) ?? 0);
    (columns[from] ??= []).push({ band, isBox: true, y: 0 });
    for (let way = from + 1; way < Math.max(...reads); way += 1) {
      (columns[way] ??= []).push({ band, isBox: false, y: 0 });
    }
  }
  for (const items of columns) place(items, 0);
  for (let sweep = 0; sweep < 12; sweep += 1) {
    const forth = sweep % 2 === 0;
    for (const [index, items] of columns.entries()) {
      const beside = columns[forth ? index - 1 : index + 1];
      if (beside === undefined) continue;
      const wish = new Map(items.map((item) => [item, meanOf(item, beside, forth)]));
      items.sort((one, other) => (wish.get(one) ?? 0) - (wish.get(other) ?? 0));
      place(items, -heightOf(items) / 2);
    }
  }
  return columns;
}

function isOfStage(band: Band, stage: number): boolean {
  return nodes.some((node) => node.output === band && node.stage === stage);
}

/** Returns the average position of the items connected to an item in an adjacent column. */
function meanOf(item: Item, beside: readonly Item[], forth: boolean): number {
  const joined = beside.filter((other) => (forth ? leads(other, item) : leads(item, other)));
  if (joined.length === 0) return item.y;
  return joined.reduce((sum, { y }) => sum + y, 0) / joined.length;
}

/** Returns whether a line goes from an item to one in the next column. */
function leads(from: Item, to: Item): boolean {
  if (!to.isBox) return from.band === to.band;
  return nodes.some(({ output, inputs }) => output === to.band && inputs.includes(from.band));
}

function sizeOf({ isBox }: Item): { readonly height: number; readonly gap: number } {
  return isBox ? box : lane;
}

function heightOf(items: readonly Item[]): number {
  return items.reduce((sum, item) => sum + sizeOf(item).height + sizeOf(item).gap, 0);
}

/** Sets the vertical centre of each item, from the top. */
function place(items: readonly Item[], top: number): void {
  let y = top;
  for (const item of items) {
    const { height, gap } = sizeOf(item);
    item.y = y + height / 2;
    y += height + gap;
  }
}

function headings(columns: readonly (readonly Item[])[]): string[] {
  return columns.map((items, at) => {
    const stage = stageOf(items);
    const isFirst = stage === undefined || stage !== stageOf(columns[at - 1] ?? []);
    const title = stage === undefined ? 'Slots' : isFirst ? `Stage ${stage}` : '';
    const x = margin + at * column.width + box.width / 2;
    return `<text x="${x}" y="34" text-anchor="middle" font-size="17" font-weight="bold" fill="#333333">${title}</text>`;
  });
}

function stageOf(items: readonly Item[]): number | undefined {
  return nodes.find(({ output }) => items.some(({ band, isBox }) => isBox && band === output))?.stage;
}

function linesOf(columns: readonly (readonly Item[])[]): string[] {
  return columns.flatMap((items, at) =>
    items.flatMap((from) =>
      (columns[at + 1] ?? []).filter((to) => leads(from, to)).map((to) => drawLine(from, to, at)),
    ),
  );
}

function drawLine(from: Item, to: Item, at: number): string {
  const left = margin + at * column.width;
  const [start, end] = [left + box.width, left + column.width];
  const middle = (start + end) / 2;
  const [y0, y1] = [round(from.y), round(to.y)];
  const through = from.isBox ? `M${start} ${y0}` : `M${left} ${y0}H${start}`;
  const order = [...leaves, ...nodes.map(({ output }) => output)].indexOf(from.band);
  return `<path d="${through}C${middle} ${y0} ${middle} ${y1} ${end} ${y1}" fill="none" stroke="${hues[order % hues.length]}" stroke-width="1.6" stroke-opacity="0.75"/>`;
}

function drawBox({ band, y }: Item, at: number): string {
  const x = margin + at * column.width;
  const node = nodes.find(({ output }) => output === band);
  const fill = fills[node === undefined ? 0 : node.stage + 1];
  const text = (dy: number, content: string, style: string) =>
    `<text x="${x + box.width / 2}" y="${round(y) + dy}" text-anchor="middle" ${style}>${content}</text>`;
  return [
    `<rect x="${x}" y="${round(y - box.height / 2)}" width="${box.width}" height="${box.height}" rx="6" fill="${fill}" stroke="#607080"/>`,
    text(-4, band.key, 'font-size="12" font-weight="bold" fill="#222222"'),
    text(12, shortTitle(band.title), 'font-size="11" fill="#444444"'),
  ].join('\n');
}

/** Returns a title without its unit, shortened to fit a box. */
function shortTitle(title: string): string {
  const [words = ''] = title.split(', ');
  return words.replace('Annual reference', 'Reference').replace('Suitability: ', '').replace('&', '&amp;');
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
