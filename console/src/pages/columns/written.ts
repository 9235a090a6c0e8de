import { formatNumber } from '../../../../common/formats/numbers.ts';
import { language } from '../../words/words.ts';
import type { ColumnsWords } from './words/words.ts';

/** The largest number of names that are listed; the rest are counted. */
export const shownNames = 12;
const longestName = 60;

/** Lists the first names, and counts the rest. */
export function listed(names: readonly string[], total: number, text: ColumnsWords): string {
  const shown = names
    .slice(0, shownNames)
    .map((name) =>
      name === '' ? text.unnamed : name.length > longestName ? `${name.slice(0, longestName)}…` : name,
    );
  return total > shown.length
    ? `${shown.join(', ')} ${text.andMore(count(total - shown.length))}`
    : shown.join(', ');
}

export function count(value: number): string {
  return formatNumber(value, language());
}
