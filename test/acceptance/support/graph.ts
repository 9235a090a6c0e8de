/** The graph of the Landscape Program as designed, with which claims compare the service. */

export interface Leaf {
  readonly key: string;
  /** Code of the slot and of its dataset group. */
  readonly code: string;
  readonly title: string;
  /** Valid values: a range including both ends, or a list of classes. */
  readonly valid: readonly [min: number, max: number] | { readonly classes: readonly number[] };
}

/** Leaves in the order of the graph. */
export const leaves: readonly Leaf[] = [
  leaf('dem', 'Elevation', [-500, 9000]),
  leaf('land-cover', 'Land cover', { classes: [10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 100] }),
  leaf('protected-areas', 'Protected areas', { classes: [0, 1, 2] }),
  leaf('precipitation', 'Annual precipitation', [0, 5000]),
  leaf('pet', 'Annual reference evapotranspiration', [1, 4000]),
  leaf('temperature-sum', 'Sum of active temperatures', [0, 8000]),
  leaf('snow-depth', 'Snow depth', [0, 1000]),
  leaf('soil-texture', 'Topsoil texture', { classes: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] }),
  leaf('soil-organic-carbon', 'Topsoil organic carbon', [0, 600]),
  leaf('soil-salinity', 'Topsoil salinity', [0, 200]),
  leaf('ndvi', 'Vegetation index', [-1, 1]),
  leaf('distance-water', 'Distance to water', [0, 2e6]),
  leaf('distance-road', 'Distance to road', [0, 2e6]),
];

export interface GraphNode {
  readonly code: string;
  readonly group: string;
  readonly title: string;
  readonly unit: string | null;
  readonly type: 'float32' | 'uint8';
  /** Codes of the groups that it reads, always including the elevation, sorted. */
  readonly reads: readonly string[];
  /** Parameters that it depends on directly, sorted. */
  readonly params: readonly string[];
}

const thresholds = ['v1_min_s_e12', 'v1_min_s_e3', 'v2_min_s_e3', 'v2_min_s_e4'];

/** Nodes in the order of their codes. */
export const nodes: readonly GraphNode[] = [
  number('01-slope', 'Slope, percent', 'dem', 'percent'),
  number('02-ruggedness', 'Terrain ruggedness, m', 'dem', 'm'),
  number('03-aridity', 'Aridity index P/PET', 'precipitation pet'),
  number('04-vegetation-cover', 'Fractional vegetation cover, percent', 'ndvi', 'percent'),
  classes('05-allocable', 'Allocable land', 'land-cover'),
  number('11-soil-quality', 'Soil quality index', 'soil-texture 01-slope'),
  number('12-climate-quality', 'Climate quality index', 'precipitation 03-aridity'),
  number('13-vegetation-quality', 'Vegetation quality index', 'land-cover 04-vegetation-cover'),
  number(
    '14-soil-loss',
    'Soil loss by water, t/ha/yr',
    'precipitation soil-texture soil-organic-carbon ndvi 01-slope',
    't/ha/yr',
  ),
  classes(
    '21-irrigation',
    'Suitability: irrigation',
    'land-cover temperature-sum soil-texture soil-salinity distance-water 01-slope 03-aridity 05-allocable',
  ),
  classes('22-snow', 'Suitability: snow retention', 'land-cover snow-depth 01-slope 03-aridity 05-allocable'),
  classes(
    '23-crop',
    'Suitability: rain-fed crop',
    'land-cover precipitation temperature-sum soil-texture soil-organic-carbon soil-salinity 01-slope 05-allocable',
  ),
  classes(
    '24-pasture',
    'Suitability: pasture',
    'land-cover distance-water 01-slope 04-vegetation-cover 05-allocable',
  ),
  classes(
    '25-tourism',
    'Suitability: tourism',
    'land-cover distance-water distance-road 02-ruggedness 05-allocable',
  ),
  classes(
    '26-sensitivity',
    'Ecological sensitivity E',
    'land-cover protected-areas soil-salinity 05-allocable 11-soil-quality 12-climate-quality 13-vegetation-quality 14-soil-loss',
  ),
  classes('31-max-suitability', 'Maximum suitability S', sectors()),
  { ...classes('32-leading-sector', 'Leading sector', sectors()), params: ['tie_priority'] },
  {
    ...classes('33-use-zone', 'Zone of permitted use V', '26-sensitivity 31-max-suitability'),
    params: thresholds,
  },
  classes(
    '34-functional-zoning',
    'Functional zoning',
    '05-allocable 26-sensitivity 32-leading-sector 33-use-zone',
  ),
];

export const nodeCodes: readonly string[] = nodes.map(({ code }) => code);

/** Codes of the groups that a run can pin: all but the last output. */
export const pinnable: readonly string[] = [
  ...leaves.map(({ code }) => code),
  ...nodes.slice(0, -1).map(({ group }) => group),
];

export const defaults = {
  window_size: 2048,
  tie_priority: [1, 2, 3, 4, 5],
  v1_min_s_e12: 3,
  v1_min_s_e3: 4,
  v2_min_s_e3: 3,
  v2_min_s_e4: 5,
} as const;

/** Code of the output group of a node. */
export function groupOf(code: string): string {
  const node = nodes.find((each) => each.code === code);
  if (node === undefined) throw new Error(`there is no node ${code}`);
  return node.group;
}

function leaf(key: string, title: string, valid: Leaf['valid']): Leaf {
  return { key, code: `landscape-in-${key}`, title, valid };
}

function number(name: string, title: string, reads: string, unit: string | null = null): GraphNode {
  return { ...node(name, title, reads), unit, type: 'float32' };
}

function classes(name: string, title: string, reads: string): GraphNode {
  return { ...node(name, title, reads), unit: null, type: 'uint8' };
}

function node(name: string, title: string, reads: string): Omit<GraphNode, 'unit' | 'type'> {
  const groups = reads
    .split(' ')
    .map((each) => (/^\d/.test(each) ? `landscape-${each}` : `landscape-in-${each}`));
  return {
    code: name.slice(0, 2),
    group: `landscape-${name}`,
    title,
    reads: [...new Set(['landscape-in-dem', ...groups])].toSorted(),
    params: [],
  };
}

function sectors(): string {
  return '21-irrigation 22-snow 23-crop 24-pasture 25-tourism';
}
