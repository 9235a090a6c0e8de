import assert from 'node:assert/strict';
import type { Answer } from '../client.ts';

type Said = Pick<Answer, 'headers' | 'text'>;

/** Asserts that the body is only `{error}`, with a code and a description where a standard applies; returns the message. */
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

/** Asserts that the body is `{errors}` with a message for exactly these fields; returns the messages. */
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

/** All fields of a run and of each of its nodes. */
export const runFields =
  'id status params overrides from_stage error created_at started_at finished_at nodes'.split(' ');
export const nodeFields =
  'id run_id node_code stage status fingerprint inputs outputs error started_at finished_at'.split(' ');

/** All fields of a dataset in a list. */
export const summaryFields = [
  ...'id category_id dg_id start_date end_date name description unit'.split(' '),
  ...'file_type size_bytes status created_at updated_at'.split(' '),
];
/** All fields of a dataset except the bbox of a raster. */
export const datasetFields = [
  ...summaryFields,
  ...'filename storage_key cog_storage_key sld_storage_key sld_filename sld_content_type'.split(' '),
  ...'content_type meta automated attribute_columns kato_column year_columns parse_error'.split(' '),
];

/** Asserts that the object has exactly these fields. */
export function assertKeys(object: object, fields: readonly string[], because?: string): void {
  assert.deepEqual(Object.keys(object).toSorted(), fields.toSorted(), because);
}

/** Sends requests in parallel, and returns the number of answers with each status. */
export async function statusesAtOnce(
  count: number,
  ask: (index: number) => Promise<Answer>,
): Promise<Readonly<Record<string, number>>> {
  const answers = await Promise.all(Array.from({ length: count }, async (_, index) => await ask(index)));
  const statuses = Object.groupBy(answers, ({ status }) => status);
  return Object.fromEntries(Object.entries(statuses).map(([status, all = []]) => [status, all.length]));
}

/** Sends a deletion and another request in parallel: either the other one is 422 on the field, or it succeeds and the deletion is 409. */
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
