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

/** One answer to a map. Times in milliseconds of this process. */
export interface Seen {
  readonly url: string;
  /** Which api was asked, by its number. */
  readonly api: number;
  readonly sentMs: number;
  readonly status: number;
  readonly etag: string;
  readonly contentLocation: string | undefined;
  /** Digest of the body; of a 304 there is none. */
  readonly digest: string;
}

/** Between two requests of a map: the more there are, the more often one meets a change half way. */
const pauseMs = isLongTier ? 15 : 45;

/** Asks for these paths of each api again and again, as many maps do that are open, until `stop` gives all answers. */
export function runMaps(apis: readonly string[], paths: readonly string[], mapsOfEach = 2) {
  const stopping = new AbortController();
  const seen: Seen[] = [];
  const maps = apis.flatMap((baseUrl, api) =>
    Array.from({ length: mapsOfEach }, async (_, map) => {
      const known = new Map<string, string>();
      for (let turn = map; !stopping.signal.aborted; turn += 1) {
        const url = baseUrl + (paths[turn % paths.length] ?? '');
        // The last of the maps keeps what it has seen, as a browser does.
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

/** Asks once; with an `etag` only for what is not it. */
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

/** Starts an api beside a service that has its own database, on the same database and object store. */
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
