import assert from 'node:assert/strict';
import type { Answer } from '../client.ts';

type Said = Pick<Answer, 'headers' | 'text'>;

/** The body is `{error}` and nothing else, where a standard applies with a code and a description; gives what it says. */
export function assertError({ headers, text }: Said, because = ''): string {
  assert.match(headers.get('content-type') ?? '', /^application\/json\b/, because);
  const body: Readonly<Record<string, unknown>> = JSON.parse(text);
  const { code, description, ...own } = body;
  assert.deepEqual(Object.keys(own), ['error'], `${because} ${text}`);
  if (code !== undefined || description !== undefined) {
    assert.equal(description, own['error'], `${because} ${text}`);
    assert.match(String(code), /^[A-Z][A-Za-z]+$/, `${because} ${text}`);
  }
  const { error } = body;
  assert.ok(typeof error === 'string' && error !== '', `${because} ${text}`);
  return error;
}

/** The body is `{errors}` with a message for each of exactly these fields; gives the messages. */
export function assertFields(
  { headers, text }: Said,
  fields: readonly string[],
  because = '',
): Readonly<Record<string, string>> {
  assert.match(headers.get('content-type') ?? '', /^application\/json\b/, because);
  const body: Readonly<Record<string, unknown>> = JSON.parse(text);
  assert.deepEqual(Object.keys(body), ['errors'], `${because} ${text}`);
  const messages: Readonly<Record<string, string>> = Object(body['errors']);
  assert.deepEqual(Object.keys(messages).toSorted(), fields.toSorted(), `${because} ${text}`);
  for (const message of Object.values(messages)) {
    assert.ok(typeof message === 'string' && message !== '', `${because} ${text}`);
  }
  return messages;
}

/** All of what a run, and each of its nodes, consists of. */
export const runFields =
  'id status params overrides from_stage error created_at started_at finished_at nodes'.split(' ');
export const nodeFields =
  'id run_id node_code stage status fingerprint inputs outputs error started_at finished_at'.split(' ');

/** All of what a dataset consists of in a list. */
export const summaryFields = [
  ...'id category_id dg_id start_date end_date name description unit'.split(' '),
  ...'file_type size_bytes status created_at updated_at'.split(' '),
];
/** All of what a dataset consists of, but for the bbox of a raster. */
export const datasetFields = [
  ...summaryFields,
  ...'filename storage_key cog_storage_key sld_storage_key sld_filename sld_content_type'.split(' '),
  ...'content_type meta automated attribute_columns kato_column year_columns parse_error'.split(' '),
];

/** The object has exactly these fields. */
export function assertKeys(object: object, fields: readonly string[], because?: string): void {
  assert.deepEqual(Object.keys(object).toSorted(), fields.toSorted(), because);
}

/** Sends requests at once, and gives how many answers there are of each status. */
export async function statusesAtOnce(
  count: number,
  ask: (index: number) => Promise<Answer>,
): Promise<Readonly<Record<string, number>>> {
  const answers = await Promise.all(Array.from({ length: count }, async (_, index) => await ask(index)));
  const statuses = Object.groupBy(answers, ({ status }) => status);
  return Object.fromEntries(Object.entries(statuses).map(([status, all = []]) => [status, all.length]));
}

/** A deletion and another request at once: either the other is 422 on the field, or it is done and the deletion 409. */
export async function oneGivesWay(
  requests: readonly [deletion: Promise<Answer>, other: Promise<Answer>],
  done: 200 | 201,
  field: string,
): Promise<'deleted' | 'kept'> {
  const [deletion, other] = await Promise.all(requests);
  const outcome = `${deletion.status} ${other.status}`;
  assert.ok(['204 422', `409 ${done}`].includes(outcome), outcome);
  if (other.status === 422) assertFields(other, [field]);
  return other.status === 422 ? 'deleted' : 'kept';
}
