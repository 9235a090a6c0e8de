import { once } from 'node:events';
import { readdir, readFile, readlink, stat } from 'node:fs/promises';
import { get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { KiB, MiB } from '../src/lib/units.ts';
import { eventually } from '../test/support/processes.ts';
import { connectTo } from '../test/support/service-database.ts';
import { mapTable, uploadTable, writeTable } from './kato-table.ts';
import { round } from './memory.ts';
import { openBench } from './service.ts';

/** With 20 columns: 400,000 values in a large table, 20,000 in a small one. */
const [largeRows, smallRows] = [20_000, 1_000];
const readers = 20;
const goalSeconds = 5;

/**
 * Measures one client while twenty others have requested large files, all different, without reading them. Prints the seconds to the
 * first byte, the memory of the api, connections with an open transaction, and bytes of the spool, as one line of JSON. Fails above 5 s
 * for a small file, and for a large one from another address.
 */
export async function benchSlowReaders(): Promise<void> {
  await using bench = await openBench();
  const { service, client, folder } = bench;
  const database = await connectTo(service);
  bench.resources.defer(async () => await database.end());
  const makeTable = async (name: string, rows: number): Promise<string> => {
    const path = join(folder, `${name}.geojson`);
    await writeTable(path, rows);
    const id = await uploadTable(bench, path);
    await mapTable(client, id);
    return id;
  };
  const [large, other, small] = [
    await makeTable('large', largeRows),
    await makeTable('other', largeRows),
    await makeTable('small', smallRows),
  ];
  const ask = async (path: string, localAddress = '127.0.0.1') =>
    await secondsToFirstByte(`${service.baseUrl}/datasets/${path}`, localAddress);
  await ask(`${small}/observations.csv?lang=kk`); // until the code is compiled
  const facts = async () => ({
    ...(await memoryOfApi(service.pid)),
    transactions: Number(
      (
        await database.query(
          `select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and query ~ 'cells' and xact_start is not null`,
        )
      ).rows[0]?.count,
    ),
    spoolMiB: await spoolMiB(service.pid, join(service.dataDir, 'scratch', 'exports')),
  });
  const before = await facts();
  const slow = await Promise.all(
    pathsOf(large).map(async (path) => await askWithoutReading(service.baseUrl, `/datasets/${path}`)),
  );
  const began = performance.now();
  const seconds = {
    small: await ask(`${small}/observations.csv`),
    largeElsewhere: await ask(`${other}/observations.csv?shape=long`, '127.0.0.2'),
  };
  const during = await facts();
  const largeHere = await ask(`${other}/observations.csv?shape=long&lang=ru`);
  let most = during;
  await eventually(
    'all files are written',
    async () => {
      const now = await facts();
      most = {
        residentMiB: Math.max(most.residentMiB, now.residentMiB),
        proportionalMiB: Math.max(most.proportionalMiB, now.proportionalMiB),
        transactions: Math.max(most.transactions, now.transactions),
        spoolMiB: Math.max(most.spoolMiB, now.spoolMiB),
      };
      return now.transactions === 0 && now.spoolMiB === most.spoolMiB && now.spoolMiB > before.spoolMiB;
    },
    300,
  );
  const writtenSeconds = round((performance.now() - began) / 1000);
  const after = await facts();
  const smallAfter = await ask(`${small}/observations.csv?lang=ru`);
  const figures = { readers, goalSeconds, seconds: { ...seconds, largeHere, smallAfter }, writtenSeconds };
  console.log(JSON.stringify({ bench: 'slow-readers', ...figures, before, during, most, after }));
  if (Math.max(...Object.values(seconds), smallAfter) > goalSeconds) process.exitCode = 1;
  for (const socket of slow) socket.destroy();
}

/** Returns paths of twenty different files of one table. */
function pathsOf(id: string): readonly string[] {
  const languages = ['en', 'ru', 'kk'];
  const all = ['csv', 'xlsx', 'parquet'].flatMap((form) =>
    ['wide', 'long'].flatMap((shape) =>
      languages.map((lang) => `${id}/observations.${form}?shape=${shape}&lang=${lang}`),
    ),
  );
  return [...all, ...languages.map((lang) => `${id}.parquet?lang=${lang}`)].slice(0, readers);
}

async function askWithoutReading(baseUrl: string, path: string): Promise<Socket> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect({ host: hostname, port: Number(port) });
  await once(socket, 'connect');
  socket.pause();
  socket.on('error', () => undefined);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`);
  return socket;
}

async function secondsToFirstByte(url: string, localAddress: string): Promise<number> {
  const start = performance.now();
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  get(url, { localAddress, agent: false }, (answer) => {
    answer.on('error', () => undefined); // the answer ends here, before the end of the file
    if (answer.statusCode !== 200) reject(new Error(`${url}: ${answer.statusCode}`));
    answer.once('data', () => {
      resolve((performance.now() - start) / 1000);
      answer.destroy();
    });
  }).on('error', reject);
  return Math.round((await promise) * 1000) / 1000;
}

/** Reads resident memory, and the share of it that is the process's own. */
async function memoryOfApi(pid: number) {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
  const mebibytes = (name: string) =>
    round((Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1]) * KiB) / MiB);
  return { residentMiB: mebibytes('Rss'), proportionalMiB: mebibytes('Pss') };
}

/** Returns the size of unlinked files in a folder that a process has open. */
async function spoolMiB(pid: number, folder: string): Promise<number> {
  const sizes = (await readdir(`/proc/${pid}/fd`)).map(async (name) => {
    const path = `/proc/${pid}/fd/${name}`;
    const target = await readlink(path).catch(() => '');
    return target.startsWith(folder) ? (await stat(path).catch(() => ({ size: 0 }))).size : 0;
  });
  return round((await Promise.all(sizes)).reduce((sum, size) => sum + size, 0) / MiB);
}
