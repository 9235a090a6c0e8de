import type { FastifyReply, FastifyRequest } from 'fastify';
import { answerIn, told } from '../http/language/language.ts';
import { Message } from '../lib/message.ts';
import { translate } from '../messages/languages/translate.ts';
import type { ImportReport } from './report.ts';
import { type Dataset, type DatasetRow, toDataset } from './schema.ts';

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

/** Returns a report with the messages of its warnings in the language of the client. */
export function reportFor(request: FastifyRequest, reply: FastifyReply, report: ImportReport): ImportReport {
  if (report.warnings.length === 0) return report;
  const language = answerIn(request, reply);
  if (language === 'en') return report;
  return { ...report, warnings: report.warnings.map((warning) => told(warning, language)) };
}
