import type { Cell } from './cells.ts';
import { variantsOf } from './variants.ts';
import { codeOfCell, type ZoningCase } from './zoning.ts';

/** Changes that alter the code of a cell, from 1 to 4: none, thresholds, the order, either. */
export type Stability = 1 | 2 | 3 | 4;

/** Creates a function that tells whether a cell keeps its code in every case that is one step away from this one. */
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
