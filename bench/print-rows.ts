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

/** Formats rows as a Markdown table: medians, minimum and maximum of the rounds, and whether the goal is reached. */
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

/** Writes a plot of all ratios relative to their goals: the goal is 1, and better is to the left. */
export async function plotRatios(rows: readonly Row[], path: string): Promise<void> {
  await writeFile(path, ratioPlot(rows));
}

const plot = { left: 380, right: 180, top: 70, rowHeight: 36, width: 1010 } as const;
/** Ends of the scale, as multiples of the goal. */
const [best, worst] = [1 / 8, 8];
const ticks = ['1/8', '1/4', '1/2', 'goal', '2', '4', '8'] as const;
const colours = { reached: '#2f7d4f', missed: '#b5472f', line: '#ddd', goal: '#555', note: '#777' } as const;

function ratioPlot(rows: readonly Row[]): string {
  const bottom = plot.top + rows.length * plot.rowHeight;
  const lines = ticks.map((label, index) => {
    const x = positionOf(best * 2 ** index);
    const colour = label === 'goal' ? colours.goal : colours.line;
    return `<line x1="${x}" x2="${x}" y1="${plot.top - 6}" y2="${bottom}" stroke="${colour}"/>
<text x="${x}" y="${plot.top - 12}" text-anchor="middle" fill="${colours.note}">${label}</text>`;
  });
  const bars = rows.map((row, index) => barOf(row, plot.top + index * plot.rowHeight));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${plot.width} ${bottom + 16}" font-family="sans-serif" font-size="12">
<rect width="100%" height="100%" fill="#fff"/>
<text x="16" y="24" font-size="15">The service beside other programs: its ratio as a multiple of the goal, least to greatest and median</text>
<text x="16" y="${plot.top - 12}" fill="${colours.note}">Left of the goal is better.</text>
${lines.join('\n')}
${bars.join('\n')}
</svg>
`;
}

function barOf(row: Row, y: number): string {
  const times = row.own.map((own, round) => timesGoal(row.goal, own / (row.others[round] ?? Number.NaN)));
  const [x, from, to] = [median(times), Math.min(...times), Math.max(...times)].map(positionOf);
  const colour = isReached(row) ? colours.reached : colours.missed;
  const middle = y + plot.rowHeight / 2;
  const figures = `${significant(ratioOf(row))}, goal ${goalText(row.goal)}`;
  return `<text x="${plot.left - 16}" y="${middle - 3}" text-anchor="end">${escaped(row.name)}</text>
<text x="${plot.left - 16}" y="${middle + 11}" text-anchor="end" font-size="10" fill="${colours.note}">${escaped(`${row.unit}, beside ${row.peer}`)}</text>
<line x1="${from}" x2="${to}" y1="${middle}" y2="${middle}" stroke="${colour}" stroke-width="4" stroke-opacity="0.4"/>
<circle cx="${x}" cy="${middle}" r="5" fill="${colour}"/>
<text x="${plot.width - plot.right + 16}" y="${middle + 4}" fill="${colour}">${escaped(figures)}</text>`;
}

/** Returns a ratio relative to its goal: less than 1 is better. */
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

/** Formats three significant digits; whole numbers from a hundred on. */
function significant(value: number): number {
  return Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3));
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
