import type { Warning } from '../geo/findings.ts';
import { readable } from '../readable.ts';
import type { ColumnFormats } from './columns.ts';

/** A file may have thousands of columns. */
const maxCommaWarnings = 50;
const maxNameCharacters = 255;

/** Warns of columns whose commas do not say how they read. */
export function commaWarnings(formats: ColumnFormats): Warning[] {
  const warnings = formats.flatMap(({ column, commas }): Warning[] => {
    const warning = commas === 'mixed' || commas === 'ambiguous' ? commaMessages[commas] : undefined;
    return warning === undefined
      ? []
      : [
          {
            code: warning.code,
            message: `Column "${readable(column, maxNameCharacters)}" ${warning.message}`,
          },
        ];
  });
  return warnings.slice(0, maxCommaWarnings);
}

const commaMessages = {
  mixed: {
    code: 'mixed_decimal_comma',
    message: 'has decimal commas and commas between thousands; each of its cells was read by itself.',
  },
  ambiguous: {
    code: 'ambiguous_decimal_comma',
    message:
      'has exactly three digits after each comma, which may part thousands; they were read as decimal commas.',
  },
} as const;

/** Warns when rows were skipped because they have no code. */
export function codeWarnings(
  katoColumn: string,
  { read, skipped }: { readonly read: number; readonly skipped: number },
): Warning[] {
  if (skipped === 0) return [];
  const message = `${skipped} of ${read} rows have no code in column "${readable(katoColumn, maxNameCharacters)}" and were skipped.`;
  return [{ code: 'rows_without_code', message }];
}
