import { extname } from 'node:path';
import type { Finding } from './look.ts';

const barWidth = 30;
const statusWidth = 'awaiting_mapping'.length;
const extensionWidth = '.geojson'.length;

/** Formats a finding as one line, followed by its troubles. */
export function findingLine({ name, type, status, seconds, sentence, troubles }: Finding): string {
  const head = `${status.padEnd(statusWidth)} ${seconds.toFixed(1).padStart(6)} s  ${type.padEnd(statusWidth)} ${name}`;
  const lines = [sentence === '' ? head : `${head}: ${sentence}`];
  return [...lines, ...troubles.map((trouble) => `  !! ${trouble}`), ''].join('\n');
}

/** Formats the counts by type, extension and outcome. */
export function summaryTable(findings: readonly Finding[], leftOut: number): string {
  const counts = new Map<string, number>();
  for (const { type, status, name } of findings) {
    const extension = extname(name).toLowerCase();
    const line = `  ${type.padEnd(statusWidth)} ${extension.padEnd(extensionWidth)} ${status.padEnd(statusWidth)}`;
    counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  const troubled = findings.filter(({ troubles }) => troubles.length > 0).length;
  const seconds = findings.map((finding) => finding.seconds);
  return [
    '',
    ...[...counts]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([line, count]) => `${line} ${String(count).padStart(6)}`),
    '',
    `${findings.length} uploads, the longest ${Math.max(0, ...seconds).toFixed(1)} s; ${leftOut} files of other kinds left out`,
    troubled === 0 ? 'Nothing went wrong.' : `${troubled} WENT WRONG, marked !! above.`,
    '',
  ].join('\n');
}

/** Creates a progress line at the bottom of a terminal; without a terminal it prints nothing. */
export function createProgressBar(
  out: { readonly isTTY?: boolean; readonly columns?: number; write(text: string): unknown },
  total: number,
) {
  const isShown = out.isTTY === true;
  let [started, ended, name] = [0, 0, ''];
  const clear = (): void => void (isShown && out.write('\r\u001b[K'));
  const draw = (): void => {
    if (!isShown) return;
    const filled = total === 0 ? barWidth : Math.floor((ended / total) * barWidth);
    const bar = `[${'='.repeat(filled)}${' '.repeat(barWidth - filled)}]`;
    const line = `${bar} ${ended}/${total}, ${started - ended} under way, ${name}`;
    out.write(`\r\u001b[K${line.slice(0, (out.columns ?? 80) - 1)}`);
  };
  return {
    start(item: string): void {
      started += 1;
      name = item;
      draw();
    },
    /** Prints `text` above the progress line. */
    end(text: string, print: (text: string) => void): void {
      ended += 1;
      clear();
      print(text);
      draw();
    },
    clear,
  };
}
