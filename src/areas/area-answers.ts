import type { Database } from '../database/tables/tables.ts';
import type { TupleArea } from '../geo/engine.ts';
import type { AreaFigures } from './area-counts.ts';
import type { AreaLevels, DatasetAreas, OwnAreas } from './areas-schema.ts';
import { squareMetresPerHectare } from '../../common/formats/hectares.ts';

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
export async function toDatasetAreas(
  db: Database,
  figures: AreaFigures,
  {
    datasetId,
    by,
    districtsVersion,
    ...answer
  }: Answer & {
    readonly datasetId: string;
    readonly by: AreaLevels;
    readonly districtsVersion: number;
  },
): Promise<DatasetAreas> {
  const names = await readUnitNames(db);
  const { pixels, unit, classes } = createReader(figures, answer);
  const rows = figures.units.map((each) => {
    const { name = each.id, name_kk = null, name_en = null } = names.get(each.id) ?? {};
    const level = each.set === 'region' ? ('region' as const) : ('district' as const);
    return { kato: each.id, name, name_kk, name_en, level, ...unit(each) };
  });
  // Levels cover the same land: of all units, those of the upper one stand for it.
  const upper = by === 'district' || !rows.some(({ level }) => level === 'region') ? 'district' : 'region';
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

/** Returns the names of all units by code. */
export async function readUnitNames(db: Database) {
  const rows = await db
    .selectFrom('districts')
    .select(['kato_code as kato', 'name', 'name_kk', 'name_en'])
    .execute();
  return new Map(rows.map((row) => [row.kato, row]));
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
      else if (isWanted(value)) classes[value] = area / squareMetresPerHectare;
    }
    return {
      area_ha: whole / squareMetresPerHectare,
      classes,
      no_data_ha: noData / squareMetresPerHectare,
    };
  };
  return {
    pixels,
    unit: ({ areas, area_m2: area, outside_m2: outside }: AreaFigures['units'][number]) => ({
      ...pixels(areas),
      area_ha: area / squareMetresPerHectare,
      outside_raster_ha: outside / squareMetresPerHectare,
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
