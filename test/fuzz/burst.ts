import { isRecord } from './conforms.ts';
import type { Document } from './document.ts';
import { faultsOf, type Situation } from './faults.ts';
import type { Answer, FuzzClient } from './http-client.ts';
import type { Pool } from './pool.ts';
import { type Draft, type FuzzRequest, kindOfPath, requestOf } from './requests.ts';
import { changedFields, lostFields } from './stored.ts';

const maxShownBytes = 20_000;

export interface Fuzzed {
  readonly baseUrl: string;
  readonly client: FuzzClient;
  readonly document: Document;
  readonly pool: Pool;
}

/** A request, its answer, and what is wrong with it. */
export interface Finding {
  readonly operation: string;
  readonly faults: readonly string[];
  readonly reproduction: string;
  readonly answer: string;
}

/** Sends the requests of drafts all at once, then looks at what they have made and deleted. */
export async function sendBurst(drafts: readonly Draft[], fuzzed: Fuzzed): Promise<Finding[]> {
  const requests = drafts.map((draft) => requestOf(draft, fuzzed.pool));
  const deletions = requests.filter(({ method }) => method === 'DELETE');
  const leaving = deletions.map(({ pathValues }) => pathValues['id']);
  const situations = requests.map((request) => situationOf(request, leaving, fuzzed.pool));
  const outcomes = await Promise.all(
    requests.map(async (request, index) => {
      const answer = await fuzzed.client.send(request).catch((error: unknown) => String(error));
      if (typeof answer === 'string') return { request, answer, faults: [answer] };
      const situation = situations[index] ?? { resource: 'unsure' };
      return { request, answer, faults: faultsOf(request, answer, fuzzed.document, situation) };
    }),
  );
  const findings: Finding[] = [];
  for (const { request, answer, faults } of outcomes) {
    const later = typeof answer === 'string' ? [] : await consequencesOf(request, answer, fuzzed);
    if (faults.length + later.length === 0) continue;
    findings.push({
      operation: `${request.method} ${request.operation.path}`,
      faults: [...faults, ...later],
      reproduction: curlOf(request, fuzzed.baseUrl),
      answer: typeof answer === 'string' ? answer : excerptOf(answer),
    });
  }
  return findings;
}

function situationOf(request: FuzzRequest, leaving: readonly (string | undefined)[], pool: Pool): Situation {
  const id = request.pathValues['id'];
  if (kindOfPath(request.operation.path) === undefined || id === undefined) return { resource: 'none' };
  const others = leaving.filter((each) => each === id).length - (request.method === 'DELETE' ? 1 : 0);
  if (others > 0) return { resource: 'unsure' };
  return { resource: pool.isLive(id) ? 'live' : 'absent' };
}

/** Keeps the pool, and checks that what was written is there as it was sent, and what was deleted nowhere. */
async function consequencesOf(request: FuzzRequest, answer: Answer, fuzzed: Fuzzed): Promise<string[]> {
  const { operation, method } = request;
  if (method !== operation.method || request.pathEnd !== '' || answer.status >= 300) return [];
  const kind =
    kindOfPath(operation.path) ?? kindOfPath(`${operation.path.replace(/slots\/.*$/, 'runs')}/{id}`);
  if (kind === undefined) return [];
  if (method === 'DELETE') {
    const id = request.pathValues['id'] ?? '';
    fuzzed.pool.remove(id.toLowerCase());
    return await tracesOf(operation.path, id, fuzzed);
  }
  if (method === 'GET' || request.body === undefined) return [];
  const body: unknown = JSON.parse(answer.body.toString());
  if (!isRecord(body)) return ['the answer is no object'];
  const lost =
    operation.path.endsWith('/retry') || operation.path.endsWith('/sld')
      ? []
      : lostFields(request, body, fuzzed.document.definitions);
  if (answer.status !== 201 && answer.status !== 202) return lost;
  const id = String(body['id']);
  if (typeof body['file_type'] === 'string') fuzzed.pool.addDataset(id, body['file_type']);
  else fuzzed.pool.add(kind, id);
  const url = `${collectionOf(operation.path)}/${id}`;
  const read = await fuzzed.client.send({ method: 'GET', url, headers: {}, body: undefined });
  if (read.status !== 200) return [...lost, `what it made is ${read.status} at ${url}`];
  const now: unknown = JSON.parse(read.body.toString());
  return [...lost, ...(isRecord(now) ? changedFields(body, now) : ['what it made is no object'])];
}

function collectionOf(path: string): string {
  return path.startsWith('/landscape/slots') ? '/datasets' : path;
}

/** Where something answers otherwise than with 404 although the resource was deleted. */
async function tracesOf(path: string, id: string, { client, document }: Fuzzed): Promise<string[]> {
  const readers = document.operations.filter(
    (operation) => operation.method === 'GET' && operation.path.startsWith(path),
  );
  const traces = await Promise.all(
    readers.map(async (reader) => {
      const url = reader.path.replace('{id}', id).replace('{z}/{x}/{y}', '0/0/0');
      const { status } = await client.send({ method: 'GET', url, headers: {}, body: undefined });
      return status === 404 ? [] : [`${url} is ${status} after the deletion`];
    }),
  );
  return traces.flat();
}

/** A shell line that sends the request again. */
function curlOf({ method, url, headers, body }: FuzzRequest, baseUrl: string): string {
  const flags = Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  const how = method === 'HEAD' ? '-I' : `-X ${method}`;
  const curl = ['curl -i -g --path-as-is', how, ...flags, quoted(baseUrl + url)];
  if (body === undefined) return curl.join(' ');
  const note = body.length > maxShownBytes ? ` # the first of ${body.length} bytes` : '';
  return `printf ${quoted(printfOf(body.subarray(0, maxShownBytes)))} | ${curl.join(' ')} --data-binary @-${note}`;
}

/** The first lines of an answer. */
function excerptOf({ status, headers, body }: Answer): string {
  return `${status} ${headers['content-type'] ?? ''} ${body.toString('utf8', 0, 600)}`;
}

/** For a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Any bytes as printable text that printf turns into them again. */
function printfOf(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .replaceAll(/[^ -~]|[%\\]/g, (character) =>
      character === '%' ? '%%' : `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`,
    );
}
