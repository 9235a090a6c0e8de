import { messageText } from '../../lib/message.ts';
import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { AlsoWrite } from '../../database/transaction.ts';
import type { Database } from '../../database/tables/tables.ts';
import { type KeptAnswer, takeKey } from '../idempotency/keys.ts';
import { stringifyVerbatim } from '../../json/verbatim-json.ts';
import { canonicalJson } from '../../json/canonical-json.ts';
import { keyFaults, keyProblems } from '../../messages/request.ts';
import { parseParameters } from '../../validation/parse-parameters.ts';
import { principalOf } from './authentication.ts';

const name = 'idempotency-key';
const maxKeyCharacters = 255;

/** A string of structured fields (RFC 8941, 3.3.3): printable ASCII in double quotes, which stand in it behind a backslash. */
const KeyText = z
  .string()
  .regex(/^ *"(?:[\x20\x21\x23-\x5B\x5D-\x7E]|\\["\\])*" *$/, { error: messageText(keyFaults.syntax) })
  .refine((text) => lengthOf(text) >= 1 && lengthOf(text) <= maxKeyCharacters, {
    error: messageText(keyFaults.length(maxKeyCharacters)),
  });

const lengthOf = (text: string): number => keyIn(text).length;
const keyIn = (text: string): string => text.trim().slice(1, -1).replaceAll(/\\(.)/g, '$1');

/** The headers of operations that take a key. Others stay in the request. */
export const KeyHeaders = z.looseObject({
  [name]: KeyText.optional().meta({
    description:
      'A new string for each resource to create: sent again with the same request, it creates nothing more, and the answer is the first one',
    examples: ['"8e03978e-40d5-43e8-bc93-6894a57f9324"'],
  }),
});

/** One request, which may have a key; disposing of it frees a key under which nothing was made. */
export interface KeyedRequest extends AsyncDisposable {
  /** True when the request was answered before, and is to be compared with that one alone. */
  readonly isAnswered: boolean;
  /**
   * Makes what is asked for and answers with it, or answers as before.
   * @param content all that makes two requests the same; not looked at without a key.
   * @throws {Problem} `invalid` when the key was sent with another content.
   */
  answer<T>(
    content: unknown,
    make: (alsoWrite: AlsoWrite<T>) => Promise<T>,
    say: Say<T>,
  ): Promise<FastifyReply>;
}

/** The answer with what was made. */
type Say<T> = (made: T) => { readonly status: number; readonly location?: string; readonly body: object };

/**
 * Takes the key of a request, if it has one (draft-ietf-httpapi-idempotency-key-header-07). Keys of different senders, methods and paths
 * are different keys.
 * @throws {Problem} `conflict` while another request with the key is under way; `malformed`.
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
  /** The subject of the credentials; null without any. */
  readonly sender: string | null;
  readonly method: string;
  readonly path: string;
  readonly key: string;
}

/** Returns under which id a key is kept. */
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
