import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { areaRows } from './areas.ts';
import type { Row } from './contest.ts';
import { dissolveRows } from './dissolve.ts';
import { featurePageRows } from './feature-pages.ts';
import { featureRows } from './features.ts';
import { geoJsonRows } from './geojson.ts';
import { httpRows } from './http.ts';
import { inputRows } from './inputs.ts';
import { katoTableRows } from './kato-table.ts';
import { listenerRows, longPollRows, returningRows, waitingApisRows } from './long-poll.ts';
import { measuredHere } from './machine.ts';
import { stacRows } from './stac.ts';
import { millionRows } from './million.ts';
import { installPeers } from './peers.ts';
import { plotRatios, printRow, tableOf } from './print-rows.ts';
import { rasterRows } from './raster.ts';
import { runRows } from './run.ts';
import { tileRows } from './tiles.ts';
import { uploadRows } from './upload.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3);
/** Side of rasters in pixels for figures that do not depend on it; a smaller one is faster. */
const side = process.env['BENCH_SIDE'];
const roundSeconds = 5;

/** Comparisons with a peer, by name, in the order of the table. */
export const comparisons = {
  run: () => runRows({ side: Number(side ?? 4096), rounds }),
  raster: () => rasterRows({ side: Number(side ?? 8192), rounds }),
  'kato-table': () => katoTableRows({ rows: Number(process.env['BENCH_ROWS'] ?? 200_000), rounds }),
  upload: () => uploadRows({ mebibytes: 1024, rounds }),
  http: () => httpRows({ rounds, roundSeconds }),
  geojson: () => geoJsonRows({ rounds, roundSeconds }),
  tiles: () => tileRows({ side: Number(side ?? 8192), steps: 1000, rounds, roundSeconds }),
  dissolve: () => dissolveRows({ cells: 150, rounds }),
  areas: () => areaRows({ side: Number(side ?? 4096), rounds }),
  inputs: () => inputRows({ side: Number(side ?? 4096), rounds }),
  features: () => featureRows({ rows: Number(process.env['BENCH_ROWS'] ?? 200_000), rounds }),
  'feature-pages': () => featurePageRows({ rows: Number(process.env['BENCH_ROWS'] ?? 1_000_000), rounds }),
  million: () => millionRows({ requests: 200 }),
  stac: () => stacRows({ requests: 200 }),
  'long-poll': () => longPollRows({ waiters: 10_000, rounds }),
  listeners: () => listenerRows({ waiters: 10_000, rounds }),
  'returning-listeners': () => returningRows({ waiters: 10_000, rounds }),
  'waiting-apis': () => waitingApisRows({ waiters: 10_000, rounds }),
} satisfies Readonly<Record<string, () => AsyncGenerator<Row>>>;

/** Runs one comparison, and prints a line of JSON for each figure. */
export async function compare(rowsOf: () => AsyncGenerator<Row>): Promise<void> {
  installPeers();
  for await (const row of rowsOf()) printRow(row);
}

/** Runs all comparisons and prints the table; writes it with a plot to `folder`, if given. */
export async function compareAll(folder: string | undefined): Promise<void> {
  installPeers();
  const rows: Row[] = [];
  for (const rowsOf of Object.values(comparisons)) {
    for await (const row of rowsOf()) {
      printRow(row);
      rows.push(row);
    }
  }
  const text = `${measuredHere()}; medians of ${rounds} (least to greatest), in turn.\n\n${tableOf(rows)}\n`;
  console.log(text);
  if (folder === undefined) return;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'compare.md'), text);
  await plotRatios(rows, join(folder, 'compare.svg'));
}
