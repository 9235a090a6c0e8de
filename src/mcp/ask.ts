import { MiB } from '../lib/units.ts';
import { type Answered, type Ask, Refused } from './tools/tool.ts';

const maxBytes = 16 * MiB;
const timeoutMs = 90_000;

interface Way {
  /** The address to which requests are sent, without a trailing slash. */
  readonly address: string;
  /** Headers of every request, such as credentials. */
  readonly headers: Readonly<Record<string, string>>;
  /** The address of the service for people; by default the address of requests. */
  readonly base?: string;
}

/** Creates a client that sends requests to a service over HTTP. */
export function askOverHttp({ address, headers, base = address }: Way): Ask {
  const ask = async ({ method, path, json, language }: Parameters<Ask>[0]): Promise<Answered> => {
    const response = await fetch(`${address}${path}`, {
      method,
      headers: {
        ...headers,
        'accept-language': language,
        ...(json !== undefined && { 'content-type': 'application/json' }),
      },
      ...(json !== undefined && { body: JSON.stringify(json) }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    }).catch((error: unknown) => {
      throw new Refused(`the service at ${base} cannot be reached: is it running?`, { cause: error });
    });
    const text = await readText(response);
    return answered(response.status, text, response.headers.get('link'));
  };
  return Object.assign(ask, { base });
}

async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Refused('the answer is too large for a tool: ask for less');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** Reads an answer of the service; `link` is its `Link` header. */
function answered(status: number, text: string, link: string | null): Answered {
  const query = /<\?([^>]*)>; rel="next"/.exec(link ?? '')?.[1];
  const next = query === undefined ? undefined : (new URLSearchParams(query).get('after') ?? undefined);
  return { status, body: text === '' ? undefined : parsed(text), next };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Refused('what answers there is not Steppe', { cause });
  }
}
