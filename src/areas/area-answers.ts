import type { AreaFigures } from './area-counts.ts';
import type { AreaLevels, DatasetAreas, OwnAreas, Unit } from './areas-schema.ts';
import { unitLevels } from '../../common/maps/units/levels.ts';
import {
  type ClassLand,
  classLandOf,
  landByUnit,
  levelOf,
  method,
  type UnitLand,
  unitLand,
} from './by-unit.ts';

/** The title and the colour of a class, from the legend of the raster. */
export type ClassWords = (value: number) => Pick<DatasetAreas['classes'][number], 'title' | 'color'>;

interface Answer {
  readonly digest: string | null;
  readonly wordsOf: ClassWords;
  /** The requested class values; undefined for all. */
  readonly only?: ReadonlySet<number> | undefined;
}

/** Returns the answer with the areas of the administrative units. @param figures of one raster. */
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
    /** Names of all units, by code. */
    readonly names: ReadonlyMap<string, Unit>;
    readonly districtsVersion: number;
  },
): DatasetAreas {
  const land = landByUnit(figures, { by, names }, classLandOf(figures, answer.only));
  const rows = land.units.map(({ unit, ...row }) => ({ ...unit, ...inOrder(row) }));
  return {
    dataset_id: datasetId,
    by,
    ...deeperLevels(figures),
    digest: answer.digest,
    unit: 'ha',
    method,
    classes: classesOf(figures, answer),
    districts_version: districtsVersion,
    rows,
    total: sumOf(rows.filter(({ level }) => level === land.level)),
    raster: land.raster,
    outside_units: land.outside,
    overlap: land.overlap,
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
  const landOf = classLandOf(figures, answer.only);
  const union = figures.units.find(({ set }) => set === 'union');
  if (union === undefined) throw new Error('there is no union of the polygons');
  const own = figures.units.filter(({ set }) => set !== 'union');
  return {
    run_id: runId,
    dataset_id: datasetId,
    digest: answer.digest,
    unit: 'ha',
    method,
    classes: classesOf(figures, answer),
    rows: own.map((each, index) => ({
      index,
      id: featureIds[index] ?? null,
      ...inOrder(unitLand(each, landOf)),
    })),
    union: inOrder(unitLand(union, landOf)),
  };
}

/** Names the levels with borders if there are others than regions and districts. */
function deeperLevels({ sets }: AreaFigures): Pick<DatasetAreas, 'levels'> {
  const counted = new Set(sets.map(({ set }) => levelOf(set)));
  const isUsual = counted.isSubsetOf(new Set(['region', 'district']));
  return isUsual ? {} : { levels: unitLevels.filter((level) => counted.has(level)) };
}

/** Members in the order of the description. */
const inOrder = ({ outside_raster_ha, ...land }: UnitLand<ClassLand>) => ({ ...land, outside_raster_ha });

function classesOf({ tuples }: AreaFigures, { wordsOf, only }: Answer): DatasetAreas['classes'] {
  return tuples.flatMap(([value = null]) =>
    value === null || !(only?.has(value) ?? true) ? [] : [{ value, ...wordsOf(value) }],
  );
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
