import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { startService } from '../test/support/service.ts';
import { databaseOf } from '../test/support/service-database.ts';
import { median, type Row } from './contest.ts';
import { processorSecondsFor } from './processor-time.ts';
import { fillDatasets, makeGroups, percentile, timesOf, warmUps } from './many-datasets.ts';

const sizes = [10_000, 100_000, 1_000_000] as const;
const goalMs = 50;
/** Pause of the writing client while lists are read, in milliseconds. */
const writeEveryMs = 20;
const columns =
  'id, category_id, dg_id, start_date, end_date, name, description, unit, file_type, size_bytes, status, created_at, updated_at';

export interface MillionLength {
  /** The number of timed lists of each kind. */
  readonly requests: number;
}

/** A kind of list: its query, and its condition in the former statement. */
interface List {
  readonly name: string;
  readonly query: (size: number) => string;
  readonly condition: string;
  readonly offset?: (size: number) => number;
  /** True for lists that are limited in time, and may be slower than others. */
  readonly isBounded?: true;
}

const text = ['name', 'description', 'filename']
  .map((column) => `${column} collate "und-x-icu" ilike '%жайылым 7777%'`)
  .join(' or ');
const lists: readonly List[] = [
  { name: 'all', query: () => '', condition: 'true' },
  { name: 'of a status', query: () => 'status=ready', condition: `status = 'ready'` },
  { name: 'of a rare status', query: () => 'status=failed', condition: `status = 'failed'` },
  { name: 'of a type', query: () => 'file_type=vector', condition: `file_type = 'vector'` },
  {
    name: 'of a category',
    query: () => 'category_code=bench-7',
    condition: `category_id in (select id from categories where code = 'bench-7')`,
  },
  { name: 'of a group', query: () => 'dg_id={group}', condition: `dg_id = '{group}'` },
  {
    name: 'from a day on',
    query: () => 'start_date_from=2015-01-01',
    condition: `start_date >= '2015-01-01'`,
  },
  {
    name: 'with a text',
    query: () => 'q=%D0%96%D0%90%D0%99%D0%AB%D0%9B%D0%AB%D0%9C%207777',
    condition: `(${text})`,
  },
  {
    name: 'page in the middle',
    query: (size) => `page=${size / 40}`,
    condition: 'true',
    offset: (size) => size / 2 - 20,
    isBounded: true,
  },
];

/**
 * Compares lists of increasing numbers of datasets over HTTP, while one client writes, with the former statement that read total and
 * page. Figures are milliseconds; processor time is that of api and database, without the writing client.
 */
export async function* millionRows({ requests }: MillionLength): AsyncGenerator<Row> {
  await using service = await startService({ env: { LOG_LEVEL: 'warn' } });
  const database = new Client(await databaseOf(service));
  await database.connect();
  await database.query('set statement_timeout = 0');
  try {
    const groupId = await makeGroups(database);
    const shorter = new Map<string, { readonly p50: number; readonly processorMs: number }[]>();
    for (const size of sizes) {
      await fillDatasets(database, size);
      const urlOf = (list: List) =>
        `${service.baseUrl}/datasets?${list.query(size).replace('{group}', groupId)}`;
      const processorMs = new Map<List, number>();
      for (const list of lists) {
        const read = async () => await timesOf(urlOf(list), requests);
        const seconds = await processorSecondsFor(service.pid, read);
        processorMs.set(list, (seconds * 1000) / (requests + warmUps));
      }
      const writing = startWriting(await databaseOf(service));
      const label = size.toLocaleString('en');
      for (const list of lists) {
        const times = await timesOf(urlOf(list), requests);
        const p99 = percentile(times, 0.99);
        const taken = processorMs.get(list) ?? Number.NaN;
        if (size < sizes[2]) {
          shorter.set(list.name, [
            ...(shorter.get(list.name) ?? []),
            { p50: median(times), processorMs: taken },
          ]);
          continue;
        }
        const [least, middle] = shorter.get(list.name) ?? [];
        const facts = {
          p99_ms: p99,
          p50_of_100_000_ms: middle?.p50 ?? Number.NaN,
          processor_ms: taken,
          processor_ms_of_10_000: least?.processorMs ?? Number.NaN,
        };
        const row = {
          name: `list of ${label} datasets, ${list.name}`,
          unit: 'ms',
          own: [median(times)],
          facts,
        } as const;
        const before = await formerTimes(database, list, size, groupId);
        yield { ...row, peer: 'the statement of before', goal: { atMost: 1 }, others: [median(before)] };
        if (list.isBounded === true) continue;
        yield {
          ...row,
          name: `${row.name}, 99th of 100`,
          own: [p99],
          peer: `a goal of ${goalMs} ms`,
          goal: { atMost: 1 },
          others: [goalMs],
        };
        yield {
          ...row,
          peer: 'the same list of 10,000',
          goal: { atMost: 2 },
          others: [least?.p50 ?? Number.NaN],
        };
      }
      await writing.close();
      await proveTotals(database, service.baseUrl);
    }
    yield await uploadRow(database);
  } finally {
    await database.end();
  }
}

/** Changes statuses of datasets, one after the other. */
function startWriting(target: ConstructorParameters<typeof Client>[0]) {
  const ending = new AbortController();
  const writing = (async () => {
    const client = new Client(target);
    await client.connect();
    for (let number = 0; !ending.signal.aborted; number += 1) {
      await client.query(
        `update datasets set status = case status when 'ready' then 'failed' else 'ready' end
         where id = (select id from datasets order by created_at desc, id offset $1 limit 1)`,
        [number % 100],
      );
      await sleep(writeEveryMs);
    }
    await client.end();
  })();
  return {
    async close(): Promise<void> {
      ending.abort();
      await writing;
    },
  };
}

/** Returns the milliseconds of the statement that read a page and its total before counts were stored, without HTTP. */
async function formerTimes(database: Client, list: List, size: number, groupId: string): Promise<number[]> {
  const condition = list.condition.replace('{group}', groupId);
  const times: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const startedMs = performance.now();
    await database.query(
      `select ${columns}, (select count(*) from datasets where ${condition}) as total from datasets where ${condition}
       order by created_at desc, id limit 20 offset ${list.offset?.(size) ?? 0}`,
    );
    times.push(performance.now() - startedMs);
  }
  return times;
}

/** Asserts that totals over HTTP equal the numbers of rows, after the writer has ended. */
async function proveTotals(database: Client, baseUrl: string): Promise<void> {
  for (const [query, condition] of [
    ['', 'true'],
    ['status=failed', `status = 'failed'`],
    ['start_date_from=2015-01-01&automated=true', `start_date >= '2015-01-01' and automated`],
  ] as const) {
    const { rows } = await database.query<{ total: string }>(
      `select count(*) as total from datasets where ${condition}`,
    );
    const answer = await fetch(`${baseUrl}/datasets?page_size=1&${query}`);
    const { total }: { total: number } = JSON.parse(await answer.text());
    assert.equal(total, Number(rows[0]?.total), query);
  }
}

/**
 * Compares the three statements of an upload about its dataset, in a transaction that is rolled back, with the same statements without
 * the counting triggers.
 */
async function uploadRow(database: Client): Promise<Row> {
  const uploads = 500;
  const time = async (): Promise<number> => {
    const startedMs = performance.now();
    await database.query(`do $$ declare dataset uuid; begin
      for n in 1..${uploads} loop
        insert into datasets (id, category_id, name, filename, file_type, size_bytes, content_type)
          select gen_random_uuid(), id, 'Осадки ' || n, 'a.gpkg', 'vector', 1, 'application/octet-stream' from categories where code = 'bench-1' returning id into dataset;
        update datasets set status = 'processing' where id = dataset;
        update datasets set status = 'ready' where id = dataset;
      end loop; end $$`);
    return (performance.now() - startedMs) / uploads;
  };
  const [own, others]: [number[], number[]] = [[], []];
  for (let round = 0; round < 3; round += 1) {
    for (const [times, state] of [
      [own, 'enable'],
      [others, 'disable'],
    ] as const) {
      await database.query('begin');
      for (const trigger of ['new', 'changed']) {
        await database.query(`alter table datasets ${state} trigger datasets_counted_${trigger}`);
      }
      times.push(await time());
      await database.query('rollback');
    }
  }
  return {
    name: 'row of an upload, from pending to ready',
    peer: 'the same uncounted',
    unit: 'ms',
    goal: { atMost: 2 },
    own,
    others,
  };
}
