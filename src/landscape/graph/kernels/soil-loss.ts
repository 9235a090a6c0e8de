import { classNoData, floatNoData } from '../../model/bands.ts';
import { ramp, reds } from '../../model/palettes.ts';
import { type Quantity, type ValueOf } from '../../model/explanation.ts';
import { numberNode } from '../../model/node.ts';
import { precipitation, soilOrganicCarbon, soilTexture, vegetationIndex } from '../../model/leaves.ts';
import { textureLookups } from './lookups.ts';
import { slope } from './terrain.ts';

const { erodibilityLowOrganic, erodibilityOrganic } = textureLookups;

/** InVEST's limit of slope length as a multiple of RUSLE's unit plot, both in metres: a conservative value, used everywhere. */
const slopeLength = 122 / 22.13;
const lengthFactorBelow1 = Math.pow(slopeLength, 0.2);
const lengthFactorBelow3 = Math.pow(slopeLength, 0.3);
const lengthFactorBelow5 = Math.pow(slopeLength, 0.4);
const lengthFactorBelow9 = Math.pow(slopeLength, 0.5);

export const soilLoss = numberNode({
  name: '14-soil-loss',
  title: 'Soil loss by water, t/ha/yr',
  unit: 't/ha/yr',
  formula:
    '`R K L S C` of RUSLE, without support practice. ' +
    '`R = 0.0483 P^1.61` MJ mm/(ha h yr) below 850 mm of rain, else `587.8 − 1.219 P + 0.004105 P²`. ' +
    '`K = 0.1317 Kᵤₛ` t ha h/(ha MJ mm), from the texture and the organic matter, which is 1.724 times the carbon. ' +
    '`S = 10.8 sin t + 0.03` below 9 % of slope, else `16.8 sin t − 0.5`, with `t = atan(slope / 100)`. ' +
    '`L = (122 / 22.13)^m`, where m is 0.2 below 1 %, 0.3 below 3.5 %, 0.4 below 5 %, 0.5 below 9 %, else `b / (1 + b)` with ' +
    '`b = (sin t / 0.0896) / (3 sin^0.8 t + 0.56)`. `C = exp(−2x / (1 − x))`, where x is NDVI between 0 and 0.99.',
  source:
    'R: Renard and Freimund (1994). K: table of OMAFRA as in InVEST, which has no sandy clay and no silt: sandy clay loam and silt loam replace them. L and S: InVEST, with its longest slope, 122 m, everywhere instead of flow routing. C: van der Knijff et al. (2000).',
  reading:
    'The number is the mass of soil, in tonnes, that water can wash off a hectare in a year: the higher it is, the more endangered is the place. The model assumes long slopes and no protection everywhere: use it to compare places, but not as a measured loss, for the silt of rivers or for wind erosion.',
  inputs: { precipitation, soilTexture, soilOrganicCarbon, vegetationIndex, slope },
  tables: {
    'Kᵤₛ, organic matter < 2 %': erodibilityLowOrganic,
    'Kᵤₛ, organic matter ≥ 2 %': erodibilityOrganic,
  },
  explain: {
    quantities: [
      part('erosivity', [precipitation], ([rain = 0]) => erosivity(rain)),
      part('erodibility', [soilTexture, soilOrganicCarbon], ([texture = 0, carbon = 0]) =>
        erodibility(texture, carbon),
      ),
      part('slope-factor', [slope.output], ([percent = 0]) => {
        const sine = sineOf(percent);
        return lengthFactor(percent, sine) * steepnessFactor(percent, sine);
      }),
      part('cover-factor', [vegetationIndex], ([index = 0]) => coverFactor(index)),
    ],
    decide: () => ({ rule: 'formula', by: [] }),
  },
  legend: ramp([0, 8.4, 16.8, 25.2, 33.6], reds, ' t/ha/yr'),
  compute({ precipitation, soilTexture, soilOrganicCarbon, vegetationIndex, slope }, output) {
    for (let i = 0; i < output.length; i++) {
      const rain = precipitation[i] ?? floatNoData;
      const texture = soilTexture[i] ?? classNoData;
      const carbon = soilOrganicCarbon[i] ?? floatNoData;
      const index = vegetationIndex[i] ?? floatNoData;
      const percent = slope[i] ?? floatNoData;
      if (
        rain === floatNoData ||
        texture === classNoData ||
        carbon === floatNoData ||
        index === floatNoData ||
        percent === floatNoData
      ) {
        output[i] = floatNoData;
        continue;
      }
      const r = erosivity(rain);
      const k = erodibility(texture, carbon);
      const sine = sineOf(percent);
      const s = steepnessFactor(percent, sine);
      const c = coverFactor(index);
      output[i] = r * k * lengthFactor(percent, sine) * s * c;
    }
  },
});

/** A factor of the product for a pixel. */
function part(
  name: string,
  bands: Quantity['bands'],
  compute: (values: readonly number[]) => number,
): Quantity {
  const value = (valueOf: ValueOf) => {
    const values = bands.flatMap((band) => valueOf(band) ?? []);
    return values.length === bands.length ? compute(values) : undefined;
  };
  return { name, bands, value, table: undefined };
}

/** Returns the sine of the angle of a slope in percent. */
function sineOf(percent: number): number {
  const tangent = percent / 100;
  return tangent / Math.sqrt(1 + tangent * tangent);
}

/** Returns the steepness factor S of a slope in percent. */
function steepnessFactor(percent: number, sine: number): number {
  return percent < 9 ? 10.8 * sine + 0.03 : 16.8 * sine - 0.5;
}

/** Returns the cover factor C of NDVI. */
function coverFactor(index: number): number {
  const x = Math.min(0.99, Math.max(0, index));
  return Math.exp((-2 * x) / (1 - x));
}

/** Returns the erosivity R of annual precipitation in mm. */
function erosivity(rain: number): number {
  return rain < 850 ? 0.0483 * Math.pow(rain, 1.61) : 587.8 - 1.219 * rain + 0.004105 * (rain * rain);
}

/** Returns the erodibility K of a texture class and organic carbon in g/kg. */
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
