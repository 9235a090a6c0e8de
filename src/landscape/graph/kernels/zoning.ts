import { classNoData } from '../../model/bands.ts';
import { suitabilityLegend, values } from '../../model/palettes.ts';
import type { Decision, ThresholdTest, ValueOf } from '../../model/explanation.ts';
import { classNode } from '../../model/node.ts';
import { crop, irrigation, pasture, snowRetention, tourism } from './suitability.ts';
import type { LandscapeParams, ParamName } from '../../model/params.ts';
import { sensitivity } from './sensitivity.ts';
import { allocable, allocableLand } from './land.ts';

/** The sectors, ordered by number, 1 to 5. */
const sectors = { irrigation, snowRetention, crop, pasture, tourism };

/** Returns the numbers of the sectors with the greatest suitability, and that suitability. */
function mostSuited(valueOf: ValueOf) {
  const suitabilities = Object.values(sectors).map(({ output }) => valueOf(output) ?? classNoData);
  const greatest = Math.max(...suitabilities);
  return { greatest, numbers: suitabilities.flatMap((each, i) => (each === greatest ? [i + 1] : [])) };
}

export const maxSuitability = classNode({
  name: '31-max-suitability',
  title: 'Maximum suitability S',
  formula: 'The greatest suitability of the five sectors; none where one of them has none.',
  source: 'Our own choice.',
  reading:
    '5 means that at least one of the five uses suits the place very well, and 1 that none of them does. ' +
    'The map does not name the use, and ignores the sensitivity of the land: do not allot land by it, but by the functional zoning.',
  inputs: sectors,
  explain: {
    decide(_rated, valueOf) {
      const { greatest, numbers } = mostSuited(valueOf);
      return { rule: 'greatest_rating', by: numbers.map(String), value: greatest };
    },
  },
  legend: suitabilityLegend,
  compute({ irrigation, snowRetention, crop, pasture, tourism }, output) {
    for (let i = 0; i < output.length; i++) {
      const s1 = irrigation[i] ?? classNoData;
      const s2 = snowRetention[i] ?? classNoData;
      const s3 = crop[i] ?? classNoData;
      const s4 = pasture[i] ?? classNoData;
      const s5 = tourism[i] ?? classNoData;
      const hasAll = Math.min(s1, s2, s3, s4, s5) !== classNoData;
      output[i] = hasAll ? Math.max(s1, s2, s3, s4, s5) : classNoData;
    }
  },
});

export const leadingSector = classNode({
  name: '32-leading-sector',
  title: 'Leading sector',
  formula:
    'The number of the sector with the greatest suitability; of several the first one in `tie_priority`. None where a sector has no suitability.',
  source: 'Our own choice; equal preference is a conflict in LUCIS as well.',
  reading:
    'The colour names the use that suits a place best; of several equally suitable uses it names the one that the run prefers. A sector leads even where all of them suit badly: do not read it as a recommendation without the maximum suitability.',
  inputs: sectors,
  params: ['tie_priority'],
  explain: {
    decide(_rated, valueOf, { tie_priority: order }) {
      const { numbers } = mostSuited(valueOf);
      const first = order.find((sector) => numbers.includes(sector)) ?? classNoData;
      const rule = numbers.length > 1 ? 'order' : 'greatest_rating';
      return { rule, by: numbers.map(String), value: first };
    },
  },
  legend: values([
    [1, '#1f78b4', 'Irrigation'],
    [2, '#6a51a3', 'Snow retention'],
    [3, '#e6ab02', 'Crop'],
    [4, '#66a61e', 'Pasture'],
    [5, '#d94801', 'Tourism'],
  ]),
  compute({ irrigation, snowRetention, crop, pasture, tourism }, output, { params }) {
    const inOrder = [irrigation, snowRetention, crop, pasture, tourism];
    const priority = params.tie_priority;
    for (let i = 0; i < output.length; i++) {
      let greatest = 0;
      let leader = classNoData;
      for (let rank = 0; rank < priority.length; rank++) {
        const sector = priority[rank] ?? 0;
        const suitability = inOrder[sector - 1]?.[i] ?? classNoData;
        if (suitability === classNoData) {
          leader = classNoData;
          break;
        }
        if (suitability > greatest) {
          greatest = suitability;
          leader = sector;
        }
      }
      output[i] = leader;
    }
  },
});

export const useZone = classNode({
  name: '33-use-zone',
  title: 'Zone of permitted use V',
  formula:
    'V1 where `E ≤ 2` and `S ≥ v1_min_s_e12`, or `E = 3` and `S ≥ v1_min_s_e3`; else V2 where `E = 3` and `S ≥ v2_min_s_e3`, or ' +
    '`E = 4` and `S ≥ v2_min_s_e4`; else V3. The more sensitive the land, the more suitable it has to be.',
  source:
    'Zones of intensive and extensive development and of conservation, as in landscape planning in Russia and the CIS ' +
    '(Antipov and Drozdov 2002); the thresholds are our own choice.',
  reading:
    'In V1 land may be used intensively, in V2 sparingly, and V3 is protected or kept in reserve: the more sensitive the land, the better a use has to suit it. The thresholds are parameters of the run and not law: do not use the map as a legal zone before it has been adopted.',
  inputs: { sensitivity, maxSuitability },
  params: ['v1_min_s_e12', 'v1_min_s_e3', 'v2_min_s_e3', 'v2_min_s_e4'],
  explain: { decide: decideZone },
  legend: values([
    [1, '#1a9641', 'V1 intensive development'],
    [2, '#fdae61', 'V2 extensive development'],
    [3, '#00441b', 'V3 conservation, reserve'],
  ]),
  compute({ sensitivity, maxSuitability }, output, { params }) {
    const classes = highestClass + 1;
    const zones = Uint8Array.from({ length: classes * classes }, (_, i) =>
      zoneOf(i % classes, Math.floor(i / classes), params),
    );
    for (let i = 0; i < output.length; i++) {
      const s = maxSuitability[i] ?? classNoData;
      const e = sensitivity[i] ?? classNoData;
      output[i] =
        s === classNoData || e === classNoData ? classNoData : (zones[e * classes + s] ?? classNoData);
    }
  },
});

type Threshold = 'v1_min_s_e12' | 'v1_min_s_e3' | 'v2_min_s_e3' | 'v2_min_s_e4';

/** Thresholds and zones by E, in the order of the tests; V1 is always first. Without a match, the zone is V3. */
const zonesBySensitivity: readonly (readonly (readonly [Threshold & ParamName, 1 | 2])[])[] = [
  [],
  [['v1_min_s_e12', 1]],
  [['v1_min_s_e12', 1]],
  [
    ['v1_min_s_e3', 1],
    ['v2_min_s_e3', 2],
  ],
  [['v2_min_s_e4', 2]],
  [],
];

const whereNothingIsMet = 3;
/** The greatest class of S and E. */
const highestClass = 5;

function zoneOf(s: number, e: number, thresholds: LandscapeParams): 1 | 2 | 3 {
  for (const [param, zone] of zonesBySensitivity[e] ?? []) if (s >= thresholds[param]) return zone;
  return whereNothingIsMet;
}

function decideZone(_rated: unknown, valueOf: ValueOf, thresholds: LandscapeParams): Decision {
  const s = valueOf(maxSuitability.output) ?? classNoData;
  const tests: ThresholdTest[] = [];
  for (const [param] of zonesBySensitivity[valueOf(sensitivity.output) ?? classNoData] ?? []) {
    const isMet = s >= thresholds[param];
    tests.push({ param, threshold: thresholds[param], suitability: s, isMet });
    if (isMet) break;
  }
  const value = zoneOf(s, valueOf(sensitivity.output) ?? classNoData, thresholds);
  return {
    rule: 'thresholds',
    by: tests.filter(({ isMet }) => isMet).map(({ param }) => param),
    tests,
    value,
  };
}

const conservation = 31;
const reserve = 32;
const notAllocable = 40;

export const functionalZoning = classNode({
  name: '34-functional-zoning',
  title: 'Functional zoning',
  formula:
    '10 + leading sector in V1, 20 + leading sector in V2; in V3 31 where E is 4 or 5, else 32; 40 where land cannot be allotted.',
  source: 'Our own choice of codes.',
  reading:
    'The colour names the zone and its leading use: strong colours are V1, intensive, pale ones V2, sparing; V3 is conservation where land is sensitive, and otherwise a reserve. ' +
    'The map is a proposal for discussion, not a plan with the force of law: do not decide on a single plot by it without a survey on the ground.',
  inputs: { allocable, sensitivity, leadingSector, useZone },
  explain: {
    decide: (_rated, valueOf) =>
      (valueOf(allocable.output) ?? allocableLand) > allocableLand
        ? { rule: 'not_allocable', by: [allocable.code], value: notAllocable }
        : { rule: 'combination', by: [useZone.code, leadingSector.code, sensitivity.code] },
  },
  legend: values([
    [11, '#1f78b4', 'V1 irrigation'],
    [12, '#6a51a3', 'V1 snow retention'],
    [13, '#e6ab02', 'V1 crop'],
    [14, '#66a61e', 'V1 pasture'],
    [15, '#d94801', 'V1 tourism'],
    [21, '#a6cee3', 'V2 irrigation'],
    [22, '#bcbddc', 'V2 snow retention'],
    [23, '#ffeda0', 'V2 crop'],
    [24, '#c7e9b4', 'V2 pasture'],
    [25, '#fdbe85', 'V2 tourism'],
    [conservation, '#00441b', 'V3 conservation'],
    [reserve, '#bdbdbd', 'V3 reserve, improvement'],
    [notAllocable, '#636363', 'Water, built-up, ice'],
  ]),
  compute({ allocable, sensitivity, leadingSector, useZone }, output) {
    for (let i = 0; i < output.length; i++) {
      const land = allocable[i] ?? classNoData;
      const e = sensitivity[i] ?? classNoData;
      const sector = leadingSector[i] ?? classNoData;
      const v = useZone[i] ?? classNoData;
      if (land > allocableLand) output[i] = notAllocable;
      else if (land === classNoData || e === classNoData || sector === classNoData || v === classNoData) {
        output[i] = classNoData;
      } else if (v === 3) output[i] = e >= 4 ? conservation : reserve;
      else output[i] = 10 * v + sector;
    }
  },
});
