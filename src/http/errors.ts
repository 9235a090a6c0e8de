import { STATUS_CODES } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { codeOf } from '../lib/error-facts.ts';
import { Problem } from '../lib/errors.ts';
import { isDatabaseLate, isDatabaseUnavailable } from '../database/unavailable.ts';
import { requestProblems, serverFaults, serviceProblems } from '../messages/request/english.ts';
import { StoreUnavailable } from '../object-store/object-store.ts';
import type { Language } from '../messages/languages/translate.ts';
import { answerIn, bodyOf, errorBody } from './language/language.ts';
import { commonHeaders } from './connection/common-headers.ts';
import type { App } from './request/schemas.ts';
import { inDialects } from './openapi/standards.ts';
import { ClientGone } from './request/until-gone.ts';
import { xmlText } from '../../common/xml-text.ts';

/** Retry delay after an overload, or while a database or store is unavailable. */
const retryAfterSeconds = 1;
/** Status in nginx's convention for an answer whose client has disconnected; it is only counted. */
const clientGone = 499;

/** Maps every error to its answer, without text from a backend. */
function answerTo(error: unknown, language: Language) {
  const problem = problemOf(error);
  if (problem === undefined) {
    const status = frameworkStatus(error) ?? 500;
    if (status === 500) return { status, body: errorBody(serverFaults.internalError, language) };
    return { status, body: { error: (STATUS_CODES[status] ?? 'bad request').toLowerCase() } };
  }
  const passes = problem.code === 'busy' || problem.code === 'too_many';
  return { status: problem.status, body: bodyOf(problem, language), passes, comesBack: isAway(error) };
}

function problemOf(error: unknown): Problem | undefined {
  if (error instanceof Problem) return error;
  if (isDatabaseAway(error)) return serviceProblems.unavailable('database');
  if (error instanceof StoreUnavailable) return serviceProblems.unavailable('object_store');
  if (isOfMissingFile(error)) return requestProblems.noSuchPath();
  const isWrongType = codeOf(error) === 'FST_ERR_CTP_INVALID_MEDIA_TYPE';
  return isWrongType ? requestProblems.wrongContentType() : undefined;
}

const isDatabaseAway = (error: unknown): boolean => isDatabaseUnavailable(error) || isDatabaseLate(error);

/** Returns true if a backend is unavailable, so that the same request may succeed soon. */
const isAway = (error: unknown): boolean => isDatabaseAway(error) || error instanceof StoreUnavailable;

/** The static file reader forbids folders and paths that leave its root; to a client these do not exist. */
function isOfMissingFile(error: unknown): boolean {
  const status = frameworkStatus(error);
  return status === 403 || status === 404;
}

/** Returns the status of an error about the request that Fastify or its static file reader raised. */
function frameworkStatus(error: unknown): number | undefined {
  const isKnown = error instanceof Error && (codeOf(error)?.startsWith('FST_') === true || 'expose' in error);
  const status = isKnown && 'statusCode' in error ? error.statusCode : undefined;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : undefined;
}

/** Maps errors and unknown paths to answers. */
export function addErrorMapping(app: App): void {
  app.setErrorHandler(sendError);
  app.setNotFoundHandler((request, reply) => sendError(requestProblems.noSuchPath(), request, reply));
}

/** Answers URLs that Fastify cannot route; its hooks do not run for them. */
export function answerFrameworkError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(commonHeaders(request.id));
  sendError(error, request, reply);
}

function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof ClientGone) return reply.code(clientGone).send();
  const language = answerIn(request, reply);
  const { status, body, passes = false, comesBack = false } = answerTo(error, language);
  if (passes || comesBack) reply.header('retry-after', retryAfterSeconds);
  if (!passes && status >= 500)
    request.log.error({ reqId: request.id, err: error, status }, 'request failed');
  if (isNavigation(request))
    return reply
      .code(status)
      .headers(errorPageHeaders)
      .send(errorPage(status, body, language));
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(inDialects(request.url, status, body));
}

/** Returns true if a browser opens the answer as a page, because a person followed a link or typed an address. */
function isNavigation({ method, headers }: FastifyRequest): boolean {
  return (method === 'GET' || method === 'HEAD') && headers['sec-fetch-mode'] === 'navigate';
}

/** Returns a refusal as a small page with the sentences of its body. */
function errorPage(status: number, body: object, language: Language): string {
  const { error, errors }: { readonly error?: unknown; readonly errors?: unknown } = body;
  const faults = Object.entries(Object(errors)).map(([field, fault]) => `${field}: ${String(fault)}`);
  const sentences = typeof error === 'string' ? [error] : faults;
  const lines = sentences.map((sentence) => `<p>${xmlText(sentence)}</p>`).join('\n');
  return `<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${status}</title>
<h1>${status}</h1>
${lines}
</html>
`;
}

/** The page loads nothing and is not cached. */
const errorPageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
};
