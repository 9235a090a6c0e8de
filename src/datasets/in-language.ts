import type { FastifyReply, FastifyRequest } from 'fastify';
import { answerIn, told } from '../http/language/language.ts';
import { Message } from '../lib/message.ts';
import { translate } from '../messages/languages/translate.ts';
import type { ImportReport } from './report.ts';
import { type Dataset, type DatasetRow, StoredReason, toDataset } from './schema.ts';

/** A failure: its English text and the facts to translate it. */
type Failed = Pick<DatasetRow, 'parse_error' | 'failure'>;

/** Returns the reason of a failure in the language of the client; null without a failure, at no cost. */
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

/** Returns a dataset for an answer, with `parse_error` in the language of the client. */
export function datasetFor(request: FastifyRequest, reply: FastifyReply, row: DatasetRow): Dataset {
  const dataset = toDataset(row);
  if (row.parse_error !== null) dataset.parse_error = reasonFor(request, reply, row);
  const stored = row.files.find(({ kind }) => kind === 'original')?.reference?.reason ?? null;
  if (stored !== null && dataset.reference !== undefined) {
    const { english, sentence } = StoredReason.parse(JSON.parse(stored));
    dataset.reference.reason = translate(new Message(english, sentence), answerIn(request, reply));
  }
  return dataset;
}

/** Returns a report with its warnings in the language of the client. */
export function reportFor(request: FastifyRequest, reply: FastifyReply, report: ImportReport): ImportReport {
  if (report.warnings.length === 0) return report;
  const language = answerIn(request, reply);
  if (language === 'en') return report;
  return { ...report, warnings: report.warnings.map((warning) => told(warning, language)) };
}
