import { openAsBlob } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { installDebianPackages } from '../scripts/debian-packages.ts';
import { leaves } from '../src/landscape/model/leaves.ts';
import { inParallel } from '../src/lib/concurrency/limiter.ts';
import { MiB } from '../src/lib/units.ts';
import { createClient } from '../test/support/client.ts';
import { projectRoot } from '../test/support/project.ts';
import { median } from './contest.ts';
import { drawLeaf, drawLeaves, type GridSize, type LeafFiles, moveLeaves } from './leaf-files.ts';
import { makeFolder, secondsToStatus } from './service.ts';
import { modelOf } from './spread-model.ts';
import { type RunRow, rowLine, spreadText, targets } from './spread-rows.ts';
import { openSpreadSite, type SpreadSite } from './spread-site.ts';

const usualMegapixels = 64;
const workerCounts = [1, 2, 4] as const;
const mostWorkers = 4;
/** The grid of the timed upload. */
const probeSize: GridSize = { width: 2048, height: 2048 };
const idleProbes = 5;
const local = { LANDSCAPE_SPREAD_PIXELS: '1000000000000' };
const spread = { LANDSCAPE_SPREAD_PIXELS: '1' };
const document = join(projectRoot, 'docs/scale.md');
const measuredPart = /(<!-- measured -->\n)[\s\S]*(<!-- end of what is measured -->)/;

/**
 * Runs the graph over 64 megapixels on one machine and then over 1, 2 and 4 workers, compares every COG, and prints the cost of each run,
 * the duration of an upload meanwhile, and an estimate for the whole country. Needs root.
 * @param args `--megapixels N` for another size, `--write` to update docs/scale.md.
 */
export async function benchSpread(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { megapixels: { type: 'string' }, write: { type: 'boolean' } },
  });
  const size = sizeOf(Number(values.megapixels ?? usualMegapixels));
  const cores = availableParallelism();
  installDebianPackages(['gdal-bin']);
  const stopping = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort());
  await using resources = new AsyncDisposableStack();
  const folder = await makeFolder(resources);
  say(`drawing leaves of ${size.width} × ${size.height} pixels`);
  const aligned = await drawLeaves(join(folder, 'aligned'), size);
  const foreign = await moveLeaves(aligned, join(folder, 'foreign'));
  const probe = await drawProbe(folder);
  say('starting services and workers');
  const site = resources.use(await openSpreadSite({ workers: mostWorkers, cores, signal: stopping.signal }));

  const rows: RunRow[] = [];
  const measure = async (
    row: Pick<RunRow, 'leaves' | 'path' | 'workers'> & { readonly onAllCores?: boolean },
    meanwhile?: (runId: string) => Promise<void>,
  ): Promise<void> => {
    const settings = row.path === 'local' ? local : spread;
    const { workers: count, onAllCores = false } = row;
    const figures = await site.measureRun({ count, settings, onAllCores }, meanwhile);
    const base = rows.find(({ leaves: set, path }) => set === row.leaves && path === 'local')?.figures;
    const measured = { ...row, size, cores, figures, base };
    rows.push(measured);
    console.log(rowLine(measured));
  };

  say('uploading leaves');
  await fill(site, aligned, cores);
  await measure({ leaves: 'aligned', path: 'local', workers: 1 });
  for (const workers of workerCounts) await measure({ leaves: 'aligned', path: 'spread', workers });

  say('uploading leaves in another CRS');
  const moved = new Map([...foreign].filter(([key, path]) => aligned.get(key) !== path));
  await fill(site, moved, cores);
  // Its elapsed time is not compared, so it may use all cores.
  await measure({ leaves: 'in another CRS', path: 'local', workers: 1, onAllCores: true });
  const timeUpload = await openProbe(site, probe);
  const [idle, during]: [number[], number[]] = [[], []];
  await site.whileUploading(async () => {
    for (let count = 0; count < idleProbes; count += 1) idle.push(await timeUpload());
    const isGoingOn = async (runId: string) => (await site.readRun(runId)).finished_at === null;
    await measure({ leaves: 'in another CRS', path: 'spread', workers: mostWorkers }, async (runId) => {
      for (;;) {
        const seconds = await timeUpload();
        if (!(await isGoingOn(runId))) return; // this upload has waited for work after the run
        during.push(seconds);
      }
    });
  });
  const uploads = { idle: median(idle), during: median(during), ratio: median(during) / median(idle) };
  console.log(JSON.stringify({ bench: 'spread', uploads, idle, during }));

  const { code, output } = await site.run('fsck');
  say(`fsck: ${output.trim().split('\n').at(-1) ?? ''}`);
  const one = rows.find(({ path, workers }) => path === 'spread' && workers === 1);
  if (one === undefined) throw new Error('no run on one worker was measured');
  const whole = modelOf(one.figures, {
    pixels: size.width * size.height,
    outputs: one.figures.digests.size,
  });
  const text = spreadText({ rows, uploads, whole });
  console.log(text);
  if (values.write === true) {
    const old = await readFile(document, 'utf8');
    await writeFile(
      document,
      old.replace(measuredPart, (_, start: string, end: string) => `${start}${text}\n${end}`),
    );
  }
  const missed = [...targets(rows, uploads), ...(code === 0 ? [] : ['fsck finds damage'])];
  for (const what of missed) console.error(`not reached: ${what}`);
  if (missed.length > 0) process.exitCode = 1;
}

/** Returns a square grid, which has four blocks at the usual size; a small one is widened to have two. */
function sizeOf(megapixels: number): GridSize {
  if (!(megapixels >= 1)) throw new Error('--megapixels must be a number from 1');
  const side = Math.round(Math.sqrt(megapixels) * 1024);
  const width = 25_600;
  return megapixels >= usualMegapixels
    ? { width: side, height: side }
    : { width, height: Math.round((megapixels * MiB) / width) };
}

/** Uploads leaves to their slots, and waits until their pixels are counted. */
async function fill(site: SpreadSite, files: LeafFiles, cores: number): Promise<void> {
  const groups = new Map(leaves.map(({ key, group }) => [key, group]));
  const work = async (): Promise<void> => {
    const ids = await inParallel(
      [...files],
      { limit: cores, signal: new AbortController().signal },
      async ([key, path]) => {
        return await site.fillSlot(groups.get(key) ?? '', path);
      },
    );
    await site.allCounted(ids);
  };
  await site.whileUploading(work);
}

async function drawProbe(folder: string): Promise<string> {
  const [leaf] = leaves.filter(({ type }) => type === 'float32');
  if (leaf === undefined) throw new Error('the graph has no leaf of floats');
  return drawLeaf(join(folder, 'probe.tif'), leaf, probeSize);
}

/** Returns a function that times an upload, from its first byte to `ready`, and deletes it. */
async function openProbe({ baseUrl }: SpreadSite, path: string): Promise<() => Promise<number>> {
  const client = createClient(baseUrl);
  const category = await client.createCategory('bench');
  return async () => {
    const startedMs = performance.now();
    const file = new File([await openAsBlob(path)], 'probe.tif');
    const id = await client.upload(category, 'raster', file);
    await secondsToStatus(client, id, 'ready');
    const seconds = (performance.now() - startedMs) / 1000;
    await fetch(`${baseUrl}/datasets/${id}`, { method: 'DELETE' });
    return seconds;
  };
}

function say(what: string): void {
  console.error(`${new Date().toISOString().slice(11, 19)} ${what}`);
}
