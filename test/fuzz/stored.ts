import { inspect, isDeepStrictEqual } from 'node:util';
import { isRecord } from './conforms.ts';
import { type Definitions, resolve } from './document.ts';
import { schemaOf } from './expectations.ts';
import type { FuzzRequest } from './requests.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The fields of the contract's bodies that come back as they were sent. */
const kept: ReadonlySet<string> = new Set(
  (
    'code name description unit parent_id category_id dg_id start_date end_date ' +
    'file_type automated meta from_stage kato_column year_columns'
  ).split(' '),
);
/** Those of a dataset or a run that change while it is processed. */
const processed: ReadonlySet<string> = new Set(
  (
    'status updated_at bbox cog_storage_key attribute_columns parse_error ' +
    'started_at finished_at error nodes'
  ).split(' '),
);

/** The fields that the answer to a successful write tells otherwise than they were sent. */
export function lostFields(request: FuzzRequest, answer: Fields, definitions: Definitions): string[] {
  const { method, path } = request.operation;
  const { properties = {} } = resolve(schemaOf(request.operation), definitions);
  const isFixed = (name: string): boolean =>
    name === 'code' && method === 'PUT' && path === '/categories/{id}';
  return Object.entries(sentFields(request)).flatMap(([name, value]) => {
    if (!kept.has(name) || !Object.hasOwn(properties, name) || isFixed(name)) return [];
    const expected = normalized(name, value, path);
    return isDeepStrictEqual(answer[name], expected)
      ? []
      : [`${name} is ${short(answer[name])} after ${short(expected)} was sent`];
  });
}

/** How what is read differs from what the creation answered, processing apart. */
export function changedFields(created: Fields, read: Fields): string[] {
  return Object.keys({ ...created, ...read })
    .filter((name) => !processed.has(name) && !isDeepStrictEqual(created[name], read[name]))
    .map((name) => `${name} was ${short(created[name])} and reads ${short(read[name])}`);
}

function sentFields({ body, form }: FuzzRequest): Fields {
  if (form === undefined) {
    const value: unknown =
      body === undefined || body.length === 0 ? {} : JSON.parse(body.toString().replace(/^\uFEFF/, ''));
    return isRecord(value) ? value : {};
  }
  return Object.fromEntries(
    form.parts.flatMap(({ name, bytes, file }) => {
      const text = Buffer.from(bytes, 'latin1').toString();
      if (file !== undefined || text === '') return []; // sent empty is not sent
      if (name === 'meta') return [[name, JSON.parse(text)]];
      return [[name, name === 'automated' ? text === 'true' : text]];
    }),
  );
}

function normalized(name: string, value: unknown, path: string): unknown {
  if (/(?:^|_)id$/.test(name) && typeof value === 'string') return value.toLowerCase();
  const isClearable = path.startsWith('/datasets') && (name === 'description' || name === 'unit');
  if (isClearable && value === '') return null;
  if (name === 'year_columns' && Array.isArray(value)) return value.map(described);
  return value;
}

/** Unknown properties do not come back. */
function described(column: unknown): unknown {
  if (!isRecord(column)) return column;
  const known = ['column', 'start_date', 'end_date'].filter((name) => Object.hasOwn(column, name));
  return Object.fromEntries(known.map((name) => [name, column[name]]));
}

function short(value: unknown): string {
  return inspect(value, { depth: 5 }).slice(0, 200);
}
