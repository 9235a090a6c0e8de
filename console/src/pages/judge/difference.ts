import { formatNumber } from '../../../../common/formats/numbers.ts';
import { formatHectares } from '../../../../common/formats/hectares.ts';
import { language } from '../../words/words.ts';

/** Sums of the same doubles in another order differ by less than this, in hectares. */
const nothing = 1e-6;
/** Hectares below which a difference rounds to 0.0. */
const little = 0.05;

/** A difference of hectares with its sign; empty if there is none. */
export function formatDifference(hectares: number): string {
  const size = Math.abs(hectares);
  if (size < nothing) return '';
  const sign = hectares < 0 ? '−' : '+';
  return size < little
    ? `${sign}\u00a0<\u00a0${formatNumber(0.1, language(), 1)}`
    : sign + formatHectares(size, language());
}
