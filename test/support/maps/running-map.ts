import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from './tiles.ts';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { databaseUrl } from '../tools/commands.ts';
import { type Service, startService } from '../service.ts';
import { isLongTier } from '../tier.ts';

/** One answer to a map. Times are in milliseconds of this process. */
export interface Seen {
  readonly url: string;
  /** Number of the api that was asked. */
  readonly api: number;
  readonly sentMs: number;
  readonly status: number;
  readonly etag: string;
  readonly contentLocation: string | undefined;
  /** Digest of the body; none for a 304. */
  readonly digest: string;
}

/** Pause between two requests of a map: the shorter it is, the more requests meet a change in progress. */
const pauseMs = isLongTier ? 15 : 45;

/** Requests these paths of each api repeatedly, like several open maps, until `stop` returns all answers. */
export function runMaps(apis: readonly string[], paths: readonly string[], mapsOfEach = 2) {
  const stopping = new AbortController();
  const seen: Seen[] = [];
  const maps = apis.flatMap((baseUrl, api) =>
    Array.from({ length: mapsOfEach }, async (_, map) => {
      const known = new Map<string, string>();
      for (let turn = map; !stopping.signal.aborted; turn += 1) {
        const url = baseUrl + (paths[turn % paths.length] ?? '');
        // The last map caches answers, as a browser does.
        const etag = map === mapsOfEach - 1 ? known.get(url) : undefined;
        const one = await look(url, api, etag);
        seen.push(one);
        if (one.status === 200) known.set(url, one.etag);
        await sleep(pauseMs);
      }
    }),
  );
  return {
    seen: (): readonly Seen[] => seen,
    async stop(): Promise<readonly Seen[]> {
      stopping.abort();
      await Promise.all(maps);
      return seen;
    },
  };
}

/** Sends one request; with an `etag` a conditional one. */
export async function look(url: string, api: number, etag?: string): Promise<Seen> {
  const sentMs = performance.now();
  const { status, headers, bytes } = await ask(url, etag === undefined ? {} : { 'if-none-match': etag });
  return {
    url,
    api,
    sentMs,
    status,
    etag: headers.get('etag') ?? '',
    contentLocation: headers.get('content-location') ?? undefined,
    digest: status === 304 ? '' : createHash('sha256').update(bytes).digest('hex'),
  };
}

const Target = z.object({ host: z.string(), port: z.int(), user: z.string(), database: z.string() });
const Note = z.object({ database: z.object({ target: Target }) });

/** Starts another api on the database and the object store of a service. */
export async function startSecondApi(
  { dataDir }: Pick<Service, 'dataDir'>,
  env: Readonly<Record<string, string>> = {},
) {
  const note = Note.parse(JSON.parse(await readFile(join(dataDir, 'service.json'), 'utf8')));
  const url = databaseUrl(note.database.target);
  const ownDir = await mkdtemp(join(tmpdir(), 'steppe-api-'));
  const api = await startService({
    dataDir: ownDir,
    env: {
      DATABASE_URL: url,
      MESSAGE_QUEUE_URL: url,
      OBJECT_STORE_URL: pathToFileURL(join(dataDir, 'objects')).href,
      LOG_LEVEL: 'warn',
      ...env,
    },
    command: [process.execPath, 'src/main.ts', 'api'],
  });
  return {
    baseUrl: api.baseUrl,
    output: api.output,
    async [Symbol.asyncDispose]() {
      await api[Symbol.asyncDispose]();
      await rm(ownDir, { recursive: true, force: true });
    },
  };
}
