import type { Cell } from './cells.ts';
import { variantsOf } from './variants.ts';
import { codeOfCell, type ZoningCase } from './zoning.ts';

/** What moves the code of a cell: neither, thresholds, the order, or either; from 1 to 4. */
export type Stability = 1 | 2 | 3 | 4;

/** Creates what finds out whether a cell keeps its code in every case that differs from this one by one step. */
export function createStabilityOf(zoning: ZoningCase): (cell: Cell) => Stability {
  const variants = variantsOf(zoning).flatMap(({ kind, zoning: other }) => (other ? [{ kind, other }] : []));
  return (cell) => {
    const code = codeOfCell(cell, zoning);
    const moving = variants.filter(({ other }) => codeOfCell(cell, other) !== code);
    const byThreshold = moving.some(({ kind }) => kind === 'threshold');
    const byOrder = moving.some(({ kind }) => kind === 'order');
    if (byThreshold) return byOrder ? 4 : 2;
    return byOrder ? 3 : 1;
  };
}
