import { type Band, classNoData, floatNoData } from '../model/bands.ts';
import type { Leaf } from '../model/leaves.ts';
import type { GraphNode } from '../model/node.ts';

export interface GroupText {
  readonly name: string;
  readonly description: string;
}

/** Says what to upload to a slot. */
export function slotText(leaf: Leaf): GroupText {
  const { title, quantity, source } = leaf;
  return {
    name: `Landscape input: ${title}`,
    description: `${quantity}. ${valuesOf(leaf)} A GeoTIFF, whose first band is read; for example ${source}.`,
  };
}

function valuesOf(band: Band): string {
  if (band.type === 'uint8') return 'Whole numbers; unknown classes count as no value.';
  const unit = band.unit === null ? '' : `Unit: ${band.unit}. `;
  const [min, max] = band.range ?? [-Infinity, Infinity];
  return `${unit}Values from ${min} to ${max}; others count as no value.`;
}

/** Says what the rasters of an output are. */
export function outputText({ code, output, legend }: GraphNode): GroupText {
  const values =
    legend.kind === 'values'
      ? `${legend.entries.map(({ value, label }) => `${value} ${label}`).join(', ')}; ${classNoData} no value.`
      : `${output.unit === null ? '' : `Unit: ${output.unit}; `}${floatNoData} no value.`;
  return {
    name: `Landscape ${code}: ${output.title}`,
    description: `Rasters of node ${code} of the Landscape Program, made by its runs. ${values}`,
  };
}
