import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request as httpRequest } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, createClient } from '../client.ts';
import type { Member } from './deployment.ts';
import { floatTiff, katoTable, squaresGeoJson } from '../geo/generated-files.ts';
import { eventually, failedWith } from '../processes.ts';

/** Longer than any request may take, so that a request that hangs is recognised. */
const patienceMs = 30_000;
const lanes = 2;
const pollEveryMs = 200;
const settleSeconds = 120;
const files = {
  raster: new File([floatTiff(300)], 'elevation.tif'),
  vector: new File([squaresGeoJson(200)], 'fields.geojson'),
  vector_with_kato: new File([katoTable(200, 2)], 'table.geojson'),
};
type FileType = keyof typeof files;
const fileTypes: readonly FileType[] = ['vector', 'raster', 'vector_with_kato'];
const mapping = {
  kato_column: 'kato',
  year_columns: [
    { column: '2001', start_date: '2001-12-31' },
    { column: '2002', start_date: '2002-12-31' },
  ],
};

export interface Answered {
  readonly what: string;
  readonly api: string;
  /** Undefined when the connection broke. */
  readonly status: number | undefined;
  readonly at: number;
  readonly ms: number;
}

interface Written {
  readonly name: string;
  readonly fileType: FileType;
  /** Undefined without a 201. */
  readonly id: string | undefined;
}

/** A service, or one api of a deployment. */
export type Api = Pick<Member, 'name' | 'baseUrl' | 'isReady'>;

export type Load = Awaited<ReturnType<typeof startLoad>>;

/**
 * Uploads and reads without a pause, like clients behind a load balancer: it selects ready apis by `/readyz`, opens a connection for each
 * request, and switches to the next api when a connection is refused before a byte was sent. It sends nothing twice.
 */
export async function startLoad(apis: readonly Api[]) {
  const anywhere = createClient(apis[0]?.baseUrl ?? '');
  const categoryId = await anywhere.createCategory(`load-${process.hrtime.bigint()}`);
  const expected = await undisturbed();
  const stopping = new AbortController();
  const serving = new Set<Api>(apis);
  const answered: Answered[] = [];
  const written: Written[] = [];
  const watching = watch();
  const working = Array.from({ length: lanes }, work);

  async function undisturbed() {
    const outcomes = new Map<FileType, string>();
    for (const fileType of fileTypes) {
      const id = await anywhere.upload(categoryId, fileType, files[fileType]);
      outcomes.set(fileType, await outcome(anywhere, id, fileType));
    }
    return outcomes;
  }

  /** Follows a dataset until it is ready, maps it on the way, and returns a digest of everything that it serves. */
  async function outcome(client: Client, id: string, fileType: FileType): Promise<string> {
    await eventually(
      `${fileType} ${id} is ready`,
      async () => {
        const { status, parse_error: reason } = await client.status(id);
        assert.notEqual(status, 'failed', reason ?? '');
        if (status === 'awaiting_mapping') await client.map(id, mapping);
        return status === 'ready';
      },
      settleSeconds,
    );
    if (fileType === 'raster') return await client.sha256(`/datasets/${id}.cog`);
    if (fileType === 'vector') return await client.sha256(`/datasets/${id}.geojson`);
    return JSON.stringify(await client.observations(id));
  }

  async function watch(): Promise<void> {
    while (!stopping.signal.aborted) {
      for (const api of apis) {
        if (await api.isReady()) serving.add(api);
        else serving.delete(api);
      }
      await sleep(pollEveryMs);
    }
  }

  async function work(_: unknown, lane: number): Promise<void> {
    for (let count = lane; !stopping.signal.aborted; count += 1) {
      await upload(`load-${lane}-${count}`, fileTypes[count % fileTypes.length] ?? 'vector');
      await ask('list', { path: '/datasets?page_size=20' });
      const last = written.findLast(({ id }) => id !== undefined);
      if (last !== undefined) await ask('detail', { path: `/datasets/${last.id}` });
      if (last !== undefined)
        await ask('wait', { path: `/datasets/${last.id}/status?wait=1&current=pending` });
    }
  }

  async function upload(name: string, fileType: FileType): Promise<void> {
    const form = new FormData();
    form.set('file_type', fileType);
    form.set('category_id', categoryId);
    form.set('name', name);
    form.set('file', files[fileType]);
    const packed = new Response(form);
    const answer = await ask('upload', {
      path: '/datasets',
      method: 'POST',
      type: packed.headers.get('content-type') ?? '',
      body: Buffer.from(await packed.arrayBuffer()),
    });
    const body: { id?: string } = answer?.status === 201 ? JSON.parse(answer.text) : {};
    written.push({ name, fileType, id: body.id });
  }

  async function ask(what: string, asked: Asked) {
    const at = performance.now();
    let api: Api | undefined;
    let answer: { status: number; text: string } | undefined;
    for (let attempt = 0; attempt < 100 && (attempt === 0 || !stopping.signal.aborted); attempt += 1) {
      const candidates = serving.size > 0 ? [...serving] : apis;
      api = candidates[(answered.length + attempt) % candidates.length];
      try {
        answer = await send(api?.baseUrl ?? '', asked);
        break;
      } catch (error) {
        if (!failedWith(error, 'ECONNREFUSED')) break;
        await sleep(100);
      }
    }
    if (api !== undefined) {
      answered.push({ what, api: api.name, status: answer?.status, at, ms: performance.now() - at });
    }
    return answer;
  }

  return {
    /** All requests so far, in the order of their answers. */
    answered: (): readonly Answered[] => answered,
    categoryId,
    /** Number of datasets with a 201. */
    accepted: () => written.filter(({ id }) => id !== undefined).length,
    /** Number of uploads that have ended, successfully or not. */
    written: () => written.length,
    async stop(): Promise<void> {
      stopping.abort();
      await Promise.all([watching, ...working]);
    },
    /**
     * Asserts that each dataset with a 201 exists once and serves the same as an undisturbed one, and that this holds for datasets whose
     * answer was lost.
     * @param elsewhere another service, restored from a backup that began after this number of uploads; later ones may exist
     */
    async verify(elsewhere?: { readonly baseUrl: string; readonly written: number }): Promise<void> {
      const client = elsewhere === undefined ? anywhere : createClient(elsewhere.baseUrl);
      const surely = elsewhere?.written ?? written.length;
      const seen = new Map<string, string[]>();
      for (let page = 1; ; page += 1) {
        const path = `/datasets?category_id=${categoryId}&page_size=100&page=${page}`;
        const { body } = await client.json<ListPage>(path);
        for (const { id, name } of body.data) seen.set(name, [...(seen.get(name) ?? []), id]);
        if (page >= body.total_pages) break;
      }
      for (const [index, { name, id, fileType }] of written.entries()) {
        const found = seen.get(name) ?? [];
        if (id !== undefined && index < surely) assert.deepEqual(found, [id], `${name} is there once`);
        assert.ok(found.length <= 1, `${name} is there ${found.length} times`);
        for (const each of found) {
          assert.equal(await outcome(client, each, fileType), expected.get(fileType), `${name} is whole`);
        }
      }
    },
    async [Symbol.asyncDispose]() {
      await this.stop();
    },
  };
}

interface ListPage {
  readonly data: readonly { readonly id: string; readonly name: string }[];
  readonly total_pages: number;
}

interface Asked {
  readonly path: string;
  readonly method?: string;
  readonly type?: string;
  readonly body?: Buffer;
}

const agent = new Agent({ keepAlive: false });

async function send(baseUrl: string, { path, method = 'GET', type, body }: Asked) {
  const headers = type === undefined ? {} : { 'content-type': type, 'content-length': body?.length ?? 0 };
  const signal = AbortSignal.timeout(patienceMs);
  const asking = httpRequest(baseUrl + path, { method, headers, agent, signal });
  asking.end(body);
  const [answer]: IncomingMessage[] = await once(asking, 'response');
  assert.ok(answer);
  return { status: answer.statusCode ?? 0, text: await textOf(answer) };
}
