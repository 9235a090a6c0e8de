import { classNoData, floatNoData } from '../../model/bands.ts';
import { allocableLand } from './allocable.ts';
import { rate } from './rating.ts';
import { ratings } from './ratings.ts';

interface Qualities {
  readonly allocable: Uint8Array;
  readonly landCover: Uint8Array;
  /** 0 none, 1 regulated use, 2 strict; always a value. */
  readonly protectedAreas: Uint8Array;
  /** ECe, dS/m. */
  readonly soilSalinity: Float32Array;
  readonly soilQuality: Float32Array;
  readonly climateQuality: Float32Array;
  readonly vegetationQuality: Float32Array;
  /** t/(ha yr) */
  readonly soilLoss: Float32Array;
}

const desertificationScale = ratings['e-desertification'];
const soilLossScale = ratings['e-soil-loss'];
const salinityScale = ratings['e-salinity'];
const regulatedUse = 1;
const strictProtection = 2;
const wetland = 90;

/**
 * Ecological sensitivity, 1 very low to 5 very high: the greatest of desertification (cube root of the product of three
 * qualities, as in DISMED; classes of OSS), soil loss (classes of NRCS) and salinity (USDA). Regulated use makes it 4 at least,
 * strict protection and wetland 5.
 */
export function rateSensitivity(
  {
    allocable,
    landCover,
    protectedAreas,
    soilSalinity,
    soilQuality,
    climateQuality,
    vegetationQuality,
    soilLoss,
  }: Qualities,
  sensitivity: Uint8Array,
): void {
  for (let i = 0; i < sensitivity.length; i++) {
    const land = landCover[i] ?? classNoData;
    const salt = soilSalinity[i] ?? floatNoData;
    const soil = soilQuality[i] ?? floatNoData;
    const climate = climateQuality[i] ?? floatNoData;
    const vegetation = vegetationQuality[i] ?? floatNoData;
    const loss = soilLoss[i] ?? floatNoData;
    if (
      allocable[i] !== allocableLand ||
      land === classNoData ||
      salt === floatNoData ||
      soil === floatNoData ||
      climate === floatNoData ||
      vegetation === floatNoData ||
      loss === floatNoData
    ) {
      sensitivity[i] = classNoData;
      continue;
    }
    const protection = protectedAreas[i] ?? 0;
    if (protection === strictProtection || land === wetland) {
      sensitivity[i] = 5;
      continue;
    }
    sensitivity[i] = Math.max(
      rate(desertificationScale, Math.cbrt(soil * climate * vegetation)),
      rate(soilLossScale, loss),
      rate(salinityScale, salt),
      protection === regulatedUse ? 4 : 1,
    );
  }
}
