import { fromText, isRecord, violations } from './conforms.ts';
import { type Definitions, type Operation, resolve, type Schema } from './document.ts';
import { formFaults } from './form-faults.ts';
import type { FuzzRequest } from './requests.ts';
import type { Standing } from './standing.ts';

const maxJsonDepth = 64;

/** What the description says of a request that has the method of its operation. */
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

/** Of text that is JSON. */
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
