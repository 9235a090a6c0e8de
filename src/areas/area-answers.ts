import type { TupleArea } from '../geo/engine.ts';
import type { AreaFigures } from './area-counts.ts';
import type { AreaLevels, DatasetAreas, OwnAreas, Unit } from './areas-schema.ts';
import { unitOf, wholeLevel } from './by-unit.ts';
import { toHectares } from '../lib/units.ts';

const method = { area: 'geodesic, WGS 84', border: 'coverage fraction', overviews: false } as const;

/** A class as the legend of a raster has it. */
export type ClassWords = (value: number) => Pick<DatasetAreas['classes'][number], 'title' | 'color'>;

interface Answer {
  readonly digest: string | null;
  readonly wordsOf: ClassWords;
  /** The values that are asked for; all of them when undefined. */
  readonly only?: ReadonlySet<number> | undefined;
}

/** Returns the areas of the administrative units as clients see them. @param figures of one raster. */
export function toDatasetAreas(
  figures: AreaFigures,
  {
    datasetId,
    by,
    names,
    districtsVersion,
    ...answer
  }: Answer & {
    readonly datasetId: string;
    readonly by: AreaLevels;
    /** Of all units, by code. */
    readonly names: ReadonlyMap<string, Unit>;
    readonly districtsVersion: number;
  },
): DatasetAreas {
  const { pixels, unit, classes } = createReader(figures, answer);
  const rows = figures.units.map((each) => ({ ...unitOf(names, each.id, each.set), ...unit(each) }));
  const upper = wholeLevel(figures.units, by);
  const set = figures.sets.find((each) => each.set === upper);
  return {
    dataset_id: datasetId,
    by,
    digest: answer.digest,
    unit: 'ha',
    method,
    classes,
    districts_version: districtsVersion,
    rows,
    total: sumOf(rows.filter(({ level }) => level === upper)),
    raster: pixels(figures.raster),
    outside_units: pixels(set?.outside ?? figures.raster),
    overlap: pixels(set?.overlap ?? []),
  };
}

/** Returns the areas of a client's own polygons. @param features the id of each, in the order in which they were counted. */
export function toOwnAreas(
  figures: AreaFigures,
  {
    runId,
    datasetId,
    featureIds,
    ...answer
  }: Answer & {
    readonly runId: string;
    readonly datasetId: string;
    readonly featureIds: readonly (string | number | null)[];
  },
): OwnAreas {
  const { unit, classes } = createReader(figures, answer);
  const union = figures.units.find(({ set }) => set === 'union');
  if (union === undefined) throw new Error('there is no union of the polygons');
  const own = figures.units.filter(({ set }) => set !== 'union');
  return {
    run_id: runId,
    dataset_id: datasetId,
    digest: answer.digest,
    unit: 'ha',
    method,
    classes,
    rows: own.map((each, index) => ({ index, id: featureIds[index] ?? null, ...unit(each) })),
    union: unit(union),
  };
}

function createReader({ tuples }: AreaFigures, { wordsOf, only }: Answer) {
  const isWanted = (value: number) => only === undefined || only.has(value);
  const pixels = (areas: readonly TupleArea[]) => {
    let [whole, noData] = [0, 0];
    const classes: Record<string, number> = {};
    for (const [tuple, area] of areas) {
      whole += area;
      const value = tuples[tuple]?.[0] ?? null;
      if (value === null) noData += area;
      else if (isWanted(value)) classes[value] = toHectares(area);
    }
    return {
      area_ha: toHectares(whole),
      classes,
      no_data_ha: toHectares(noData),
    };
  };
  return {
    pixels,
    unit: ({ areas, area_m2: area, outside_m2: outside }: AreaFigures['units'][number]) => ({
      ...pixels(areas),
      area_ha: toHectares(area),
      outside_raster_ha: toHectares(outside),
    }),
    classes: tuples.flatMap(([value = null]) =>
      value === null || !isWanted(value) ? [] : [{ value, ...wordsOf(value) }],
    ),
  };
}

function sumOf(rows: readonly DatasetAreas['total'][]): DatasetAreas['total'] {
  const classes: Record<string, number> = {};
  let [area, noData, outside] = [0, 0, 0];
  for (const row of rows) {
    area += row.area_ha;
    noData += row.no_data_ha;
    outside += row.outside_raster_ha;
    for (const [value, hectares] of Object.entries(row.classes))
      classes[value] = (classes[value] ?? 0) + hectares;
  }
  return { area_ha: area, classes, no_data_ha: noData, outside_raster_ha: outside };
}
