import { conflict, problem, sentences } from '../base/define.ts';

/** Reasons not to explain places of a run. */
export const explanationProblems = sentences('explanation', {
  notYet: conflict(() => 'the run has not ended; its places can be explained once it has succeeded'),
  ofFailedRun: problem(
    'not_found',
    () => 'the run has failed; only places of one that has succeeded can be explained',
  ),
  ofOtherGraph: conflict(
    () =>
      'another version of the graph has computed this run, so this release cannot explain it; the next run can be explained',
  ),
});

/** Quantities and conditions in explanations: slots, nodes, and intermediate values of nodes. */
export type ExplainedName =
  | 'dem'
  | 'land-cover'
  | 'protected-areas'
  | 'precipitation'
  | 'pet'
  | 'temperature-sum'
  | 'snow-depth'
  | 'soil-texture'
  | 'soil-organic-carbon'
  | 'soil-salinity'
  | 'ndvi'
  | 'distance-water'
  | 'distance-road'
  | `0${1 | 2 | 3 | 4 | 5}`
  | `1${1 | 2 | 3 | 4}`
  | `2${1 | 2 | 3 | 4 | 5 | 6}`
  | `3${1 | 2 | 3 | 4}`
  | 'fire-risk'
  | 'erosion-protection'
  | 'drought-resistance'
  | 'desertification'
  | 'erosivity'
  | 'erodibility'
  | 'slope-factor'
  | 'cover-factor'
  | 'regulated-use'
  | 'strict-protection'
  | 'wetland';

/** A number that would have to reach another one, and the zone of the place then. */
interface NumberChangeWords {
  readonly name: string;
  readonly from: string;
  readonly bound: string;
  /** True if the number would have to stay below the bound. */
  readonly isBelow: boolean;
  readonly outcome: string;
}

/** Words of explanations in one language. Facts are already formatted: numbers with units, lists with separators. */
export interface ExplanationWords {
  /** In the form for the middle of a sentence. */
  readonly names: Readonly<Record<ExplainedName, string>>;
  readonly list: (items: readonly string[]) => string;
  readonly either: (items: readonly string[]) => string;
  readonly interval: (from: string | undefined, below: string | undefined) => string;
  /** The one-sentence explanation, and its parts, which begin in lower case. */
  readonly outside: string;
  readonly hole: (names: string) => string;
  readonly holeWithoutReason: string;
  readonly setAside: (title: string, land: string) => string;
  readonly place: (title: string, parts: string) => string;
  readonly best: (sector: string, suitability: number, limits: string | undefined) => string;
  readonly tie: (sectors: string, suitability: number, leader: string) => string;
  readonly ownSensitivity: (sensitivity: number, because: string | undefined) => string;
  readonly nothingInDanger: (sensitivity: number) => string;
  readonly neverDeveloped: string;
  readonly missed: (suitability: number, threshold: number) => string;
  /** Separate sentences. */
  readonly pinnedMap: (title: string) => string;
  readonly neighbourhood: string;
  readonly missing: (title: string, because: 'outside' | 'no_data' | 'not_valid') => string;
  readonly noValue: (names: string | undefined) => string;
  readonly formula: (highest: string | undefined) => string;
  readonly allocable: (land: string, title: string) => string;
  readonly notAllocable: (land: string) => string;
  readonly leastRating: (names: string, rating: number) => string;
  readonly greatestRating: (names: string, rating: number) => string;
  readonly floor: (names: string, value: number) => string;
  readonly reached: (threshold: string, value: number, suitability: number) => string;
  readonly notReached: (threshold: string, value: number, suitability: number) => string;
  readonly noThreshold: (sensitivity: number) => string;
  readonly mostSuited: (sectors: string, suitability: number) => string;
  readonly ordered: (sectors: string, leader: string) => string;
  readonly combination: (zone: string, sector: string, sensitivity: number) => string;
  readonly sector: (sector: string, suitability: number | undefined, limits: string | undefined) => string;
  readonly numberChange: (change: NumberChangeWords) => string;
  readonly classChange: (name: string, from: string, to: string, outcome: string) => string;
  readonly thresholdChange: (threshold: string, from: number, to: number, outcome: string) => string;
  readonly orderChange: (first: string, second: string, outcome: string) => string;
  /** Outcomes of a change, as the end of a sentence about it. */
  readonly inZone: (zone: string) => string;
  readonly noZone: string;
  readonly neighboursDiffer: string;
  readonly approximate: (titles: string) => string;
  readonly endsAtPins: (titles: string) => string;
  readonly notConfirmed: (titles: string) => string;
}

const conjunction = new Intl.ListFormat('en-GB', { type: 'conjunction' });
const disjunction = new Intl.ListFormat('en-GB', { type: 'disjunction' });

const because = {
  outside: 'the place lies outside its raster',
  no_data: 'its raster has no data here',
  not_valid: 'its raster has a number out of range or an unknown class here',
};

export const explanation: ExplanationWords = {
  names: {
    dem: 'elevation',
    'land-cover': 'land cover',
    'protected-areas': 'protected areas',
    precipitation: 'annual precipitation',
    pet: 'reference evapotranspiration',
    'temperature-sum': 'sum of active temperatures',
    'snow-depth': 'snow depth',
    'soil-texture': 'soil texture',
    'soil-organic-carbon': 'soil organic carbon',
    'soil-salinity': 'soil salinity',
    ndvi: 'vegetation index',
    'distance-water': 'distance to water',
    'distance-road': 'distance to a road',
    '01': 'slope',
    '02': 'terrain ruggedness',
    '03': 'aridity index',
    '04': 'vegetation cover',
    '05': 'allocable land',
    '11': 'soil quality',
    '12': 'climate quality',
    '13': 'vegetation quality',
    '14': 'soil loss by water',
    '21': 'suitability for irrigation',
    '22': 'suitability for snow retention',
    '23': 'suitability for crop',
    '24': 'suitability for pasture',
    '25': 'suitability for tourism',
    '26': 'ecological sensitivity E',
    '31': 'maximum suitability S',
    '32': 'leading sector',
    '33': 'zone of permitted use',
    '34': 'functional zoning',
    'fire-risk': 'fire risk of the land cover',
    'erosion-protection': 'erosion protection of the land cover',
    'drought-resistance': 'drought resistance of the land cover',
    desertification: 'desertification index',
    erosivity: 'rain erosivity R',
    erodibility: 'soil erodibility K',
    'slope-factor': 'slope factor LS',
    'cover-factor': 'cover factor C',
    'regulated-use': 'regulated use of a protected area',
    'strict-protection': 'strict protection',
    wetland: 'wetland',
  },
  list: (items) => conjunction.format(items),
  either: (items) => disjunction.format(items),
  interval(from, below) {
    if (from === undefined) return below === undefined ? 'any value' : `less than ${below}`;
    return below === undefined ? `${from} or more` : `from ${from} to less than ${below}`;
  },
  outside: 'This place lies outside the grid of the run.',
  hole: (names) => `This place has no zone, because these inputs have no value here: ${names}.`,
  holeWithoutReason: 'This place has no zone, because a map of the chain has no value here.',
  setAside: (title, land) =>
    `This place is “${title}”: its land cover is ${land}, which is excluded from the zoning.`,
  place: (title, parts) => `This place is “${title}”: ${parts}.`,
  best: (sector, suitability, limits) =>
    `“${sector}” is the most suitable sector, S ${suitability}${limits === undefined ? '' : `, limited by ${limits}`}`,
  tie: (sectors, suitability, leader) =>
    `${sectors} are equally suitable, S ${suitability}, and the order of sectors puts “${leader}” first`,
  ownSensitivity: (sensitivity, reason) =>
    `E is ${sensitivity}${reason === undefined ? '' : ` because of ${reason}`}`,
  nothingInDanger: (sensitivity) => `E is ${sensitivity}, because nothing here is at risk`,
  neverDeveloped: 'land of this sensitivity is always conserved',
  missed: (suitability, threshold) => `S ${suitability} misses the threshold ${threshold}`,
  pinnedMap: (title) => `The run was given a raster for “${title}”: the chain ends here.`,
  neighbourhood: 'Computed from the elevation around the place; it is taken as given here.',
  missing: (title, why) => `${title}: ${because[why]}.`,
  noValue: (names) =>
    names === undefined
      ? 'No value, because a class has no rating here.'
      : `No value, because these have none: ${names}.`,
  formula: (highest) =>
    highest === undefined
      ? 'Computed by its formula.'
      : `Computed by its formula; the highest score is that of ${highest}.`,
  allocable: (land, title) => `Land cover “${land}” makes it “${title}”.`,
  notAllocable: (land) => `The land is excluded: ${land}.`,
  leastRating: (names, rating) => `The lowest rating decides, ${rating}: ${names}.`,
  greatestRating: (names, rating) => `The highest rating decides, ${rating}: ${names}.`,
  floor: (names, value) => `E is ${value} because of ${names}.`,
  reached: (threshold, value, suitability) => `${threshold}: ${value}, which S ${suitability} reaches.`,
  notReached: (threshold, value, suitability) => `${threshold}: ${value}, which S ${suitability} misses.`,
  noThreshold: (sensitivity) => `Where E is ${sensitivity}, the zone is V3 whatever S is.`,
  mostSuited: (sectors, suitability) => `The highest suitability, ${suitability}: ${sectors}.`,
  ordered: (sectors, leader) =>
    `${sectors} are equally suitable; the order of sectors decides, in which “${leader}” comes first.`,
  combination: (zone, sector, sensitivity) => `Made of “${zone}”, “${sector}” and E ${sensitivity}.`,
  sector: (sector, suitability, limits) => {
    if (suitability === undefined) return `${sector}: no suitability here.`;
    return `${sector}: ${suitability}${limits === undefined ? '' : `, limited by ${limits}`}.`;
  },
  numberChange: ({ name, from, bound, isBelow, outcome }) =>
    `If ${name} were ${isBelow ? `less than ${bound}` : `${bound} or more`} instead of ${from}, the place would ${outcome}.`,
  classChange: (name, from, to, outcome) =>
    `If ${name} were ${to} instead of ${from}, the place would ${outcome}.`,
  thresholdChange: (threshold, from, to, outcome) =>
    `${threshold}: with ${to} instead of ${from} the place would ${outcome}.`,
  orderChange: (first, second, outcome) =>
    `If “${first}” came before “${second}” in the order of sectors, the place would ${outcome}.`,
  inZone: (zone) => `be in the zone ${zone}`,
  noZone: 'have no zone',
  neighboursDiffer:
    'Slope and ruggedness come from the elevation around the place: a neighbouring place can differ even if its inputs look the same.',
  approximate: (titles) =>
    `${titles}: in another coordinate system than the grid, so the value shown may be that of a neighbouring pixel.`,
  endsAtPins: (titles) => `The run was given rasters for ${titles}: their origin is not explained.`,
  notConfirmed: (titles) =>
    `${titles}: the inputs shown do not lead to exactly the value of the run, so changes through them are left out.`,
};

/** The sentences of this folder that have translations, by the area that prefixes their codes. */
export const english = {
  explanation: explanationProblems,
};
