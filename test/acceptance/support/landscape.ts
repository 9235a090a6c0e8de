import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../client.ts';
import { type Dataset, once, settle } from './datasets.ts';
import { repositoryFile } from './files.ts';
import { groupOf, leaves, nodeCodes } from './graph.ts';
import type { Page } from './catalogue.ts';
import { readCog } from './rasters.ts';

export interface Ref {
  readonly group: string;
  readonly dataset_id: string;
}
export interface RunNode {
  readonly id: string;
  readonly run_id: string;
  readonly node_code: string;
  readonly stage: number;
  readonly status: 'pending' | 'running' | 'skipped' | 'succeeded' | 'failed';
  readonly fingerprint: string;
  readonly inputs: readonly Ref[] | null;
  readonly outputs: readonly Ref[] | null;
  readonly error: string | null;
  readonly started_at: string | null;
  readonly finished_at: string | null;
}
export interface Run {
  readonly id: string;
  readonly status: 'queued' | 'running' | 'succeeded' | 'failed';
  readonly params: Readonly<Record<string, unknown>>;
  readonly overrides: Readonly<Record<string, string>>;
  readonly from_stage: number | null;
  readonly error: string | null;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  readonly nodes: readonly RunNode[];
}
export interface Summary {
  readonly id: string;
  readonly status: string;
  readonly name: string;
  readonly end_date?: string | null;
}
export interface Slot {
  readonly code: string;
  readonly title: string;
  readonly group_id: string;
  readonly latest: Summary | null;
}
export interface Result {
  readonly group: string;
  readonly title: string;
  readonly node: string;
  readonly group_id: string;
  readonly latest: Summary | null;
  readonly cog_url: string | null;
  readonly sld_url: string | null;
}

/** Dataset ids by group code, which a run reads instead of the freshest ones. */
export type Pins = Readonly<Record<string, string>>;
export interface RunInput {
  readonly from_stage?: number | null;
  readonly overrides?: Pins;
  readonly params?: object;
}

const slotPath = (key: string) => `/landscape/slots/landscape-in-${key}`;
const goldenFolder = 'test/fixtures/landscape/golden';

export async function listSlots({ get }: Client): Promise<readonly Slot[]> {
  return await get('/landscape/slots');
}

export async function slotOf(client: Client, key: string): Promise<Slot> {
  const slot = (await listSlots(client)).find(({ code }) => code === `landscape-in-${key}`);
  assert.ok(slot !== undefined, key);
  return slot;
}

export async function listResults({ get }: Client): Promise<readonly Result[]> {
  return await get('/landscape/results');
}

export async function resultOf(client: Client, code: string): Promise<Result> {
  const result = (await listResults(client)).find(({ node }) => node === code);
  assert.ok(result !== undefined, code);
  return result;
}

export async function listRuns({ get }: Client, query = ''): Promise<Page<Omit<Run, 'nodes'>>> {
  return await get(`/landscape/runs${query}`);
}

export async function sendToSlot(
  { read }: Client,
  key: string,
  file: File,
  fields: Readonly<Record<string, string>> = {},
): Promise<Dataset> {
  return await read(201, 'POST', slotPath(key), { form: { ...fields, file } });
}

/** Uploads to a slot and waits until a run can read the raster; returns the id. */
export async function fillSlot(
  client: Client,
  key: string,
  file: File,
  fields: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { status, parse_error, id } = await settle(client, (await sendToSlot(client, key, file, fields)).id);
  assert.equal(status, 'ready', parse_error ?? '');
  return id;
}

/** Removes at the end of a claim the datasets that take precedence over those of other claims. */
export function removeAtEnd({ expect }: Client) {
  const ids: string[] = [];
  return {
    add(id: string): string {
      ids.push(id);
      return id;
    },
    async [Symbol.asyncDispose]() {
      for (const id of ids) await expect(204, 'DELETE', `/datasets/${id}`);
    },
  };
}

/** One of the golden leaves, or one of the invalid ones beside them. */
export async function goldenFile(name: string): Promise<File> {
  return await repositoryFile(`${goldenFolder}/${name}.tif`);
}

/** Dates in the distant past, so that the rasters of the claims take precedence over no others. */
export const goldenPeriods: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  dem: { start_date: '0200-02-11', end_date: '0200-02-22' },
  precipitation: { start_date: '0191-01-01', end_date: '0220-12-31' },
  pet: { start_date: '0181-01-01', end_date: '0210-12-31' },
  ndvi: { end_date: '0222-09-30' },
};

const goldenUploads = once(async (client): Promise<Pins> => {
  const fill = async (key: string) =>
    [`landscape-in-${key}`, await fillSlot(client, key, await goldenFile(key), goldenPeriods[key])] as const;
  return Object.fromEntries(await Promise.all(leaves.map(async ({ key }) => await fill(key))));
});

/** First run over the golden leaves, which computes everything with default parameters. Other runs start after it has ended. */
export const firstRun = once(async (client): Promise<Run> => {
  const { id } = await postRun(client, { overrides: await goldenUploads(client) });
  const run = await endOf(client, id);
  assert.equal(run.status, 'succeeded', run.error ?? '');
  return run;
});

/** Uploads the 13 golden leaves: pins of a run that depends on nothing else in the service, and is not the first one over them. */
export async function goldenPins(client: Client): Promise<Pins> {
  return (await firstRun(client)).overrides;
}

async function postRun({ read }: Client, json: RunInput): Promise<Run> {
  return await read(202, 'POST', '/landscape/runs', { json });
}

export async function startRun(client: Client, json: RunInput): Promise<Run> {
  await firstRun(client);
  return await postRun(client, json);
}

export async function planRun({ read }: Client, json: unknown): Promise<Run> {
  return await read(200, 'POST', '/landscape/runs?dry_run=true', { json });
}

/** Plan of a run over the golden leaves after the first one. */
export async function planGolden(client: Client, input: Omit<RunInput, 'overrides'> = {}): Promise<Run> {
  return await planRun(client, { overrides: await goldenPins(client), ...input });
}

export async function getRun({ get }: Client, id: string): Promise<Run> {
  return await get(`/landscape/runs/${id}`);
}

const pollMs = 400;
const patienceMs = 600_000;
const asking = new WeakMap<Client, Promise<ReadonlySet<string>>>();

/** Ids of the newest ended runs; claims that wait share one request. */
async function endedRuns(client: Client): Promise<ReadonlySet<string>> {
  const ask = async () => {
    await sleep(pollMs);
    asking.delete(client);
    const { data } = await listRuns(client, '?page_size=100');
    return new Set(data.filter(({ finished_at: end }) => end !== null).map(({ id }) => id));
  };
  const asked = asking.get(client) ?? ask();
  asking.set(client, asked);
  return await asked;
}

/** Waits until a run has ended, successfully or not. */
export async function endOf(client: Client, id: string): Promise<Run> {
  const until = Date.now() + patienceMs;
  while (Date.now() < until) {
    if ((await endedRuns(client)).has(id)) return await getRun(client, id);
  }
  throw new Error(`run ${id} does not end`);
}

export async function runToEnd(client: Client, input: RunInput): Promise<Run> {
  return await endOf(client, (await startRun(client, input)).id);
}

/** Executes a run and expects it to succeed. */
export async function succeed(client: Client, input: RunInput): Promise<Run> {
  const run = await runToEnd(client, input);
  assert.equal(run.status, 'succeeded', run.error ?? '');
  return run;
}

/** Codes of the nodes in this state. */
export function codesOf({ nodes }: Run, status: RunNode['status']): string[] {
  return nodes.filter((node) => node.status === status).map((node) => node.node_code);
}

export function nodeOf({ nodes }: Run, code: string): RunNode {
  const node = nodes.find(({ node_code: each }) => each === code);
  assert.ok(node !== undefined, code);
  return node;
}

/** Id of the dataset that a node has made or reused. */
export function outputOf(run: Run, code: string): string {
  const { outputs } = nodeOf(run, code);
  assert.deepEqual(
    outputs?.map(({ group }) => group),
    [groupOf(code)],
    code,
  );
  return outputs?.[0]?.dataset_id ?? '';
}

/** Pixels of the output of a node, made or reused, row by row. */
export async function pixelsOf(client: Client, run: Run, code: string): Promise<readonly number[]> {
  return (await readCog(client, outputOf(run, code))).values;
}

/** Asserts that exactly these nodes are in the state, and all others skipped. */
export function assertLeftToDo(run: Run, status: RunNode['status'], codes: readonly string[]): void {
  assert.deepEqual(codesOf(run, status), codes);
  assert.deepEqual(
    codesOf(run, 'skipped'),
    nodeCodes.filter((code) => !codes.includes(code)),
  );
}
