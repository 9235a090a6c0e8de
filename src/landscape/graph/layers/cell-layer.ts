import { noCell, notAllocableCell, numberOfCell } from '../../../../common/landscape/cells.ts';
import { classNoData } from '../../model/bands.ts';
import type { Layer } from '../../model/layer.ts';
import { allocable, allocableLand } from '../kernels/land.ts';
import { sensitivity } from '../kernels/sensitivity.ts';
import { crop, irrigation, pasture, snowRetention, tourism } from '../kernels/suitability.ts';

/** Sectors, ordered by number, 1 to 5. */
const sectors = [irrigation, snowRetention, crop, pasture, tourism];

/** The number of the cell of each pixel: all inputs of nodes 31 to 34 except for the parameters. */
export const cellLayer: Layer = {
  name: 'cells',
  dataType: 'UInt16',
  noData: noCell,
  inputs: [allocable, ...sectors, sensitivity].map(({ output }) => output),
  evaluate(bands, output) {
    const land = bands.classes(allocable.output);
    const sensitive = bands.classes(sensitivity.output);
    const suited = sectors.map((sector) => bands.classes(sector.output));
    for (let i = 0; i < output.length; i++) {
      const class_ = land[i] ?? classNoData;
      if (class_ > allocableLand) {
        output[i] = notAllocableCell;
        continue;
      }
      let least = Infinity;
      let s = 0;
      let mask = 0;
      for (let sector = 0; sector < suited.length; sector++) {
        const suitability = suited[sector]?.[i] ?? classNoData;
        if (suitability < least) least = suitability;
        if (suitability > s) {
          s = suitability;
          mask = 0;
        }
        if (suitability === s) mask |= 1 << sector;
      }
      const e = sensitive[i] ?? classNoData;
      const hasAll = class_ !== classNoData && e !== classNoData && least !== classNoData;
      output[i] = hasAll ? numberOfCell({ s, e, mask }) : noCell;
    }
  },
};
