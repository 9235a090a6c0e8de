import { floatNoData } from '../../model/bands.ts';

/** NDVI of bare soil, and what lies between it and that of full cover, 0.52. */
const bareSoil = 0.04;
const toFullCover = 0.48;

/**
 * Fractional vegetation cover, percent, from NDVI: 0 at that of bare soil, 100 at that of full cover, linear between them.
 * Carlson & Ripley (1997).
 */
export function computeVegetationCover(
  { vegetationIndex }: { readonly vegetationIndex: Float32Array },
  cover: Float32Array,
): void {
  for (let i = 0; i < cover.length; i++) {
    const index = vegetationIndex[i] ?? floatNoData;
    if (index === floatNoData) {
      cover[i] = floatNoData;
      continue;
    }
    cover[i] = 100 * Math.min(1, Math.max(0, (index - bareSoil) / toFullCover));
  }
}
