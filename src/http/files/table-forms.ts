import { parquetMaker } from '../../lib/formats/parquet.ts';

/** Media types of a table for people and programs. */
export const tableMedia = {
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  parquet: 'application/vnd.apache.parquet',
} as const;
export type TableForm = keyof typeof tableMedia;

/** Returns the writer of a form, on which its bytes depend beside the table: a Parquet file names its release. */
export const makerOf = (form: TableForm): string => (form === 'parquet' ? parquetMaker : form);

/** Returns the form that a client requests by `Accept`: JSON unless it prefers another one. */
export function formAsked<Form extends TableForm>(
  accept: string | undefined,
  forms: readonly Form[],
): Form | 'json' {
  const weights = new Map(
    (accept ?? '').split(',').map((each) => {
      const [type = '', ...parameters] = each.split(';').map((part) => part.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
      return [type, weight === undefined ? 1 : Number(weight)] as const;
    }),
  );
  const weightOf = (form: TableForm): number => weights.get(tableMedia[form].split(';')[0] ?? '') ?? 0;
  const all: readonly (Form | 'json')[] = ['json', ...forms];
  return all.reduce((best, form) => (weightOf(form) > weightOf(best) ? form : best));
}
