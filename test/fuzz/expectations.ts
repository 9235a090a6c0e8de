import { fromText, isRecord, violations } from './conforms.ts';
import { type Definitions, type Operation, resolve, type Schema } from './document.ts';
import type { FileKind, Form, Part } from './forms.ts';
import type { FuzzRequest } from './requests.ts';

/** How a request keeps to the description, in the order in which the service looks. */
export type Standing =
  /** Path or query break their schemas, or cannot be read. */
  | { readonly kind: 'bad url'; readonly faults: readonly string[] }
  /** The body is not of its media type at all. */
  | { readonly kind: 'broken body'; readonly faults: readonly string[] }
  /** The body breaks its schema in these fields; in none of its own when it has too few. */
  | { readonly kind: 'bad fields'; readonly fields: readonly string[] }
  | { readonly kind: 'conforms' }
  /** The description leaves it open, such as what remains of a strange file name. */
  | { readonly kind: 'open' };

const maxJsonDepth = 64;

/** Judges by the description a request that has the method of its operation. */
export function standingOf(request: FuzzRequest, definitions: Definitions): Standing {
  const faults = [...pathFaults(request, definitions), ...queryFaults(request, definitions)];
  if (faults.length > 0) return { kind: 'bad url', faults };
  const { requestBody } = request.operation;
  if (requestBody === undefined) return { kind: 'conforms' };
  if (request.form !== undefined) return formFaults(request.form, schemaOf(request.operation), definitions);
  return jsonStanding(request, requestBody.required, definitions);
}

function pathFaults({ operation, pathValues }: FuzzRequest, definitions: Definitions): string[] {
  return operation.parameters
    .filter((parameter) => parameter.in === 'path')
    .flatMap(({ name, schema }) =>
      violations(schema, pathValues[name]?.toWellFormed(), definitions).map((words) => `${name}: ${words}`),
    );
}

function queryFaults({ operation, query }: FuzzRequest, definitions: Definitions): string[] {
  const described = operation.parameters.filter((parameter) => parameter.in === 'query');
  if (described.length === 0) return []; // nobody reads it
  try {
    decodeURIComponent(query);
  } catch {
    return ['the query is no UTF-8'];
  }
  const sent = new URLSearchParams(query);
  return described.flatMap(({ name, schema, required }) => {
    const values = sent.getAll(name);
    if (values.length > 1) return [`${name} is repeated`];
    const [text] = values;
    if (text === undefined) return required ? [`${name} is missing`] : [];
    return violations(schema, fromText(schema, text, definitions), definitions).map(
      (words) => `${name}: ${words}`,
    );
  });
}

/** The schema of the one media type that an operation takes. */
export function schemaOf({ requestBody }: Operation): Schema {
  return Object.values(requestBody?.content ?? {})[0]?.schema ?? {};
}

function jsonStanding(
  { body, operation }: FuzzRequest,
  required: boolean,
  definitions: Definitions,
): Standing {
  if (body === undefined || body.length === 0) {
    return required ? { kind: 'broken body', faults: ['there is none'] } : { kind: 'conforms' };
  }
  const value = readJson(body);
  if (!isRecord(value)) return { kind: 'broken body', faults: ['it is no JSON object'] };
  const schema = schemaOf(operation);
  const faults = violations(schema, value, definitions);
  if (faults.length > 0) return { kind: 'bad fields', fields: fieldsOf(schema, value, definitions) };
  return holdsLoneSurrogate(body) ? { kind: 'open' } : { kind: 'conforms' };
}

/** The properties that break their own part of a schema. */
function fieldsOf(
  given: Schema,
  value: Readonly<Record<string, unknown>>,
  definitions: Definitions,
): string[] {
  const { properties = {}, required = [] } = resolve(given, definitions);
  return Object.entries(properties).flatMap(([name, schema]) => {
    if (!Object.hasOwn(value, name)) return required.includes(name) ? [name] : [];
    return violations(schema, value[name], definitions).length > 0 ? [name] : [];
  });
}

function readJson(body: Buffer): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    const value: unknown = JSON.parse(text);
    return depthOf(text) > maxJsonDepth ? undefined : value;
  } catch {
    return undefined;
  }
}

/** Measures how deep JSON text is nested. */
function depthOf(text: string): number {
  let [depth, deepest] = [0, 0];
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/gs)) {
    if (token === '[' || token === '{') depth += 1;
    if (token === ']' || token === '}') depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

/** No pattern can say that text must not hold one, so that reading it either way is right by the description. */
function holdsLoneSurrogate(body: Buffer): boolean {
  return /\\ud[89a-f]/i.test(body.toString('latin1'));
}

const kindByExtension: Readonly<Record<string, FileKind>> = {
  '.tif': 'tiff',
  '.tiff': 'tiff',
  '.gpkg': 'geopackage',
  '.zip': 'zip',
  '.geojson': 'json',
  '.sld': 'sld',
  '.xml': 'sld',
};

/** How a form keeps to its schema and to what the contract says of files. */
function formFaults(form: Form, given: Schema, definitions: Definitions): Standing {
  if (form.damage !== 'none') return { kind: 'broken body', faults: [form.damage] };
  const { properties = {}, required = [] } = resolve(given, definitions);
  const fields: string[] = [];
  let isOpen = false;
  for (const [name, schema] of Object.entries(properties)) {
    const [part, ...more] = form.parts.filter((each) => each.name === name);
    if (more.length > 0) fields.push(name);
    else if (part === undefined || (part.file === undefined && part.bytes === '')) {
      if (required.includes(name)) fields.push(name);
    } else {
      const verdict =
        part.file === undefined
          ? judgeText(name, Buffer.from(part.bytes, 'latin1').toString(), schema, definitions)
          : judgeFile(part, form, properties);
      if (verdict === 'bad') fields.push(name);
      if (verdict === 'open') isOpen = true;
    }
  }
  if (fields.length > 0) return { kind: 'bad fields', fields };
  return { kind: isOpen ? 'open' : 'conforms' };
}

type Verdict = 'good' | 'bad' | 'open';

function judgeText(name: string, text: string, schema: Schema, definitions: Definitions): Verdict {
  if (name === 'meta') return text.startsWith('{"value":') ? 'open' : 'bad'; // how deep it may be is not in the schema
  return violations(schema, fromText(schema, text, definitions), definitions).length === 0 ? 'good' : 'bad';
}

function judgeFile({ file }: Part, form: Form, properties: Readonly<Record<string, Schema>>): Verdict {
  if (file?.extension === undefined) return 'open';
  const accepted = acceptedKinds(form, properties);
  if (accepted === undefined) return 'open';
  const promised = kindByExtension[file.extension];
  return promised !== undefined && accepted.includes(promised) && promised === file.kind ? 'good' : 'bad';
}

/** The kinds of file that the fields of a form allow; undefined when a wrong field leaves that open. */
function acceptedKinds(
  form: Form,
  properties: Readonly<Record<string, Schema>>,
): readonly FileKind[] | undefined {
  if (Object.keys(properties).length === 1) return ['sld'];
  if (!('file_type' in properties)) return ['tiff']; // a slot
  const fileTypes = form.parts.filter(({ name }) => name === 'file_type').map(({ bytes }) => bytes);
  if (fileTypes.length !== 1) return undefined;
  if (fileTypes[0] === 'raster') return ['tiff'];
  return fileTypes[0]?.startsWith('vector') === true ? ['geopackage', 'zip', 'json'] : undefined;
}
