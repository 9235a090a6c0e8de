import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from './tiles.ts';

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
        await sleep(15);
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
