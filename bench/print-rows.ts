import { writeFile } from 'node:fs/promises';
import { isReached, median, ratioOf, type Goal, type Row } from './contest.ts';

/** Prints one row as a line of JSON. */
export function printRow(row: Row): void {
  const { name, peer, unit, goal, own, others, facts } = row;
  const figures = { own: own.map(significant), peers: others.map(significant) };
  const ratio = significant(ratioOf(row));
  console.log(
    JSON.stringify({ name, peer, unit, ...figures, ratio, ...goal, reached: isReached(row), ...facts }),
  );
}

/** Rows as a table in Markdown: medians, the least and the greatest of the rounds, and whether the goal is reached. */
export function tableOf(rows: readonly Row[]): string {
  const lines = rows.map((row) => {
    const cells = [
      row.name,
      row.peer,
      `${spread(row.own)} ${row.unit}`,
      `${spread(row.others)} ${row.unit}`,
      String(significant(ratioOf(row))),
      goalText(row.goal),
      isReached(row) ? 'reached' : 'not reached',
    ];
    return `| ${cells.join(' | ')} |`;
  });
  const head = '| Figure | Peer | Service | Peer’s | Ratio | Goal | |\n|---|---|---|---|---|---|---|';
  return [head, ...lines].join('\n');
}

/** Writes a plot of all ratios beside their goals, each on a scale where the goal is 1 and better is to the left. */
export async function plotRatios(rows: readonly Row[], path: string): Promise<void> {
  await writeFile(path, ratioPlot(rows));
}

const plot = { left: 330, right: 60, top: 50, rowHeight: 28, width: 900 } as const;
/** Times of the goal at both ends. */
const [best, worst] = [1 / 8, 8];

function ratioPlot(rows: readonly Row[]): string {
  const height = plot.top + rows.length * plot.rowHeight + 30;
  const bars = rows.map((row, index) => barOf(row, plot.top + index * plot.rowHeight));
  const goalX = positionOf(1);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${plot.width} ${height}" font-family="sans-serif" font-size="12">
<rect width="100%" height="100%" fill="#fff"/>
<text x="16" y="22" font-size="15">Ratio to the peer, as a multiple of its goal (left of the line: reached)</text>
<line x1="${goalX}" x2="${goalX}" y1="${plot.top - 8}" y2="${height - 24}" stroke="#444"/>
${bars.join('\n')}
<text x="${goalX}" y="${height - 8}" text-anchor="middle" fill="#444">goal</text>
</svg>
`;
}

function barOf(row: Row, y: number): string {
  const times = row.own.map((own, round) => timesGoal(row.goal, own / (row.others[round] ?? Number.NaN)));
  const [x, from, to] = [median(times), Math.min(...times), Math.max(...times)].map(positionOf);
  const colour = isReached(row) ? '#2f7d4f' : '#b5472f';
  const middle = y + plot.rowHeight / 2;
  return `<text x="${plot.left - 12}" y="${middle + 4}" text-anchor="end">${escaped(row.name)}</text>
<line x1="${from}" x2="${to}" y1="${middle}" y2="${middle}" stroke="${colour}" stroke-width="3" stroke-opacity="0.4"/>
<circle cx="${x}" cy="${middle}" r="5" fill="${colour}"><title>${escaped(`${row.peer}: ${significant(ratioOf(row))}, goal ${goalText(row.goal)}`)}</title></circle>`;
}

/** How far a ratio is from its goal: below 1 when it is better. */
function timesGoal(goal: Goal, ratio: number): number {
  return 'atMost' in goal ? ratio / goal.atMost : goal.atLeast / ratio;
}

function positionOf(times: number): number {
  const share = Math.log(Math.min(worst, Math.max(best, times)) / best) / Math.log(worst / best);
  return Math.round(plot.left + share * (plot.width - plot.left - plot.right));
}

function goalText(goal: Goal): string {
  return 'atMost' in goal ? `at most ${goal.atMost}` : `at least ${goal.atLeast}`;
}

function spread(figures: readonly number[]): string {
  const [least, middle, most] = [Math.min(...figures), median(figures), Math.max(...figures)].map(
    significant,
  );
  return figures.length > 1 ? `${middle} (${least} to ${most})` : String(middle);
}

/** To three significant digits; whole from a hundred on. */
function significant(value: number): number {
  return Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3));
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
