import { messageText } from '../../lib/message.ts';
import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { AlsoWrite } from '../../database/transaction.ts';
import type { Database } from '../../database/tables/tables.ts';
import { type KeptAnswer, takeKey } from '../idempotency/keys.ts';
import { stringifyVerbatim } from '../../json/verbatim-json.ts';
import { canonicalJson } from '../../json/canonical-json.ts';
import { keyFaults, keyProblems } from '../../messages/request/english.ts';
import { parseParameters } from '../../validation/parse-parameters.ts';
import { principalOf } from './authentication.ts';

const name = 'idempotency-key';
const maxKeyCharacters = 255;

/**
 * A string of structured fields (RFC 8941, 3.3.3): printable ASCII in double quotes; inside, a backslash escapes quotes and backslashes.
 */
const KeyText = z
  .string()
  .regex(/^ *"(?:[\x20\x21\x23-\x5B\x5D-\x7E]|\\["\\])*" *$/, { error: messageText(keyFaults.syntax) })
  .refine((text) => lengthOf(text) >= 1 && lengthOf(text) <= maxKeyCharacters, {
    error: messageText(keyFaults.length(maxKeyCharacters)),
  });

const lengthOf = (text: string): number => keyIn(text).length;
const keyIn = (text: string): string => text.trim().slice(1, -1).replaceAll(/\\(.)/g, '$1');

/** Headers of operations that accept an idempotency key; other headers stay in the request. */
export const KeyHeaders = z.looseObject({
  [name]: KeyText.optional().meta({
    description:
      'A new string for each resource to create. A repeated request with the same key creates nothing and gets the first answer',
    examples: ['"8e03978e-40d5-43e8-bc93-6894a57f9324"'],
  }),
});

/** A request with an optional key. Disposal frees a key under which nothing was created. */
export interface KeyedRequest extends AsyncDisposable {
  /** True if the request was answered before and only has to be compared with the first one. */
  readonly isAnswered: boolean;
  /**
   * Creates the resource and answers, or repeats the first answer.
   * @param content everything that makes two requests equal; not read without a key.
   * @throws {Problem} `invalid` if the key was sent with other content.
   */
  answer<T>(
    content: unknown,
    make: (alsoWrite: AlsoWrite<T>) => Promise<T>,
    say: Say<T>,
  ): Promise<FastifyReply>;
}

/** Builds the answer from the created resource. */
type Say<T> = (made: T) => { readonly status: number; readonly location?: string; readonly body: object };

/**
 * Claims the key of a request, if it has one (draft-ietf-httpapi-idempotency-key-header-07). Keys of different senders,
 * methods and paths are different keys.
 * @throws {Problem} `conflict` while another request with the key is running; `malformed`.
 */
export async function takeRequestKey(
  db: Database,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<KeyedRequest> {
  const { [name]: text } = parseParameters(KeyHeaders, request.headers);
  if (text === undefined) return withoutKey(reply);
  const taken = await takeKey(db, idOf(request, keyIn(text)));
  if (taken.state === 'answered')
    return {
      isAnswered: true,
      async answer(content) {
        if (!digestOf(content).equals(taken.fingerprint)) throw keyProblems.otherRequest();
        return await send(reply, taken.answer);
      },
      async [Symbol.asyncDispose]() {},
    };
  return {
    isAnswered: false,
    async answer(content, make, say) {
      const fingerprint = digestOf(content);
      const made = await make(async (trx, row) => await taken.keep(trx, written(say(row)), fingerprint));
      return await send(reply, written(say(made)));
    },
    async [Symbol.asyncDispose]() {
      await taken[Symbol.asyncDispose]();
    },
  };
}

function withoutKey(reply: FastifyReply): KeyedRequest {
  return {
    isAnswered: false,
    async answer(_content, make, say) {
      return await send(reply, written(say(await make(async () => {}))));
    },
    async [Symbol.asyncDispose]() {},
  };
}

function idOf(request: FastifyRequest, key: string): Buffer {
  const { url, method } = request;
  const [path = ''] = url.split('?', 1);
  return digestOfKey({ sender: principalOf(request)?.subject ?? null, method, path, key });
}

interface SentKey {
  /** Subject of the credentials; null without credentials. */
  readonly sender: string | null;
  readonly method: string;
  readonly path: string;
  readonly key: string;
}

/** Returns the id under which a key is stored. */
export function digestOfKey(sent: SentKey): Buffer {
  return digestOf(sent);
}

function digestOf(content: unknown): Buffer {
  return hash('sha256', canonicalJson(content), 'buffer');
}

function written<T>({ status, location, body }: ReturnType<Say<T>>): KeptAnswer {
  return { status, location: location ?? null, body: stringifyVerbatim(body) };
}

async function send(reply: FastifyReply, { status, location, body }: KeptAnswer): Promise<FastifyReply> {
  if (location !== null) reply.header('location', location);
  return await reply.code(status).type('application/json; charset=utf-8').send(body);
}
