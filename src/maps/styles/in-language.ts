import type { FastifyReply, FastifyRequest } from 'fastify';
import { answerIn } from '../../http/language/language.ts';
import { translate } from '../../messages/languages/translate.ts';
import { partMeanings, type StyleReport } from './style-report.ts';

/** Returns a style report with the notes on omitted parts in the language of the client. */
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
