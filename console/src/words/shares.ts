import { formatNumber } from '../../../src/maps/legend/labels.ts';
import type { Language } from './languages.ts';

/** Writes a share with one decimal; neither nothing nor all for what is a little. */
export function formatShare(share: number, language: Language): string {
  const tenths = share * 1000;
  if (tenths > 0 && tenths < 1) return `< ${formatNumber(0.1, language, 1)}\u00a0%`;
  if (tenths > 999 && tenths < 1000) return `> ${formatNumber(99.9, language, 1)}\u00a0%`;
  return `${formatNumber(share * 100, language, 1)}\u00a0%`;
}
