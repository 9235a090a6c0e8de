import { isRecord, violations } from './conforms.ts';
import type { Document, Operation } from './document.ts';
import { type Standing, standingOf } from './expectations.ts';
import type { Answer } from './http-client.ts';
import type { FuzzRequest } from './requests.ts';

/** The state of the service when a request was sent. */
export interface Situation {
  /** State of the resource in the path: `unsure` when something in flight may delete it. */
  readonly resource: 'live' | 'absent' | 'unsure' | 'none';
}

/** What is drawn when it is asked for. */
const drawn = /\/(?:tiles\/.*|(?:tilejson|style|legend)\.json|wmts|(?:legend|thumbnail)\.png)$/;
/** Where a resource that is there may have nothing to show: no match, no style, no report, no raster. */
const maybeNothingThere =
  /\/(?:latest|sld|report)$|^\/dataset-groups\/\{id\}\/(?:tiles|tilejson|style|legend|wmts)\b/;

/** The fields in which a body that keeps to its schema may still be wrong, because of other fields or resources. */
const crossFieldRules: readonly (readonly [operation: RegExp, field: RegExp])[] = [
  [/^(?:POST|PUT) \/categories/, /^parent_id$/],
  [/^(?:POST|PUT|PATCH) \/datasets(?:\/\{id\})?$/, /^(?:category_id|dg_id|end_date)$/],
  [/^POST \/landscape\/slots\/\{code\}$/, /^end_date$/],
  [/^POST \/datasets\/\{id\}\/mapping$/, /^(?:kato_column|year_columns\.\d+\.(?:column|end_date))$/],
  [/^POST \/landscape\/runs$/, /^overrides\.|^params\.tie_priority$/],
];
/** Refused with 422 for the type of the dataset, like all that is drawn; that also for its content. */
const refusesTypes = /\/\{id\}(?:\.cog|\.geojson|\/mapping|\/series)$/;

/** Everything that an answer does wrong, each in a few words; nothing when it is as documented. */
export function faultsOf(
  request: FuzzRequest,
  answer: Answer,
  document: Document,
  situation: Situation,
): string[] {
  const { operation, method } = request;
  const general = headerFaults(request, answer);
  if (request.pathEnd !== '') return [...general, ...nowhereFaults(request, answer)];
  if (method === operation.method || (method === 'HEAD' && operation.method === 'GET')) {
    const standing = standingOf(request, document.definitions);
    return [
      ...general,
      ...documentFaults(request, answer, document),
      ...outcomeFaults(request, answer, standing, situation),
    ];
  }
  return [...general, ...methodFaults(request, answer, document)];
}

function headerFaults({ operation }: FuzzRequest, { status, headers, body }: Answer): string[] {
  // Where other work keeps the cores busy, what is drawn is for later.
  const isForLater = status === 503 && headers['retry-after'] !== undefined && drawn.test(operation.path);
  return [
    ...(status >= 500 && !isForLater ? [`a server error (${status})`] : []),
    ...(headers['x-content-type-options'] === 'nosniff' ? [] : ['no nosniff']),
    ...((headers['x-request-id'] ?? '') === '' ? ['no X-Request-Id'] : []),
    ...((status === 204 || status === 304) && body.length > 0 ? ['a body where none may be'] : []),
  ];
}

/** Status, media type and body against the description. */
function documentFaults(
  { operation, method }: FuzzRequest,
  answer: Answer,
  { definitions }: Document,
): string[] {
  const { status, headers, body } = answer;
  const documented = operation.responses[status];
  if (documented === undefined) return [`status ${status} is not documented`];
  if (method === 'HEAD') return body.length === 0 ? [] : ['an answer to HEAD has a body'];
  const contents = Object.entries(documented.content);
  if (contents.length === 0) return body.length === 0 ? [] : ['a body, but none is documented'];
  const mediaType = headers['content-type']?.split(';')[0] ?? 'none';
  const schema = documented.content[mediaType]?.schema;
  if (schema === undefined) return [`media type ${mediaType} is not documented for ${status}`];
  if (!mediaType.endsWith('json') || status === 206 || headers['content-encoding'] !== undefined) return [];
  const value = parseJson(body);
  const errorFaults = status >= 400 && !(operation.path === '/readyz') ? errorBodyFaults(value) : [];
  return [...errorFaults, ...violations(schema, value, definitions).map((words) => `the body: ${words}`)];
}

function errorBodyFaults(value: unknown): string[] {
  if (isRecord(value) && Object.keys(value).length === 1) {
    if (typeof value['error'] === 'string' && value['error'] !== '') return [];
    if (isRecord(value['errors']) && Object.keys(value['errors']).length > 0) return [];
  }
  return ['the error is neither {error} nor {errors}'];
}

/** Compares the answer with those that a request of this standing may get. */
function outcomeFaults(
  request: FuzzRequest,
  answer: Answer,
  standing: Standing,
  { resource }: Situation,
): string[] {
  const { status } = answer;
  const { operation } = request;
  const expect = (wanted: readonly number[], why: string): string[] =>
    wanted.includes(status) ? [] : [`${status} instead of ${wanted.join(' or ')}: ${why}`];
  if ('faults' in standing) return expect([400], `${standing.kind}: ${standing.faults.join('; ')}`);
  if (isOutside(request)) return expect([404], 'the zoom has no such tile');
  if (resource === 'absent') return expect([404], 'there is no such resource');
  if (status === 404 && (resource === 'unsure' || maybeNothingThere.test(operation.path))) return [];
  if (status === 404 && operation.path.includes('{code}')) return [];
  if (standing.kind === 'open') return status === 400 ? ['400, but the request is well formed'] : [];
  if (standing.kind === 'bad fields') {
    const named = namedFields(answer);
    const missing = standing.fields.filter(
      (field) => !named.some((name) => name === field || name.startsWith(`${field}.`)),
    );
    return [
      ...expect([422], `wrong are ${standing.fields.join(', ') || 'the properties'}`),
      ...(status === 422 && missing.length > 0 ? [`422 without a word on ${missing.join(', ')}`] : []),
    ];
  }
  if (status === 400 || status === 404) return [`${status}, but path, query and body are as documented`];
  return status === 422 ? unexplained(operation, answer) : [];
}

/** Tells whether a well-formed place of a tile lies in no column or row of its zoom. */
function isOutside({ operation, pathValues }: FuzzRequest): boolean {
  if (!operation.path.includes('{z}')) return false;
  const { z = '', x = '', y = '' } = pathValues;
  return Math.max(Number(x), Number.parseInt(y, 10)) >= 2 ** Number(z);
}

/** The reasons of a 422 that the description cannot give. */
function unexplained(operation: Operation, answer: Answer): string[] {
  const named = namedFields(answer);
  if (named.length === 0)
    return refusesTypes.test(operation.path) || drawn.test(operation.path)
      ? []
      : ['422 without fields, but the body conforms'];
  const name = `${operation.method} ${operation.path}`;
  const explained = (field: string): boolean =>
    crossFieldRules.some(([operations, fields]) => operations.test(name) && fields.test(field));
  return named.filter((field) => !explained(field)).map((field) => `422 on ${field}, which conforms`);
}

function namedFields({ body }: Answer): string[] {
  const value = parseJson(body);
  return isRecord(value) && isRecord(value['errors']) ? Object.keys(value['errors']) : [];
}

/** A path that no operation has, or that cannot be read; `/datasets/..` is that of a dataset, with other methods. */
function nowhereFaults({ method }: FuzzRequest, { status, body }: Answer): string[] {
  if (status === 204 && method === 'OPTIONS') return [];
  if (![400, 404, 405].includes(status)) return [`${status} at a path that leads nowhere`];
  return method === 'HEAD' ? [] : errorBodyFaults(parseJson(body));
}

/** OPTIONS names the methods of the path; any other is refused with the same list. */
function methodFaults(request: FuzzRequest, answer: Answer, document: Document): string[] {
  const { status, headers, body } = answer;
  const { method } = request;
  if (status === 400) return method === 'HEAD' ? [] : errorBodyFaults(parseJson(body)); // of a URL that cannot be read
  const siblings = document.operations.filter(({ path }) => path === request.operation.path);
  const described = siblings.map((each) => each.method);
  const readable = described.includes('GET');
  if (method === 'HEAD' && readable) return [];
  const allow = [...described, ...(readable ? ['HEAD'] : []), 'OPTIONS'].toSorted().join(', ');
  return [
    ...(status === (method === 'OPTIONS' ? 204 : 405) ? [] : [`${method} is ${status}`]),
    ...(headers['allow'] === allow ? [] : [`Allow is ${headers['allow']} instead of ${allow}`]),
    ...(status === 405 && method !== 'HEAD' ? errorBodyFaults(parseJson(body)) : []),
  ];
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
