import { spawnSync } from 'node:child_process';
import baselines from './guard.json' with { type: 'json' };
import { ratioOf, type Row } from './contest.ts';
import { dissolveRows } from './dissolve.ts';
import { httpRows } from './http.ts';
import { inputGuardRows } from './inputs.ts';
import { katoTableRows } from './kato-table.ts';
import { longPollRows } from './long-poll.ts';
import { printRow } from './print-rows.ts';
import { rasterRows } from './raster.ts';
import { encodingRows } from './run.ts';
import { tileRows } from './tiles.ts';
import { uploadRows } from './upload.ts';

/** The tolerated factor between a ratio and its baseline. */
const margin = 1.3;
const rounds = 3;

interface Guard {
  /** Programs that the guard does not install; without one of them, the comparison is skipped. */
  readonly programs: readonly string[];
  readonly rows: () => AsyncGenerator<Row>;
}

const guards: Readonly<Record<string, Guard>> = {
  run: { programs: ['gdal_translate'], rows: () => encodingRows({ side: 1536, rounds }) },
  'kato-table': { programs: [], rows: () => katoTableRows({ rows: 20_000, rounds }) },
  upload: { programs: ['dd'], rows: () => uploadRows({ mebibytes: 256, rounds }) },
  'long-poll': { programs: [], rows: () => longPollRows({ waiters: 2000, rounds }) },
  dissolve: { programs: ['ogr2ogr'], rows: () => dissolveRows({ cells: 60, rounds }) },
  inputs: { programs: ['ogr2ogr', 'gdal_rasterize'], rows: () => inputGuardRows({ side: 2048, rounds }) },
  raster: { programs: ['gdal_translate'], rows: () => rasterRows({ side: 3072, rounds }) },
  tiles: {
    programs: ['wrk', 'python3'],
    rows: () => tileRows({ side: 4096, steps: 300, rounds, roundSeconds: 2 }),
  },
  http: { programs: ['nginx', 'wrk', 'curl'], rows: () => httpRows({ rounds, roundSeconds: 2 }) },
};

/**
 * Compares short runs of all comparisons with the ratios in `guard.json`, and sets the exit code if one is worse by more than 30 %. A
 * worse ratio is measured again, because the machine may have been busy. Peers that are not installed are reported.
 */
export async function guard(): Promise<void> {
  for (const [name, { programs, rows }] of Object.entries(guards)) {
    const missing = programs.filter((program) => !isInstalled(program));
    if (missing.length > 0) {
      console.log(`${name}: not compared, because ${missing.join(' and ')} cannot be run here`);
      continue;
    }
    const first = await compared(rows);
    const looksWorse = first.some((row) => timesBaseline(row) > margin);
    const second = looksWorse ? await compared(rows) : [];
    for (const [index, row] of first.entries()) {
      printRow(row);
      const again = second[index];
      const times = Math.min(timesBaseline(row), again === undefined ? Infinity : timesBaseline(again));
      if (times <= margin) continue;
      console.error(`${keyOf(row)}: ${times.toFixed(2)} times its baseline`);
      process.exitCode = 1;
    }
  }
}

/** Selects figures with a peer: an absolute figure depends as much on the machine as on the code. */
async function compared(rows: Guard['rows']): Promise<readonly Row[]> {
  const all = await Array.fromAsync(rows());
  return all.filter(({ peer }) => !peer.startsWith('a goal of '));
}

function timesBaseline(row: Row): number {
  const known: Readonly<Record<string, number>> = baselines;
  const baseline = known[keyOf(row)];
  if (baseline === undefined) throw new Error(`guard.json has no "${keyOf(row)}"`);
  const ratio = ratioOf(row);
  return 'atMost' in row.goal ? ratio / baseline : baseline / ratio;
}

function keyOf({ name, peer, unit }: Row): string {
  return `${name}, ${unit}, beside ${peer}`;
}

function isInstalled(program: string): boolean {
  return spawnSync('which', [program]).status === 0;
}
