import { classNoData, floatNoData } from '../../model/bands.ts';
import { textureLookups } from './lookups.ts';
import { rate } from './rating.ts';
import { ratings } from './ratings.ts';

interface Soil {
  readonly soilTexture: Uint8Array;
  /** Percent. */
  readonly slope: Float32Array;
}

const textureScores = textureLookups.medalus;
const slopeScores = ratings['medalus-slope'];

/** Soil quality index, 1 good to 2 poor: the geometric mean of the MEDALUS scores of texture and slope. */
export function computeSoilQuality({ soilTexture, slope }: Soil, quality: Float32Array): void {
  for (let i = 0; i < quality.length; i++) {
    const grain = soilTexture[i] ?? classNoData;
    const steepness = slope[i] ?? floatNoData;
    if (grain === classNoData || steepness === floatNoData) {
      quality[i] = floatNoData;
      continue;
    }
    quality[i] = Math.sqrt((textureScores[grain] ?? 0) * rate(slopeScores, steepness));
  }
}
