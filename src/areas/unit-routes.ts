import { z } from 'zod';
import { type TableForm, tableMedia } from '../http/files/table-forms.ts';
import { pendingResponse } from '../http/long-poll/result-waiters.ts';
import { FileBytes, madeFileResponses } from '../http/openapi/responses.ts';
import { IdParams } from '../validation/fields.ts';

interface Described {
  /** The path of the JSON; paths of files add an extension. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly answer: string;
  readonly schema: z.ZodType;
  readonly descriptions: Readonly<Record<TableForm, string>>;
}

/** Describes the routes of an answer by unit: JSON, of which `Accept` makes CSV or Parquet, and a file of each form. */
export function unitRoutes({ path, operationId, summary, answer, schema, descriptions }: Described) {
  const csv = { 'text/csv': { schema: z.string() } };
  const parquet = { [tableMedia.parquet]: { schema: FileBytes } };
  const xlsx = { [tableMedia.xlsx]: { schema: FileBytes } };
  const content = { json: { 'application/json': { schema }, ...csv, ...parquet }, csv, xlsx, parquet };
  const forms = [
    ['json', '', ''],
    ['csv', 'Csv', ' as CSV'],
    ['xlsx', 'Workbook', ' as a workbook'],
    ['parquet', 'Parquet', ' as Parquet'],
  ] as const;
  return forms.map(([form, name, as]) => {
    const response = { description: form === 'xlsx' ? 'The workbook' : answer, content: content[form] };
    return {
      form,
      url: form === 'json' ? path : `${path}.${form}`,
      tags: ['areas'],
      operationId: operationId + name,
      summary: summary + as,
      description: descriptions[form],
      params: IdParams,
      response: { ...madeFileResponses(response, 400, 404, 409, 422), ...pendingResponse },
    };
  });
}
