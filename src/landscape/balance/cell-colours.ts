import { compiledOf } from '../../../common/maps/style/compiled-style.ts';
import { type ColourStop, parseCss } from '../../../common/maps/style/colour-map.ts';
import { type Cell, cells, isContested, notAllocableCell } from '../../../common/landscape/cells.ts';
import { createStabilityOf, type Stability } from '../../../common/landscape/stability.ts';
import { codeOfCell, notAllocableCode, type ZoningCase } from '../../../common/landscape/zoning.ts';
import { functionalZoning } from '../graph/nodes.ts';

/** Colours for the eight largest sets of sectors, distinguishable with red-green colour blindness (Okabe and Ito). */
const setColours = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#f0e442', '#332288'];
export const colourOfOthers = '#999999';

/** Assigns colours to sets, by mask; the largest set comes first. */
export function coloursOfSets(largest: readonly number[]): ReadonlyMap<number, string> {
  return new Map(largest.map((mask, index) => [mask, setColours[index] ?? colourOfOthers]));
}

export const stabilityColours: Readonly<Record<Stability, string>> = {
  1: '#2166ac',
  2: '#fddbc7',
  3: '#b2abd2',
  4: '#b2182b',
};

/** The colours `#rrggbb` of a cell and of land not allocable; undefined if nothing is drawn. */
export interface CellColours {
  readonly ofCell: (cell: Cell) => string | undefined;
  readonly ofNotAllocable?: string | undefined;
}

/** Colours land by the functional zoning of a case. */
export function whatIfColours(zoning: ZoningCase): CellColours {
  const colours = new Map(functionalZoning.legend.entries.map(({ value, color }) => [value, color]));
  return {
    ofCell: (cell) => colours.get(codeOfCell(cell, zoning)),
    ofNotAllocable: colours.get(notAllocableCode),
  };
}

/** Colours contested land by the sectors that compete for it; other land is transparent. */
export function conflictColours(largest: readonly number[]): CellColours {
  const colours = coloursOfSets(largest);
  return { ofCell: (cell) => (isContested(cell) ? (colours.get(cell.mask) ?? colourOfOthers) : undefined) };
}

/** Colours land by the parameters that change its code. */
export function stabilityColoursOf(zoning: ZoningCase): CellColours {
  const stabilityOf = createStabilityOf(zoning);
  return { ofCell: (cell) => stabilityColours[stabilityOf(cell)] };
}

/** Writes the style of the layer of cells with these colours. */
export function cellStyle({ ofCell, ofNotAllocable }: CellColours): string {
  const all = [...cells.map(ofCell), ofNotAllocable];
  const stops = all.flatMap((color, index): ColourStop[] =>
    color === undefined ? [] : [{ value: index + 1, colour: parseCss(color), label: '' }],
  );
  if (all.length !== notAllocableCell) throw new Error('a cell has no place in its style');
  const raster = {
    opacity: 1,
    colours: { kind: 'values', stops } as const,
    channels: undefined,
    band: 1,
    scales: [0, Infinity] as const,
  };
  return JSON.stringify(
    compiledOf({ title: '', rasters: [raster], rules: [], leftOut: [], leftOutRules: {} }),
  );
}
