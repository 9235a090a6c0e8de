import negotiate from '@fastify/accept-negotiator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Problem } from '../../lib/errors.ts';
import { addToVary } from '../connection/common-headers.ts';
import { Message, type Sentence } from '../../lib/message.ts';
import { type Language, translate } from '../../messages/languages/translate.ts';

/** In order of preference when a client accepts several equally. */
const languages: Language[] = ['kk', 'ru', 'en'];
const region = /-[\da-z-]*/g;

/** Chooses the language of an answer by `Accept-Language`, ignoring regions; English by default. */
export function languageOf(header: string | undefined): Language {
  if (header === undefined || header === '*') return 'en';
  const ranges = header.toLowerCase().replaceAll(region, '').replaceAll('*', 'en');
  return negotiate(ranges, languages) ?? 'en';
}

/** The query parameter for clients that cannot send headers. */
export const LanguageQuery = z.object({
  lang: z
    .enum(['ru', 'kk', 'en'])
    .optional()
    .describe('Language of the answer; by default that of `Accept-Language`, otherwise English'),
});

/** Returns the `lang` of a request whose route has that parameter. Refusals use it too, even if other parameters are wrong. */
function langIn({ query, routeOptions }: FastifyRequest): Language | undefined {
  const { querystring } = routeOptions.schema ?? {};
  if (!(querystring instanceof z.ZodObject) || !('lang' in querystring.shape)) return undefined;
  return LanguageQuery.safeParse({ lang: Object(query).lang }).data?.lang;
}

/** Returns the language of a request: its `lang` if the route has that parameter, otherwise by `Accept-Language`. */
export function languageIn(request: FastifyRequest): Language {
  return langIn(request) ?? languageOf(request.headers['accept-language']);
}

/** Sets the headers for the language of an answer and for its dependence on the request. */
export function answerIn(
  request: FastifyRequest,
  reply: FastifyReply,
  language = languageIn(request),
): Language {
  addToVary(reply, 'Accept-Language');
  reply.header('content-language', language);
  return language;
}

/** Returns the body of a problem in a language. */
export function bodyOf({ fields, message, sentence }: Problem, language: Language): object {
  if (fields === undefined) return errorBody(new Message(message, sentence), language);
  const errors = Object.entries(fields).map(([field, fault]) => [field, translate(fault, language)]);
  return { errors: Object.fromEntries(errors) };
}

export function errorBody(message: Message, language: Language): object {
  return { error: translate(message, language) };
}

interface Told {
  readonly message: string;
  readonly sentence?: Sentence | undefined;
}

/** Returns `telling` with its message in a language. */
export function told<T extends Told>(telling: T, language: Language): T {
  return { ...telling, message: translate(new Message(telling.message, telling.sentence), language) };
}
