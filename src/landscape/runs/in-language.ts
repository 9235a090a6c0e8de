import type { FastifyReply, FastifyRequest } from 'fastify';
import { answerIn } from '../../http/language/language.ts';
import { Message, type Sentence } from '../../lib/message.ts';
import { type Language, translate } from '../../messages/languages/translate.ts';
import type { LandscapeRun } from './schema.ts';

interface RunError {
  readonly error: string | null;
  readonly failure?: Sentence | undefined;
}

/** Returns a copy with the error in a language. */
export function inLanguage<T extends RunError>(failing: T, language: Language): T {
  const { error: english, failure } = failing;
  if (english === null || language === 'en') return failing;
  return { ...failing, error: translate(new Message(english, failure), language) };
}

/** Returns a run with its error and those of its nodes in the language of the client. */
export function runFor(request: FastifyRequest, reply: FastifyReply, run: LandscapeRun): LandscapeRun {
  return hasError(run) ? runIn(run, answerIn(request, reply)) : run;
}

/** Returns runs with their errors in the language of the client. */
export function runsFor(
  request: FastifyRequest,
  reply: FastifyReply,
  runs: readonly LandscapeRun[],
): readonly LandscapeRun[] {
  if (!runs.some(hasError)) return runs;
  const language = answerIn(request, reply);
  return runs.map((run) => runIn(run, language));
}

function hasError({ error, nodes }: LandscapeRun): boolean {
  return error !== null || nodes?.some((node) => node.error !== null) === true;
}

function runIn(run: LandscapeRun, language: Language): LandscapeRun {
  const nodes = run.nodes?.map((node) => inLanguage(node, language)) ?? null;
  return { ...inLanguage(run, language), nodes };
}
