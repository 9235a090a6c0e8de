import { STATUS_CODES } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { codeOf } from '../common/error-facts.ts';
import { isDatabaseUnavailable } from '../database/unavailable.ts';
import { Problem } from '../common/errors.ts';
import { StoreUnavailable } from '../object-store/object-store.ts';
import type { App } from './fastify/app-type.ts';
import { setCommonHeaders } from './connection/common-headers.ts';

interface Answer {
  readonly status: number;
  readonly body: { readonly error: string } | { readonly errors: Readonly<Record<string, string>> };
}

/** The one mapping from what went wrong to what the client is told; nothing of a backend's own words gets out. */
export function answerTo(error: unknown): Answer {
  if (error instanceof Problem) {
    const body = error.fields === undefined ? { error: error.message } : { errors: error.fields };
    return { status: error.status, body };
  }
  if (isDatabaseUnavailable(error)) return unavailable('database');
  if (error instanceof StoreUnavailable) return unavailable('object_store');
  if (codeOf(error) === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return { status: 400, body: { error: 'the Content-Type is malformed' } };
  }
  const status = frameworkStatus(error);
  return status === undefined
    ? { status: 500, body: { error: 'internal error' } }
    : { status, body: { error: (STATUS_CODES[status] ?? 'bad request').toLowerCase() } };
}

/** For errors, unknown paths, and URLs that no route can be looked up for. */
export function addErrorMapping(app: App): void {
  app.setErrorHandler(async (error, request, reply) => await sendError(error, request, reply));
  app.setNotFoundHandler(async (request, reply) => {
    return await sendError(new Problem('not_found', 'there is nothing at this path'), request, reply);
  });
}

/** For URLs that Fastify can not route; its hooks do not run then. */
export function answerFrameworkError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  setCommonHeaders(request, reply);
  sendError(error, request, reply);
}

function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, body } = answerTo(error);
  if (status >= 500) request.log.error({ err: error, status }, 'request failed');
  return reply.code(status).type('application/json; charset=utf-8').serializer(JSON.stringify).send(body);
}

function unavailable(component: 'database' | 'object_store'): Answer {
  return { status: 503, body: { error: `${component} unavailable` } };
}

/** The status of an error that Fastify itself raised about the request. */
function frameworkStatus(error: unknown): number | undefined {
  if (codeOf(error)?.startsWith('FST_') !== true) return undefined;
  if (!(error instanceof Error) || !('statusCode' in error)) return undefined;
  const status = error.statusCode;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : undefined;
}
