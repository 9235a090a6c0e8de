import negotiate from '@fastify/accept-negotiator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Problem } from '../../lib/errors.ts';
import { addToVary } from '../connection/common-headers.ts';
import { Message, type Sentence } from '../../lib/message.ts';
import { type Language, translate } from '../../messages/languages/translate.ts';

/** The first of the languages that a client likes alike. */
const languages: Language[] = ['kk', 'ru', 'en'];
const region = /-[\da-z-]*/g;

/** Chooses the language of an answer by its `Accept-Language`, whose regions do not count: English unless another is preferred. */
export function languageOf(header: string | undefined): Language {
  if (header === undefined || header === '*') return 'en';
  const ranges = header.toLowerCase().replaceAll(region, '').replaceAll('*', 'en');
  return negotiate(ranges, languages) ?? 'en';
}

/** The query by which a client that cannot send headers chooses the language. */
export const LanguageQuery = z.object({
  lang: z
    .enum(['ru', 'kk', 'en'])
    .optional()
    .describe('The language; without it, that of `Accept-Language`, otherwise English'),
});

/** Returns the `lang` of a request whose route has that parameter; a refusal has it, too, whatever else is wrong. */
function langIn({ query, routeOptions }: FastifyRequest): Language | undefined {
  const { querystring } = routeOptions.schema ?? {};
  if (!(querystring instanceof z.ZodObject) || !('lang' in querystring.shape)) return undefined;
  return LanguageQuery.safeParse({ lang: Object(query).lang }).data?.lang;
}

/** Returns the language that a request asks for: its `lang`, where its route has that parameter, else its `Accept-Language`. */
export function languageIn(request: FastifyRequest): Language {
  return langIn(request) ?? languageOf(request.headers['accept-language']);
}

/** States in the headers of an answer which language it is in, and that it depends on the request. */
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

/** Returns the body of an error in a language. */
export function errorBody(message: Message, language: Language): object {
  return { error: translate(message, language) };
}

interface Told {
  readonly message: string;
  readonly sentence?: Sentence | undefined;
}

/** Returns what has a message with that in a language. */
export function told<T extends Told>(telling: T, language: Language): T {
  return { ...telling, message: translate(new Message(telling.message, telling.sentence), language) };
}
