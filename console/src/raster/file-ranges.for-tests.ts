import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Fetch } from './cog.ts';

export const fixture = (path: string) =>
  fileURLToPath(new URL(`../../../test/fixtures/${path}`, import.meta.url));

/** Answers range requests for a file as the service does; `asked` counts them. */
export async function rangesOf(
  path: string,
): Promise<{ readonly fetch: Fetch; readonly asked: () => number }> {
  const bytes = await readFile(path);
  let asked = 0;
  const fetch: Fetch = async (_, { headers }) => {
    asked += 1;
    const range = new Headers(headers).get('range') ?? '';
    const [from = 0, to = 0] = range.replace('bytes=', '').split('-').map(Number);
    const part = bytes.subarray(from, to + 1);
    const contentRange = `bytes ${from}-${from + part.length - 1}/${bytes.length}`;
    return new Response(part, { status: 206, headers: { 'content-range': contentRange } });
  };
  return { fetch, asked: () => asked };
}
