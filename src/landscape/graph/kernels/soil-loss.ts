import { classNoData, floatNoData } from '../../model/bands.ts';
import { textureLookups } from './lookups.ts';

interface Erosion {
  /** mm/yr */
  readonly precipitation: Float32Array;
  readonly soilTexture: Uint8Array;
  /** g/kg */
  readonly soilOrganicCarbon: Float32Array;
  /** NDVI */
  readonly vegetationIndex: Float32Array;
  /** Percent, not negative. */
  readonly slope: Float32Array;
}

const { erodibilityLowOrganic, erodibilityOrganic } = textureLookups;

/** InVEST's cap on the length of slopes in multiples of RUSLE's unit plot, metres both: everywhere the cautious case. */
const slopeLength = 122 / 22.13;
const lengthFactorBelow1 = Math.pow(slopeLength, 0.2);
const lengthFactorBelow3 = Math.pow(slopeLength, 0.3);
const lengthFactorBelow5 = Math.pow(slopeLength, 0.4);
const lengthFactorBelow9 = Math.pow(slopeLength, 0.5);

/**
 * Soil loss by water, t/(ha yr): `R K L S C` of RUSLE, without support practice. R by Renard & Freimund (1994), K by texture
 * and organic matter from the table of OMAFRA, L and S as in InVEST, C from NDVI by van der Knijff et al. (2000).
 */
export function computeSoilLoss(
  { precipitation, soilTexture, soilOrganicCarbon, vegetationIndex, slope }: Erosion,
  loss: Float32Array,
): void {
  for (let i = 0; i < loss.length; i++) {
    const rain = precipitation[i] ?? floatNoData;
    const grain = soilTexture[i] ?? classNoData;
    const carbon = soilOrganicCarbon[i] ?? floatNoData;
    const index = vegetationIndex[i] ?? floatNoData;
    const percent = slope[i] ?? floatNoData;
    if (
      rain === floatNoData ||
      grain === classNoData ||
      carbon === floatNoData ||
      index === floatNoData ||
      percent === floatNoData
    ) {
      loss[i] = floatNoData;
      continue;
    }
    const r = erosivity(rain);
    const k = erodibility(grain, carbon);
    const tangent = percent / 100;
    const sine = tangent / Math.sqrt(1 + tangent * tangent);
    const s = percent < 9 ? 10.8 * sine + 0.03 : 16.8 * sine - 0.5;
    const x = Math.min(0.99, Math.max(0, index));
    const c = Math.exp((-2 * x) / (1 - x));
    loss[i] = r * k * lengthFactor(percent, sine) * s * c;
  }
}

/** R, MJ mm/(ha h yr), of annual precipitation in mm. */
function erosivity(rain: number): number {
  return rain < 850 ? 0.0483 * Math.pow(rain, 1.61) : 587.8 - 1.219 * rain + 0.004105 * (rain * rain);
}

/** K, t ha h/(ha MJ mm): the table's US units times 0.1317; organic matter is 1.724 times its carbon. */
function erodibility(texture: number, organicCarbon: number): number {
  const organicPercent = (1.724 * organicCarbon) / 10;
  return 0.1317 * ((organicPercent < 2 ? erodibilityLowOrganic : erodibilityOrganic)[texture] ?? 0);
}

function lengthFactor(percent: number, sine: number): number {
  if (percent < 1) return lengthFactorBelow1;
  if (percent < 3.5) return lengthFactorBelow3;
  if (percent < 5) return lengthFactorBelow5;
  if (percent < 9) return lengthFactorBelow9;
  const rillToInterrill = sine / 0.0896 / (3 * Math.pow(sine, 0.8) + 0.56);
  return Math.pow(slopeLength, rillToInterrill / (1 + rillToInterrill));
}
