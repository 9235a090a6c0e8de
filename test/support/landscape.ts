import assert from 'node:assert/strict';
import { openAsBlob, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import gdal from 'gdal-async';
import type { Run, RunNode } from '../acceptance/support/landscape.ts';
import { type Client, createClient } from './client.ts';
import { eventually } from './processes.ts';

/** However busy the machine is: a dataset becomes ready, a run ends. */
const patienceSeconds = 180;

/** The slots, in the order of the graph, without the `landscape-in-` of their codes. */
export const leaves = (
  'dem land-cover protected-areas precipitation pet temperature-sum snow-depth ' +
  'soil-texture soil-organic-carbon soil-salinity ndvi distance-water distance-road'
).split(' ');

export interface RunInput {
  readonly from_stage?: number;
  readonly overrides?: Readonly<Record<string, string>>;
  readonly params?: Readonly<Record<string, unknown>>;
}
export interface Period {
  readonly start_date?: string;
  readonly end_date?: string;
}
interface Filling {
  readonly files?: Readonly<Record<string, File>>;
  readonly periods?: Readonly<Record<string, Period>>;
}
/** What `test/fixtures/landscape/expected.json` holds; rows of pixels by parameter set and node, null or 0 where there is no value. */
interface Expected {
  readonly params: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly groups: Readonly<Record<string, string>>;
  readonly values: Readonly<
    Record<string, Readonly<Record<string, readonly (readonly (number | null)[])[]>>>
  >;
}

const pathOf = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));
export const expected: Expected = JSON.parse(
  readFileSync(pathOf('fixtures/landscape/expected.json'), 'utf8'),
);
/** All 19, in order. */
export const nodeCodes = Object.keys(expected.groups).toSorted();
export const outputGroup = (code: string): string => expected.groups[code] ?? '';

/** One of the golden leaves, or one of the spoilt ones beside them. */
export const golden = async (name: string): Promise<File> =>
  new File([await openAsBlob(pathOf(`fixtures/landscape/golden/${name}.tif`))], `${name}.tif`);

/** A raster with as many pixels on the same ground, interpolated: a grid that takes a while to compute. */
export async function enlarged(file: File, width: number, height: number): Promise<File> {
  const [from, to] = [`/vsimem/small-${file.name}`, `/vsimem/large-${file.name}`];
  gdal.vsimem.set(Buffer.from(await file.arrayBuffer()), from);
  const small = gdal.open(from);
  const size = ['-outsize', String(width), String(height), '-r', 'bilinear', '-co', 'COMPRESS=DEFLATE'];
  gdal.translate(to, small, size).close();
  small.close();
  gdal.vsimem.release(from);
  return new File([new Uint8Array(gdal.vsimem.release(to))], file.name);
}

export type LandscapeClient = ReturnType<typeof createLandscapeClient>;

/** Speaks to a service that may be killed and started again at any moment, as the client that it is made of. */
export function createLandscapeClient(baseUrl: string) {
  const client = createClient(baseUrl);
  const landscape = {
    ...client,
    /** Fills a slot and waits until the dataset is ready; gives its id. */
    async fill(leaf: string, file: File, period: Period = {}): Promise<string> {
      const form = new FormData();
      for (const [name, value] of Object.entries(period)) form.append(name, value);
      form.append('file', file);
      const path = `/landscape/slots/landscape-in-${leaf}`;
      const { status, body } = await client.json<{ id: string }>(path, { method: 'POST', body: form });
      assert.equal(status, 201, JSON.stringify(body));
      await ready(client, body.id);
      return body.id;
    },
    /** Fills all slots with the golden leaves, or with what `files` has instead; gives the ids by leaf. */
    async fillAll({ files = {}, periods = {} }: Filling = {}): Promise<Map<string, string>> {
      const fill = async (leaf: string) =>
        [leaf, await landscape.fill(leaf, files[leaf] ?? (await golden(leaf)), periods[leaf])] as const;
      return new Map(await Promise.all(leaves.map(fill)));
    },
    async start(input?: RunInput): Promise<Run> {
      const body = input === undefined ? undefined : JSON.stringify(input);
      const answer = await client.json<Run>('/landscape/runs', { method: 'POST', ...(body && { body }) });
      assert.equal(answer.status, 202, JSON.stringify(answer.body));
      return answer.body;
    },
    async read(id: string): Promise<Run> {
      const { status, body } = await client.json<Run>(`/landscape/runs/${id}`);
      assert.equal(status, 200, JSON.stringify(body));
      return body;
    },
    async finished(id: string): Promise<Run> {
      const ended = async () => {
        const run = await landscape.read(id);
        return (run.status === 'succeeded' || run.status === 'failed') && run;
      };
      return await eventually(`the end of run ${id}`, ended, patienceSeconds);
    },
    /** Starts a run and waits for its end, which is a success. */
    async run(input?: RunInput): Promise<Run> {
      const run = await landscape.finished((await landscape.start(input)).id);
      assert.equal(run.status, 'succeeded', run.error ?? '');
      return run;
    },
    /** The pixels of a dataset, row by row, out of its COG. */
    async pixels(id: string): Promise<number[]> {
      const response = await fetch(`${baseUrl}/datasets/${id}.cog`);
      assert.equal(response.status, 200, id);
      const path = `/vsimem/${id}.tif`;
      gdal.vsimem.set(Buffer.from(await response.arrayBuffer()), path);
      const raster = gdal.open(path);
      const { x, y } = raster.rasterSize;
      const values = Array.from(raster.bands.get(1).pixels.read(0, 0, x, y));
      raster.close();
      gdal.vsimem.release(path);
      return values;
    },
  };
  return landscape;
}

async function ready(client: Client, id: string): Promise<void> {
  const settled = async () => {
    const { status, parse_error: reason } = await client.status(id);
    assert.notEqual(status, 'failed', reason ?? '');
    return status === 'ready';
  };
  await eventually(`${id} is ready`, settled, patienceSeconds);
}

/** The codes of the nodes of a run that are in this state. */
export function codesOf({ nodes }: Run, status: RunNode['status']): string[] {
  return nodes.filter((node) => node.status === status).map((node) => node.node_code);
}

export function nodeOf({ nodes }: Run, code: string): RunNode {
  const node = nodes.find(({ node_code: each }) => each === code);
  assert.ok(node !== undefined, code);
  return node;
}

/** The id of the dataset that a node has made or reused, its only output. */
export function outputOf(run: Run, code: string): string {
  const { outputs } = nodeOf(run, code);
  assert.equal(outputs?.length, 1, code);
  assert.equal(outputs[0]?.group, outputGroup(code));
  return outputs[0]?.dataset_id ?? '';
}

/** Exactly these nodes were computed, and all others reused. */
export function assertComputed(run: Run, codes: readonly string[]): void {
  assert.deepEqual(codesOf(run, 'succeeded'), codes);
  assert.deepEqual(
    codesOf(run, 'skipped'),
    nodeCodes.filter((code) => !codes.includes(code)),
  );
}

/** The outputs of a run are those of the golden leaves: numbers within 1e-5 of their size, which for classes means exactly. */
export async function assertGolden(client: LandscapeClient, run: Run, set: string): Promise<void> {
  for (const code of nodeCodes) {
    const rows = expected.values[set]?.[code] ?? expected.values['default']?.[code] ?? [];
    const pixels = await client.pixels(outputOf(run, code));
    assert.equal(pixels.length, rows.flat().length, code);
    for (const [index, value] of rows.flat().entries()) {
      const pixel = pixels[index] ?? Number.NaN;
      const wanted = value ?? -9999; // classes without a value are 0 in the file too
      assert.ok(
        Math.abs(pixel - wanted) <= 1e-5 * Math.abs(wanted),
        `${code}, pixel ${index}: ${pixel}, not ${wanted}`,
      );
    }
  }
}
