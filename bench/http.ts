import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomFillSync } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client, type ClientConfig } from 'pg';
import { KiB, MiB } from '../src/common/units.ts';
import { insertPendingDatasets } from '../test/support/pending-datasets.ts';
import { type Service, startService } from '../test/support/service.ts';
import { startNginx, startNodePeer } from './http-peers/start.ts';

const run = promisify(execFile);
const connections = 16;
const rounds = 5;
const roundSeconds = 4;
const datasets = 500;
const categories = 30;
const fileBytes = 64 * MiB;
const rangeBytes = 64 * KiB;
/** Ranges all over the file, in an order that is no order. */
const rangeScript = `wrk.headers["Accept"] = "*/*"
function request()
  local start = math.random(0, ${fileBytes / rangeBytes - 1}) * ${rangeBytes}
  wrk.headers["Range"] = "bytes=" .. start .. "-" .. (start + ${rangeBytes - 1})
  return wrk.format()
end`;

interface Contest {
  readonly name: string;
  readonly peer: string;
  /** The least that the service's rate is to be of the peer's. */
  readonly goal: number;
  readonly service: string;
  readonly other: string;
  readonly script?: string;
}

/**
 * Asks the service and a peer for the same, in rounds taken in turn with 16 connections, and prints requests a second, their
 * ratio (the median of the rounds') and the goal, as one line of JSON each. Needs wrk, nginx and curl.
 */
export async function benchHttp(): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), 'steppe-bench-'));
  await using resources = new AsyncDisposableStack();
  resources.defer(async () => await rm(scratch, { recursive: true, force: true }));
  const service = resources.use(await startService({ env: { LOG_LEVEL: 'warn' } }));
  const target = await targetOf(service);
  const { folder, cogId } = await fill(service, target);
  const nginx = resources.use(await startNginx(folder, scratch));
  const ranges = resources.use(await startNodePeer('ranges', join(folder, 'cog.tif')));
  const rows = resources.use(await startNodePeer('rows', JSON.stringify(target)));
  const script = join(scratch, 'ranges.lua');
  await writeFile(script, rangeScript);
  const cog = { name: 'range of 64 KiB', service: `${service.baseUrl}/datasets/${cogId}.cog`, script };
  const contests: Contest[] = [
    { ...cog, peer: 'nginx', goal: 0.25, other: `${nginx.baseUrl}/cog.tif` },
    { ...cog, peer: 'bare node', goal: 0.6, other: ranges.baseUrl },
    ...['/datasets', `/datasets/${cogId}`, '/categories'].map((path) => ({
      name: path === `/datasets/${cogId}` ? '/datasets/{id}' : path,
      peer: 'fastify with node-postgres',
      goal: 0.8,
      service: service.baseUrl + path,
      other: rows.baseUrl + path,
    })),
  ];
  for (const contest of contests) console.log(JSON.stringify(await hold(contest)));
}

async function hold({ name, peer, goal, service, other, script }: Contest) {
  if (script === undefined) assert.deepEqual(await jsonOf(service), await jsonOf(other), name);
  const measured: { own: number; peers: number; ratio: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const own = await requestsPerSecond(service, script);
    const peers = await requestsPerSecond(other, script);
    measured.push({ own, peers, ratio: own / peers });
  }
  const median = (of: 'own' | 'peers' | 'ratio'): number =>
    measured.map((round) => round[of]).toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? Number.NaN;
  const ratio = Math.round(median('ratio') * 100) / 100;
  if (!(ratio >= goal)) process.exitCode = 1;
  const perSecond = { perSecond: Math.round(median('own')), peerPerSecond: Math.round(median('peers')) };
  return { bench: 'http', name, peer, connections, rounds, ...perSecond, ratio, goal };
}

async function jsonOf(url: string): Promise<unknown> {
  const answer = await fetch(url);
  assert.equal(answer.status, 200, url);
  return await answer.json();
}

async function requestsPerSecond(url: string, script: string | undefined): Promise<number> {
  const options = script === undefined ? [] : ['-s', script];
  const { stdout } = await run('wrk', ['-t1', `-c${connections}`, `-d${roundSeconds}s`, ...options, url]);
  assert.doesNotMatch(stdout, /Non-2xx|Socket errors/, stdout);
  return Number(/Requests\/sec:\s*([\d.]+)/.exec(stdout)?.[1]);
}

async function targetOf({ dataDir }: Service): Promise<ClientConfig> {
  const note: { database: { target: ClientConfig } } = JSON.parse(
    await readFile(join(dataDir, 'service.json'), 'utf8'),
  );
  return note.database.target;
}

/** Fills the service with rows, and with one file in its store; nothing reads that file but the routes that send it. */
async function fill({ dataDir }: Service, target: ClientConfig) {
  const folder = join(dataDir, 'objects/bench');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'cog.tif'), randomFillSync(Buffer.alloc(fileBytes)));
  const database = new Client(target);
  await database.connect();
  try {
    await database.query(
      `insert into categories (id, code, name, description)
       select gen_random_uuid(), 'bench-' || n, 'Санат ' || n, 'A branch of the tree'
       from generate_series(1, $1) n`,
      [categories],
    );
    const [cogId = ''] = await insertPendingDatasets(database, datasets);
    await database.query(`insert into objects (key, state) values ('bench/cog.tif', 'live')`);
    await database.query(
      `update datasets set status = 'ready', cog_storage_key = 'bench/cog.tif', meta = '{"source":"survey","scale":25000}'
       where id = $1`,
      [cogId],
    );
    return { folder, cogId };
  } finally {
    await database.end();
  }
}
