import negotiate from '@fastify/accept-negotiator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Problem } from '../../lib/errors.ts';
import { Message, type Sentence } from '../../lib/message.ts';
import { type Dataset, type DatasetRow, toDataset } from '../../datasets/schema.ts';
import type { ImportReport } from '../../datasets/report.ts';
import { partMeanings, type StyleReport } from '../../maps/styles/style-report.ts';
import type { LandscapePlan } from '../../landscape/plan/plan-schema.ts';
import type { LandscapeRun } from '../../landscape/runs/schema.ts';
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

/** Returns the language that the query of a request asks for, else its `Accept-Language`. */
export function languageAsked(
  { headers }: Pick<FastifyRequest, 'headers'>,
  { lang }: z.infer<typeof LanguageQuery>,
): Language {
  return lang ?? languageOf(headers['accept-language']);
}

/** The headers of an answer in a language that depends on the request. */
export const languageHeaders = (language: Language) => ({
  vary: 'Accept-Language',
  'content-language': language,
});

/** Returns the `lang` of a request whose route has that parameter; a refusal has it, too, whatever else is wrong. */
function langIn({ query, routeOptions }: FastifyRequest): Language | undefined {
  const { querystring } = routeOptions.schema ?? {};
  if (!(querystring instanceof z.ZodObject) || !('lang' in querystring.shape)) return undefined;
  return LanguageQuery.safeParse({ lang: Object(query).lang }).data?.lang;
}

/** States in the headers of an answer which language it is in, and that it depends on the request. */
export function answerIn(request: FastifyRequest, reply: FastifyReply): Language {
  const language = langIn(request) ?? languageOf(request.headers['accept-language']);
  addVary(reply);
  reply.header('content-language', language);
  return language;
}

function addVary(reply: FastifyReply): void {
  const before = reply.getHeader('vary');
  if (before === undefined) reply.header('vary', 'Accept-Language');
  // An answer that turns into an error says it once.
  else if (!String(before).includes('Accept-Language'))
    reply.header('vary', `${String(before)}, Accept-Language`);
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

/** A failure as an answer tells it: its English words, and the facts they are made of. */
type Failed = Pick<DatasetRow, 'parse_error' | 'failure'>;

/** Returns the reason of a failure in the language of the client; null, at no cost, where nothing has failed. */
export function reasonFor(
  request: FastifyRequest,
  reply: FastifyReply,
  { parse_error: english, failure }: Failed,
): string | null {
  if (english === null) return null;
  const language = answerIn(request, reply);
  return language === 'en' || failure === null
    ? english
    : translate(new Message(english, JSON.parse(failure)), language);
}

/** Returns a dataset as answers show it, its `parse_error` in the language of the client. */
export function datasetFor(request: FastifyRequest, reply: FastifyReply, row: DatasetRow): Dataset {
  const dataset = toDataset(row);
  if (row.parse_error !== null) dataset.parse_error = reasonFor(request, reply, row);
  return dataset;
}

interface RunError {
  readonly error: string | null;
  readonly failure?: Sentence | undefined;
}

function inLanguage<T extends RunError>(failing: T, language: Language): T {
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

/** Returns a plan with its error, and what was found about its inputs, in the language of the client. */
export function planFor(request: FastifyRequest, reply: FastifyReply, plan: LandscapePlan): LandscapePlan {
  if (plan.error === null && plan.inputs.every(({ findings = [] }) => findings.length === 0)) return plan;
  const language = answerIn(request, reply);
  if (language === 'en') return plan;
  const inputs = plan.inputs.map(({ findings, ...input }) =>
    findings === undefined
      ? input
      : { ...input, findings: findings.map((finding) => told(finding, language)) },
  );
  return { ...inLanguage(plan, language), inputs };
}

interface Told {
  readonly message: string;
  readonly sentence?: Sentence | undefined;
}

/** Returns what has a message with that in a language. */
function told<T extends Told>(telling: T, language: Language): T {
  return { ...telling, message: translate(new Message(telling.message, telling.sentence), language) };
}

/** Returns a report with the messages of its warnings in the language of the client. */
export function reportFor(request: FastifyRequest, reply: FastifyReply, report: ImportReport): ImportReport {
  if (report.warnings.length === 0) return report;
  const language = answerIn(request, reply);
  if (language === 'en') return report;
  return { ...report, warnings: report.warnings.map((warning) => told(warning, language)) };
}

/** Returns a report about a style with what is left out in the language of the client. */
export function styleReportFor(
  request: FastifyRequest,
  reply: FastifyReply,
  report: StyleReport,
): StyleReport {
  if (report.left_out.length === 0) return report;
  const language = answerIn(request, reply);
  const leftOut = report.left_out.map((part) => ({
    ...part,
    message: translate(partMeanings[part.code], language),
  }));
  return { ...report, left_out: leftOut };
}
