import { sentences } from '../base/define.ts';

/** Words of the report on a run. Facts are formatted numbers, and names. */
export const reportWords = sentences('report', {
  kicker: 'Report on a functional zoning',
  runOf: (moment: string) => `Zoning of ${moment}`,
  stateDraft: 'Draft',
  stateProposed: 'Proposed',
  stateAdopted: 'Adopted',
  stateWithdrawn: 'Withdrawn',
  notAdopted: 'not adopted',
  isDraft: 'This zoning has not been adopted. Do not base decisions about land on it.',
  isProposed: 'This zoning is proposed and has not been adopted yet. Do not base decisions about land on it.',
  isWithdrawn: 'This zoning was withdrawn. Do not base decisions about land on it.',
  isAdopted: 'This zoning was adopted. While it is adopted, the service protects its files from deletion.',
  restyled: 'A map of this zoning was given other colours after it was adopted.',
  name: 'Name',
  note: 'Note',
  basis: 'Basis',
  run: 'Run',
  begun: 'Begun',
  ended: 'Ended',
  graph: 'Version of the graph',
  record: 'Record',
  recordOf: (revision: number, moment: string) => `revision ${revision} of ${moment}`,
  noRecord: 'nothing has been recorded yet',
  utc: (moment: string) => `${moment} UTC`,
  none: 'none',
  contents: 'Contents',

  brief: 'In brief',
  covers: (area: string) => `The maps cover ${area}\u00a0ha.`,
  ha: 'ha',
  most: (zone: string, share: string, leading: string) => `${zone}: ${share} of it, most for ${leading}.`,
  mostPlain: (zone: string, share: string) => `${zone}: ${share} of it.`,
  stays: (share: string) =>
    `${share} of the zoned land keeps its zone and leading sector when any one threshold moves by one or any two neighbours in the order of sectors change places.`,
  limitedBy: (sector: string, factor: string, share: string) =>
    `${sector} is limited most by: ${factor} (${share} of the land that is not highly suitable).`,
  holes: (area: string, share: string) =>
    `${area}\u00a0ha (${share}) have no zone, because an input has no value there.`,
  noHoles: 'Every place that the maps cover has a zone or is not allocable.',
  largestHole: (title: string, area: string) =>
    `Most land without a zone because of a single input: ${title}, ${area}\u00a0ha.`,
  differs: (count: number) =>
    count === 1 ? 'One setting differs from its default.' : `${count} settings differ from their defaults.`,
  usualSettings: 'All settings have their defaults.',
  shares: 'Shares of all land that the maps cover',

  zoning: 'The zoning',
  hectaresByZone: 'Hectares by zone and leading sector',
  zone: 'Zone and leading sector',
  hectares: 'Hectares',
  share: 'Share',
  kept: 'Keeps its code',
  keptMeans: (cases: number) =>
    `“Keeps its code”: the share that none of ${cases} changes of settings affects.`,
  notAllocable: 'Not allocable',
  withoutZone: 'Without a zone',
  sum: 'Sum',
  howToRead: 'How to read the map',
  picture: (title: string) => `Map: ${title}`,
  kilometres: (kilometres: string) => `${kilometres} km`,
  scale: (kilometres: string) =>
    `${kilometres} km. Equal-area projection (Albers); thin lines are borders of districts.`,
  noPicture: 'The map cannot be shown here.',
  inNone: 'This part is not available.',

  areas: 'Hectares by region and district',
  byRegion: 'By region',
  byDistrict: 'By district',
  unit: 'Unit',
  outside: 'Outside the maps',
  untouched: (count: number) => `Units that the maps do not touch are left out: ${count}.`,
  unitsNote: (version: number) =>
    `Each region and each district is measured by its own border (version ${version}): a region may differ slightly from the sum of its districts.`,

  settings: 'Settings that people have chosen',
  parameters: 'Parameters of the run',
  parameter: 'Parameter',
  value: 'Value',
  usual: 'Default',
  comparison: 'Comparison',
  isUsual: 'default',
  isOther: 'differs',
  technical: 'affects only the computation, not the figures',
  pinned: 'Inputs and maps that were pinned',
  pinnedNone: 'No input was pinned: each was the freshest ready raster of its group.',
  fromStage: (stage: number) => `Stage ${stage} and later stages were computed again on request.`,

  sectors: 'Suitability of the land for five uses, and its sensitivity',
  suitability: 'Hectares by suitability',
  use: 'Use',
  notRated: 'Not rated',
  limits: 'Limiting factors',
  limitsNote:
    'The worst factor decides. Shares are those of the land that is not highly suitable, where the factor limits alone or with others: they add up to more than 100 %.',
  factors: 'Factors, the most frequent first',
  factor: (title: string, share: string, alone: string) => `${title}: ${share}, alone ${alone}`,
  nothingLimits: 'nothing: all rated land is highly suitable',

  order: 'Where the order of sectors decides',
  orderNote: 'Several uses are equally suitable there. The order is a decision of people, and needs a basis.',
  contested: (least: string) => `Land where several uses share the highest suitability, ${least} or more`,
  competing: 'Equally suitable uses',
  ofAllocable: 'Share of the allocable land',
  orderIs: (order: string) => `Order of this run: ${order}.`,
  stability: 'Stability of the zoning',
  stabilityNote:
    'This is sensitivity to settings, not probability: it does not include errors in the inputs.',
  byThresholds: (cases: number) =>
    `keep zone and leading sector when any one threshold moves (cases: ${cases})`,
  byOrder: (cases: number) => `keep them when two neighbours in the order change places (cases: ${cases})`,
  byBoth: (cases: number) => `keep them in all ${cases} cases`,

  gaps: 'What is not known',
  gapsNote: 'Land without a zone is land without a description. It is not a reserve.',
  holesByInput: 'Gaps by input',
  input: 'Input',
  missing: 'Without a value, ha',
  alone: 'Without a zone because of it alone, ha',
  complete: 'All inputs have values on the whole grid.',

  files: 'Source files of the zoning',
  filesNote:
    'Equal SHA-256 checksums mean equal files. The files and their checksums together prove which files were used.',
  sourceOf: (title: string) => `source of: ${title}`,
  filesOf: (count: number) => `Files: ${count}`,
  file: 'File',
  period: 'Period',
  uploaded: 'Uploaded',
  dataset: 'Dataset',
  digest: 'SHA-256',
  deleted: 'deleted: its id alone is known',
  noDigest: 'not recorded',
  incomplete: 'The list is not complete: the zoning is based on more than 1,000 files.',

  nodes: 'How it was computed',
  nodesNote:
    'Each node is a map that is computed from inputs and other maps. A map that is the same as that of an earlier run is reused.',
  nodesOf: (count: number) => `Nodes: ${count}`,
  node: 'Node',
  how: 'Made',
  made: (why: string) => `computed: ${why}`,
  reused: 'reused',
  madePlain: 'computed',
  first: 'for the first time',
  inputs: 'other data',
  params: 'other parameters',
  forced: 'on request',
  output_gone: 'its earlier map was deleted',
  algorithm: 'the method has changed',
  same: 'nothing has changed',

  history: 'History of the record',
  historyNote: 'Entries are added and never changed. Their authors come from the credentials.',
  changes: 'Changes, the newest first',
  newest: (shown: number, all: number) => `The newest ${shown} of ${all} are shown.`,
  revision: 'No.',
  when: 'When (UTC)',
  who: 'Who',
  unknown: 'unknown',
  state: 'State',
  noHistory: 'There are no entries.',

  method: 'How the figures are computed',
  methodArea:
    'Areas are measured on the map: on the ellipsoid WGS 84, from every pixel at full resolution. At a border a pixel is counted by the share of it that lies in the unit.',
  methodCadastre:
    'They are not a boundary survey. Cadastral areas are measured in a plane and differ by about 0.1 %.',
  methodRounding:
    'Hectares are rounded to tenths below 100 ha, otherwise to whole hectares, and may not add up; sums are computed from unrounded figures. Shares of a whole are rounded so that they add up to 100 %.',
  methodZones:
    'A zone follows from the highest suitability S of five uses, the sensitivity E of the land, four thresholds and the order of the sectors. Contested land and stability are counted from these, without recomputing the maps.',
  methodMaps: 'Maps are drawn without smoothing, in colours of the legend beside them.',
  isNot: 'What this result is not',
  isNotPlan:
    'It is not a plan with the force of law, nor a boundary survey, nor a proof of ownership or land category.',
  isNotTruth:
    'It proves how it was computed, not that the inputs are correct. An error in an input is an error in the zoning.',
  isNotPlot:
    'It does not decide on a single plot: a pixel has one class, although its ground may have several. A field survey is needed.',
});

/** The sentences of this folder that have translations, by the area that prefixes their codes. */
export const english = {
  report: reportWords,
};
