import { type Band, type ClassBand, classNoData, type FloatBand, floatNoData } from '../../model/bands.ts';
import { suitabilityLegend } from '../../model/palettes.ts';
import { byLeastRating, extremes } from '../../model/explanation.ts';
import { classNode, type GraphNode } from '../../model/node.ts';
import {
  divided,
  type Lookup,
  rate,
  type RatingsByBits,
  ratingsByBits,
  type RatingTable,
} from '../../model/rating.ts';
import { allocable, allocableLand, aridity, vegetationCover } from './land.ts';
import {
  distanceToWater,
  landCover,
  soilSalinity,
  soilTexture,
  temperatureSum,
  snowDepth,
  precipitation,
  soilOrganicCarbon,
  distanceToRoad,
} from '../../model/leaves.ts';
import { landCoverLookups, textureLookups, ratings } from './lookups.ts';
import { slope, ruggedness } from './terrain.ts';

const highestRating = 5;

/** A factor of a suitability with its rating from 1 to 5: a number by intervals, or a class by a lookup. */
type Factor = readonly [FloatBand | GraphNode<FloatBand>, RatingTable] | readonly [ClassBand, Lookup];

/** Defines a suitability as the least of the ratings of its factors. */
function leastRatingNode({
  factors,
  ...facts
}: Pick<Parameters<typeof classNode>[0], 'name' | 'title' | 'source' | 'reading'> & {
  /** Factors by the names of inputs and tables. */
  readonly factors: Readonly<Record<string, Factor>>;
}): GraphNode<ClassBand> {
  const named = Object.entries(factors);
  const inputs: Readonly<Record<string, Factor[0] | typeof allocable>> = {
    ...Object.fromEntries(named.map(([name, [source]]) => [name, source])),
    allocable,
  };
  return classNode({
    ...facts,
    formula:
      'The least of the ratings of its factors (law of the minimum), from 1 to 5, on allocable land; none where a factor has no value.',
    inputs,
    tables: Object.fromEntries(named.map(([name, [, table]]) => [name, table])),
    explain: { decide: byLeastRating },
    legend: suitabilityLegend,
    compute(pixels, output) {
      const land = pixels['allocable'] ?? [];
      for (let i = 0; i < output.length; i++)
        output[i] = land[i] === allocableLand ? highestRating : classNoData;
      // Factor by factor, because short loops over two arrays are several times faster than one loop over all factors.
      for (const [name, [, table]] of named) lowerToRatings(output, table, pixels[name]);
    },
  });
}

/** Lowers ratings to those of one factor; to no data if the factor has no value. */
export function lowerToRatings(
  output: Uint8Array,
  table: RatingTable | Lookup,
  values: Uint8Array | Float32Array | undefined,
): void {
  if (isLookup(table) && values instanceof Uint8Array) lowerByLookup(output, table, values);
  else if (!isLookup(table) && values instanceof Float32Array) lowerByTable(output, prepared(table), values);
  else throw new Error('a factor is rated by a table of another kind');
}

function isLookup(table: RatingTable | Lookup): table is Lookup {
  return table instanceof Float64Array;
}

/** Lowers ratings to those of classes; to no data without a class, or for a class without a rating. */
function lowerByLookup(output: Uint8Array, table: Lookup, classes: Uint8Array): void {
  for (let i = 0; i < output.length; i++) {
    const rating = table[classes[i] ?? classNoData] ?? classNoData;
    if (rating < (output[i] ?? 0)) output[i] = rating;
  }
}

/** Tables by the bits of the rated values, created on first use. */
const made = new WeakMap<RatingTable, RatingsByBits>();

function prepared(table: RatingTable) {
  let byBits = made.get(table);
  if (byBits === undefined) made.set(table, (byBits = ratingsByBits(table, floatNoData)));
  return { table, byBits };
}

/** Lowers ratings to those of numbers; to no data without a number. */
function lowerByTable(
  output: Uint8Array,
  { table, byBits }: { readonly table: RatingTable; readonly byBits: RatingsByBits },
  numbers: Float32Array,
): void {
  // All supported machines are little-endian: the upper half of a number comes second.
  const halves = new Uint16Array(numbers.buffer, numbers.byteOffset, numbers.length * 2);
  for (let i = 0; i < output.length; i++) {
    let rating = byBits[halves[2 * i + 1] ?? 0] ?? classNoData;
    if (rating === divided) {
      const number = numbers[i] ?? floatNoData;
      rating = number === floatNoData ? classNoData : rate(table, number);
    }
    if (rating < (output[i] ?? 0)) output[i] = rating;
  }
}

export const irrigation = leastRatingNode({
  name: '21-irrigation',
  title: 'Suitability: irrigation',
  source:
    'Slope: ALUES (basin-furrow irrigation). Texture: alfalfa of soilassessment. Salinity: classes of USDA. Warmth: Baisholanov (2016). ' +
    'Aridity: UNEP and Ferrara et al. (2020), because sufficient rain makes it unnecessary. Land cover and distance to water: our own choice.',
  reading:
    '5 means that land cover, warmth, soil, salinity, distance to water, slope and dryness all favour irrigation, and 1 that one of them rules it out, because the worst decides. The rating does not include how much water exists or may be taken: do not use it to allot water or to design canals.',
  factors: {
    landCover: [landCover, landCoverLookups.irrigation],
    temperatureSum: [temperatureSum, ratings.thermal],
    soilTexture: [soilTexture, textureLookups.irrigation],
    soilSalinity: [soilSalinity, ratings['irrigation-salinity']],
    distanceToWater: [distanceToWater, ratings['irrigation-water']],
    slope: [slope, ratings['irrigation-slope']],
    aridity: [aridity, ratings['moisture-need']],
  },
});

export const snowRetention = leastRatingNode({
  name: '22-snow',
  title: 'Suitability: snow retention',
  source:
    'Snow: ridging needs 10 cm and aims at 25 to 30 cm. Slope: classes of GAEZ. Aridity: UNEP and Ferrara et al. (2020), ' +
    'because sufficient rain makes it unnecessary. Land cover: our own choice.',
  reading:
    '5 means that it pays to hold snow on the fields: there is snow, the ground is gentle and open, and the climate dry; 1 means that one of these rules it out, because the worst decides. The rating is based on the mean of many winters: do not use it to predict the snow of one winter, floods or avalanches.',
  factors: {
    landCover: [landCover, landCoverLookups.snow],
    snowDepth: [snowDepth, ratings['snow-depth']],
    slope: [slope, ratings['snow-slope']],
    aridity: [aridity, ratings['moisture-need']],
  },
});

export const crop = leastRatingNode({
  name: '23-crop',
  title: 'Suitability: rain-fed crop',
  source:
    'Spring wheat after Sys et al. (1993) as in ALUES and soilassessment, with the extremes of barley. ' +
    'Warmth: Baisholanov (2016). Land cover: our own choice.',
  reading:
    '5 means that rain, warmth, soil, salinity, slope and land cover all suit spring wheat without irrigation, and 1 that one of them rules it out, because the worst decides. The rating does not predict a yield and ignores nutrients: do not use it to value a field for sale or tax, or to plan fertilizer.',
  factors: {
    landCover: [landCover, landCoverLookups.crop],
    precipitation: [precipitation, ratings['crop-rain']],
    temperatureSum: [temperatureSum, ratings.thermal],
    soilTexture: [soilTexture, textureLookups.crop],
    soilOrganicCarbon: [soilOrganicCarbon, ratings['crop-carbon']],
    soilSalinity: [soilSalinity, ratings['crop-salinity']],
    slope: [slope, ratings['crop-slope']],
  },
});

export const pasture = leastRatingNode({
  name: '24-pasture',
  title: 'Suitability: pasture',
  source:
    'Slope and distance to water: the grazing capacity that they leave (Holechek 1988). ' +
    'Cover: classes of MEDALUS. Land cover and the extremes: our own choice.',
  reading:
    '5 means dense plant cover on gentle ground near water, and 1 that land cover, water, slope or thin growth rules grazing out, because the worst decides. The rating ignores the fodder value of the plants and the animals that already graze there: do not use it to set the number of livestock.',
  factors: {
    landCover: [landCover, landCoverLookups.pasture],
    distanceToWater: [distanceToWater, ratings['pasture-water']],
    slope: [slope, ratings['pasture-slope']],
    vegetationCover: [vegetationCover, ratings['pasture-cover']],
  },
});

const tourismTables = {
  landCover: landCoverLookups.tourism,
  distanceToWater: ratings['tourism-distance'],
  distanceToRoad: ratings['tourism-distance'],
  ruggedness: ratings['tourism-relief'],
};

/** Attractions for visitors; the greatest of their ratings counts. */
export const attractions: readonly Band[] = [ruggedness.output, distanceToWater];

export const tourism = classNode({
  name: '25-tourism',
  title: 'Suitability: tourism',
  formula:
    'The least of the ratings of attraction, access and land cover, from 1 to 5, on allocable land. ' +
    'Relief and water attract, and one can replace the other: attraction is the greater of their ratings.',
  source:
    'Relief: classes of Riley et al. (1999). Distances: r.estimap.recreation of GRASS. Land cover: our own choice.',
  reading:
    '5 means that relief or water attracts visitors, a road is near and the land cover is pleasant; the worst of attraction, road and land cover decides, down to 1. ' +
    'The rating ignores sights, services and bans: do not use it instead of a survey, or of a permission for a protected area.',
  inputs: { landCover, distanceToWater, distanceToRoad, ruggedness, allocable },
  tables: tourismTables,
  explain: {
    decide(rated) {
      const isAttraction = ({ quantity: { bands } }: (typeof rated)[number]) =>
        bands.some((band) => attractions.includes(band));
      const attraction = Math.max(...rated.filter(isAttraction).flatMap(({ rating }) => rating ?? []));
      // Either of them can raise the attraction, so both are limiting when it limits.
      const effective = rated.map((each) => (isAttraction(each) ? { ...each, rating: attraction } : each));
      const value = Math.min(...effective.flatMap(({ rating }) => rating ?? []));
      return { rule: 'least_rating', by: extremes(effective, 'least'), value };
    },
  },
  legend: suitabilityLegend,
  compute({ landCover, distanceToWater, distanceToRoad, ruggedness, allocable }, output) {
    for (let i = 0; i < output.length; i++) {
      const relief = ruggedness[i] ?? floatNoData;
      const toWater = distanceToWater[i] ?? floatNoData;
      const toRoad = distanceToRoad[i] ?? floatNoData;
      if (
        allocable[i] !== allocableLand ||
        relief === floatNoData ||
        toWater === floatNoData ||
        toRoad === floatNoData
      ) {
        output[i] = classNoData;
        continue;
      }
      const attraction = Math.max(
        rate(tourismTables.ruggedness, relief),
        rate(tourismTables.distanceToWater, toWater),
      );
      output[i] = Math.min(
        attraction,
        rate(tourismTables.distanceToRoad, toRoad),
        tourismTables.landCover[landCover[i] ?? classNoData] ?? classNoData,
      );
    }
  },
});
