import { formatNumber, type Language } from './numbers.ts';

export const squareMetresPerHectare = 10_000;
export const toHectares = (squareMetres: number): number => squareMetres / squareMetresPerHectare;

/** Hectares as a person reads them: to a tenth below a hundred, else whole. */
export function formatHectares(hectares: number, language: Language): string {
  return formatNumber(hectares, language, hectares < 99.95 ? 1 : 0);
}
