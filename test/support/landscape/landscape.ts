import assert from 'node:assert/strict';
import gdal from 'gdal-async';
import { leaves as graphLeaves } from '../../acceptance/support/graph.ts';
import { assertLeftToDo, goldenFile, type Run } from '../../acceptance/support/landscape.ts';
import { readCog } from '../../acceptance/support/rasters.ts';
import { type Client, createClient } from '../client.ts';
import { eventually } from '../processes.ts';

/** Longest time until a dataset is ready or a run ends, also on a busy machine. */
const patienceSeconds = 180;

/** Slots in the order of the graph, without the prefix `landscape-in-` of their codes. */
export const leaves = graphLeaves.map(({ key }) => key);

export interface RunInput {
  readonly from_stage?: number | null;
  readonly overrides?: Readonly<Record<string, string>>;
  readonly params?: Readonly<Record<string, unknown>>;
}
export { goldenFile as golden };

/** Interpolates a raster to more pixels on the same ground, so that its grid takes a while to compute. */
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

/** Client of a service that may be killed and restarted at any moment. */
export function createLandscapeClient(baseUrl: string) {
  const client = createClient(baseUrl);
  const landscape = {
    ...client,
    /** Fills a slot and waits until the dataset is ready; returns its id. */
    async fill(leaf: string, file: File): Promise<string> {
      const form = new FormData();
      form.append('file', file);
      const path = `/landscape/slots/landscape-in-${leaf}`;
      const { status, body } = await client.json<{ id: string }>(path, { method: 'POST', body: form });
      assert.equal(status, 201, JSON.stringify(body));
      await ready(client, body.id);
      return body.id;
    },
    /** Fills all slots with the golden leaves or those in `files`; returns the ids by leaf. */
    async fillAll(files: Readonly<Record<string, File>> = {}): Promise<Map<string, string>> {
      const fill = async (leaf: string) =>
        [leaf, await landscape.fill(leaf, files[leaf] ?? (await goldenFile(leaf)))] as const;
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
    /** Cancels a run; returns the status of the answer. */
    cancel: async (id: string) =>
      (await fetch(`${baseUrl}/landscape/runs/${id}`, { method: 'DELETE' })).status,
    /** Starts a run and waits until it succeeds. */
    async run(input?: RunInput): Promise<Run> {
      const run = await landscape.finished((await landscape.start(input)).id);
      assert.equal(run.status, 'succeeded', run.error ?? '');
      return run;
    },
    /** Pixels of the COG of a dataset, row by row. */
    pixels: async (id: string) => (await readCog({ baseUrl }, id)).values,
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

/** Asserts that exactly these nodes were computed and all others reused. */
export function assertComputed(run: Run, codes: readonly string[]): void {
  assertLeftToDo(run, 'succeeded', codes);
}
