import { failuresOfProgram } from './feature-requests.ts';
import { type Asked, malformed, malformedJson, requests, tooMuch, unknown } from './status-requests.ts';

const needNothing = [
  '/datasets/references/stac/look',
  '/landscape/graph',
  '/stac/api',
  '/stac/conformance',
  '/stac/queryables',
];

/** A status of an operation, and a request that has it. */
export interface Row {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly asked: Asked;
}

export const rows: readonly Row[] = Object.entries(requests).flatMap(([operation, byStatus]) => {
  const [method = '', path = ''] = operation.split(' ');
  const asked = Object.entries({ ...usual(method, path, byStatus), ...byStatus }).map(
    ([status, request]) => [Number(status), request] as const,
  );
  return [...asked, ...failures(path, byStatus)].map(([status, request]) => ({
    method,
    path,
    status,
    asked: request,
  }));
});

/** Every successful request is 503 without the database or its tables, and 500 after an unexpected error. */
function failures(path: string, byStatus: Readonly<Record<number, Asked>>) {
  const working = byStatus[200] ?? byStatus[201] ?? byStatus[204];
  if (working === undefined || ['/healthz', '/readyz', '/capabilities'].includes(path)) return [];
  const ofProgram = failuresOfProgram(path);
  if (ofProgram !== undefined) return ofProgram;
  // These routes depend on nothing else that could be missing.
  if (needNothing.includes(path)) return [[503, { ...working, from: 'without tables' }]] as const;
  return [
    [500, { ...working, from: 'broken' }],
    [503, { ...working, from: 'without database' }],
    [503, { ...working, from: 'without tables' }],
  ] as const;
}

/** Requests with a malformed id, an unknown id, a malformed body and a body that is too large. */
function usual(method: string, path: string, byStatus: Readonly<Record<number, Asked>>) {
  const { json, form: parts } = byStatus[200] ?? byStatus[201] ?? {};
  const sent = { ...(json === undefined ? {} : { json }), ...(parts === undefined ? {} : { form: parts }) };
  const takesBody = !['GET', 'DELETE'].includes(method);
  return {
    ...(/\{(?:id|code|a)\}/.test(path) && { 400: { ...malformed, ...sent }, 404: { ...unknown, ...sent } }),
    ...(!path.includes('{') && takesBody && { 400: malformedJson }),
    ...(takesBody && { 413: tooMuch }),
  };
}
