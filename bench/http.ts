import assert from 'node:assert/strict';
import { randomFillSync } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, type ClientConfig } from 'pg';
import { KiB, MiB } from '../src/lib/units.ts';
import { insertPendingDatasets } from '../test/support/geo/rasters.ts';
import { freePort } from '../test/support/ports.ts';
import { type Service, startService } from '../test/support/service.ts';
import { hold, type Row } from './contest.ts';
import { databaseOf } from '../test/support/service-database.ts';
import { makeFolder } from './service.ts';
import { filesLocation, startNginx, startNodePeer } from './http-peers/start.ts';
import { requestsPerSecond } from './wrk.ts';

const connections = 16;
const datasets = 500;
const categories = 30;
const fileBytes = 64 * MiB;
const rangeBytes = 64 * KiB;
/** Requests ranges of the whole file in random order. */
const rangeScript = `wrk.headers["Accept"] = "*/*"
function request()
  local start = math.random(0, ${fileBytes / rangeBytes - 1}) * ${rangeBytes}
  wrk.headers["Range"] = "bytes=" .. start .. "-" .. (start + ${rangeBytes - 1})
  return wrk.format()
end`;

export interface HttpLength {
  readonly rounds: number;
  readonly roundSeconds: number;
}

/** Asks the service and a peer for the same, in turn with 16 connections; figures are requests a second. */
export async function* httpRows({ rounds, roundSeconds }: HttpLength): AsyncGenerator<Row> {
  await using resources = new AsyncDisposableStack();
  const scratch = await makeFolder(resources);
  const env = { LOG_LEVEL: 'warn', NGINX_FILES_LOCATION: filesLocation };
  const service = resources.use(await startService({ env }));
  const target = await databaseOf(service);
  const { folder, cogId } = await fill(service, target);
  const port = await freePort();
  const objects = `${join(service.dataDir, 'objects')}/`;
  const behind = { baseUrl: service.baseUrl, objects, port };
  const nginx = resources.use(await startNginx({ folder, scratch, service: behind }));
  const ranges = resources.use(await startNodePeer('ranges', join(folder, 'cog.tif')));
  const rows = resources.use(await startNodePeer('rows', JSON.stringify(target)));
  const script = join(scratch, 'ranges.lua');
  await writeFile(script, rangeScript);

  async function contest(between: Pair): Promise<Row> {
    const ask = async (url: string): Promise<number> =>
      await requestsPerSecond(url, { connections, seconds: roundSeconds, ...between });
    const { name, peer, goal, own, other } = between;
    for (const url of [own, own, other]) await ask(url); // until the code is compiled
    return await hold(
      {
        name,
        peer,
        unit: 'requests/s',
        goal: { atLeast: goal },
        own: async () => await ask(own),
        other: async () => await ask(other),
      },
      rounds,
    );
  }

  const cog = { name: '64 KiB range of a COG', own: `${service.baseUrl}/datasets/${cogId}.cog`, script };
  yield await contest({ ...cog, peer: 'nginx', goal: 0.25, other: `${nginx.baseUrl}/cog.tif` });
  yield await contest({ ...cog, peer: 'a bare Node server', goal: 0.6, other: ranges.baseUrl });
  const sent = { own: `http://127.0.0.1:${port}/datasets/${cogId}.cog`, peer: 'nginx alone', goal: 0.8 };
  const alone = { ...sent, other: `${nginx.baseUrl}/cog.tif` };
  yield await contest({ ...alone, name: '64 KiB range of a COG, sent by nginx', script });
  yield await contest({ ...alone, name: 'COG of 64 MiB, sent by nginx' });
  yield await contest({ ...alone, name: 'COG of 64 MiB', own: cog.own, goal: 0.3 });
  for (const path of ['/datasets', `/datasets/${cogId}`, '/categories']) {
    const [own, other] = [service.baseUrl + path, rows.baseUrl + path];
    assert.deepEqual(await jsonOf(own), await jsonOf(other), path);
    const name = `GET ${path === `/datasets/${cogId}` ? '/datasets/{id}' : path}`;
    yield await contest({ name, peer: 'Fastify with node-postgres', goal: 0.8, own, other });
  }
}

interface Pair {
  readonly name: string;
  readonly peer: string;
  readonly goal: number;
  readonly own: string;
  readonly other: string;
  readonly script?: string;
}

async function jsonOf(url: string): Promise<unknown> {
  const answer = await fetch(url);
  assert.equal(answer.status, 200, url);
  return await answer.json();
}

/** Fills the service with rows, and with one file in its store, which only the routes that send it read. */
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
      `update datasets set status = 'ready', meta = '{"source":"survey","scale":25000}' where id = $1`,
      [cogId],
    );
    await database.query(
      `insert into dataset_files (dataset_id, kind, object_key) values ($1, 'cog', 'bench/cog.tif')`,
      [cogId],
    );
    return { folder, cogId };
  } finally {
    await database.end();
  }
}
