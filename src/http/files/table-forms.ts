/** The media types of a table for people and programs. */
export const tableMedia = {
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;
export type TableForm = keyof typeof tableMedia;

/** Returns whether a client asks for CSV rather than for JSON. */
export function prefersCsv(accept: string | undefined): boolean {
  const weights = new Map(
    (accept ?? '').split(',').map((each) => {
      const [type = '', ...parameters] = each.split(';').map((part) => part.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
      return [type, weight === undefined ? 1 : Number(weight)] as const;
    }),
  );
  return (weights.get('text/csv') ?? 0) > (weights.get('application/json') ?? 0);
}
