import type { Band } from '../model/bands.ts';
import { classNode, numberNode, terrainNode } from '../model/define-node.ts';
import { classifyAllocable } from './kernels/allocable.ts';
import { computeAridity } from './kernels/aridity.ts';
import { computeClimateQuality } from './kernels/climate-quality.ts';
import { rateCrop } from './kernels/crop.ts';
import { codeFunctionalZoning } from './kernels/functional-zoning.ts';
import { rateIrrigation } from './kernels/irrigation.ts';
import { findLeadingSector } from './kernels/leading-sector.ts';
import { findMaxSuitability } from './kernels/max-suitability.ts';
import { ratePasture } from './kernels/pasture.ts';
import { computeRuggedness } from './kernels/ruggedness.ts';
import { rateSensitivity } from './kernels/sensitivity.ts';
import { computeSlope } from './kernels/slope.ts';
import { rateSnowRetention } from './kernels/snow-retention.ts';
import { computeSoilLoss } from './kernels/soil-loss.ts';
import { computeSoilQuality } from './kernels/soil-quality.ts';
import { rateTourism } from './kernels/tourism.ts';
import { decideZone } from './kernels/use-zone.ts';
import { computeVegetationCover } from './kernels/vegetation-cover.ts';
import { computeVegetationQuality } from './kernels/vegetation-quality.ts';
import {
  distanceToRoad,
  distanceToWater,
  evapotranspiration,
  landCover,
  leaves,
  precipitation,
  protectedAreas,
  snowDepth,
  soilOrganicCarbon,
  soilSalinity,
  soilTexture,
  temperatureSum,
  vegetationIndex,
} from '../model/leaves.ts';
import type { GraphNode } from '../model/node.ts';
import * as palette from '../model/palettes.ts';

/** Raised when a computation changes, so that results of the old one are not reused. */
export const graphVersion = 1;

// Stage 0: what follows from leaves alone.

const slope = terrainNode({
  name: '01-slope',
  title: 'Slope, percent',
  unit: 'percent',
  halo: 'pixel',
  legend: palette.slope,
  compute: computeSlope,
});

const ruggedness = terrainNode({
  name: '02-ruggedness',
  title: 'Terrain ruggedness, m',
  unit: 'm',
  halo: 'lag',
  legend: palette.ruggedness,
  compute: computeRuggedness,
});

const aridity = numberNode({
  name: '03-aridity',
  title: 'Aridity index P/PET',
  inputs: { precipitation, evapotranspiration },
  legend: palette.aridity,
  compute: computeAridity,
});

const vegetationCover = numberNode({
  name: '04-vegetation-cover',
  title: 'Fractional vegetation cover, percent',
  unit: 'percent',
  inputs: { vegetationIndex },
  legend: palette.vegetationCover,
  compute: computeVegetationCover,
});

const allocable = classNode({
  name: '05-allocable',
  title: 'Allocable land',
  inputs: { landCover },
  legend: palette.allocable,
  compute: classifyAllocable,
});

// Stage 1: quality of soil, climate and vegetation, 1 good to 2 poor, and erosion.

const soilQuality = numberNode({
  name: '11-soil-quality',
  title: 'Soil quality index',
  inputs: { soilTexture, slope },
  legend: palette.quality,
  compute: computeSoilQuality,
});

const climateQuality = numberNode({
  name: '12-climate-quality',
  title: 'Climate quality index',
  inputs: { precipitation, aridity },
  legend: palette.quality,
  compute: computeClimateQuality,
});

const vegetationQuality = numberNode({
  name: '13-vegetation-quality',
  title: 'Vegetation quality index',
  inputs: { landCover, vegetationCover },
  legend: palette.quality,
  compute: computeVegetationQuality,
});

const soilLoss = numberNode({
  name: '14-soil-loss',
  title: 'Soil loss by water, t/ha/yr',
  unit: 't/ha/yr',
  inputs: { precipitation, soilTexture, soilOrganicCarbon, vegetationIndex, slope },
  legend: palette.soilLoss,
  compute: computeSoilLoss,
});

// Stage 2: suitability for each sector, and sensitivity, 1 to 5, of allocable land.

const irrigation = classNode({
  name: '21-irrigation',
  title: 'Suitability: irrigation',
  inputs: {
    landCover,
    temperatureSum,
    soilTexture,
    soilSalinity,
    distanceToWater,
    slope,
    aridity,
    allocable,
  },
  legend: palette.suitability,
  compute: rateIrrigation,
});

const snowRetention = classNode({
  name: '22-snow',
  title: 'Suitability: snow retention',
  inputs: { landCover, snowDepth, slope, aridity, allocable },
  legend: palette.suitability,
  compute: rateSnowRetention,
});

const crop = classNode({
  name: '23-crop',
  title: 'Suitability: rain-fed crop',
  inputs: {
    landCover,
    precipitation,
    temperatureSum,
    soilTexture,
    soilOrganicCarbon,
    soilSalinity,
    slope,
    allocable,
  },
  legend: palette.suitability,
  compute: rateCrop,
});

const pasture = classNode({
  name: '24-pasture',
  title: 'Suitability: pasture',
  inputs: { landCover, distanceToWater, slope, vegetationCover, allocable },
  legend: palette.suitability,
  compute: ratePasture,
});

const tourism = classNode({
  name: '25-tourism',
  title: 'Suitability: tourism',
  inputs: { landCover, distanceToWater, distanceToRoad, ruggedness, allocable },
  legend: palette.suitability,
  compute: rateTourism,
});

const sensitivity = classNode({
  name: '26-sensitivity',
  title: 'Ecological sensitivity E',
  inputs: {
    landCover,
    protectedAreas,
    soilSalinity,
    allocable,
    soilQuality,
    climateQuality,
    vegetationQuality,
    soilLoss,
  },
  legend: palette.sensitivity,
  compute: rateSensitivity,
});

// Stage 3: which use leads, and how far it may go.

const sectors = { irrigation, snowRetention, crop, pasture, tourism };

const maxSuitability = classNode({
  name: '31-max-suitability',
  title: 'Maximum suitability S',
  inputs: sectors,
  legend: palette.suitability,
  compute: findMaxSuitability,
});

const leadingSector = classNode({
  name: '32-leading-sector',
  title: 'Leading sector',
  inputs: sectors,
  params: ['tie_priority'],
  legend: palette.leadingSector,
  compute: (inputs, output, { params }) => findLeadingSector(inputs, params.tie_priority, output),
});

const useZone = classNode({
  name: '33-use-zone',
  title: 'Zone of permitted use V',
  inputs: { sensitivity, maxSuitability },
  params: ['v1_min_s_e12', 'v1_min_s_e3', 'v2_min_s_e3', 'v2_min_s_e4'],
  legend: palette.useZone,
  compute: (inputs, output, { params }) => decideZone(inputs, params, output),
});

const functionalZoning = classNode({
  name: '34-functional-zoning',
  title: 'Functional zoning',
  inputs: { allocable, sensitivity, leadingSector, useZone },
  legend: palette.functionalZoning,
  compute: codeFunctionalZoning,
});

/** In the order of their codes, which is one to compute them in: a node reads smaller codes only. */
export const nodes: readonly GraphNode[] = [
  slope,
  ruggedness,
  aridity,
  vegetationCover,
  allocable,
  soilQuality,
  climateQuality,
  vegetationQuality,
  soilLoss,
  irrigation,
  snowRetention,
  crop,
  pasture,
  tourism,
  sensitivity,
  maxSuitability,
  leadingSector,
  useZone,
  functionalZoning,
];

const bands: readonly Band[] = [...leaves, ...nodes.map(({ output }) => output)];
const nodesByCode = new Map(nodes.map((node) => [node.code, node]));
const bandsByKey = new Map(bands.map((band) => [band.key, band]));

/** Codes of the dataset groups that nodes read: those that a run can override. */
export const inputGroups: ReadonlySet<string> = new Set(
  nodes.flatMap(({ inputs }) => inputs.map(({ group }) => group)),
);

export function nodeByCode(code: string): GraphNode | undefined {
  return nodesByCode.get(code);
}

/** The leaf with a key, or the output of the node with this code. */
export function bandByKey(key: string): Band | undefined {
  return bandsByKey.get(key);
}
