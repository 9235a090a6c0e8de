import { sql } from 'kysely';
import type { Database } from '../../database/tables/tables.ts';
import { type DatasetKey, readCursor, writeCursor } from '../../datasets/list/cursor.ts';
import { findFile, filesOfDataset } from '../../datasets/files.ts';
import { datesOf } from '../../tables/kato-map/kato-geojson.ts';
import type { DatasetRow } from '../../datasets/schema.ts';
import { parseYearColumns, type YearColumn } from '../../table/mapping-schema.ts';
import type { Box } from '../../standards/boxes.ts';
import type { FeatureFiles } from '../../geo/flatgeobuf/open-file.ts';
import type { FeatureSource } from './source.ts';
import { openTableSource } from './table-source.ts';
import type { UnitLevel } from '../../../common/maps/units/levels.ts';
import { boxOfUnits, createUnitShapes, openUnitSource, type Units } from './units.ts';
import { openVectorSource } from './vector-source.ts';

/** The facts about a collection that are known without reading its features. */
export interface CollectionFacts {
  readonly id: string;
  readonly title: string;
  readonly description: string | null;
  /** The kind; a raster has no features, only map tiles. */
  readonly kind: 'units' | 'vector' | 'table' | 'raster';
  /** In degrees; undefined when no feature has a geometry. */
  readonly box: Box | undefined;
  /** First and last day; undefined when features have no time. */
  readonly days: readonly [first: string | null, last: string | null] | undefined;
}

/** Levels by the id of their collection. Below the districts, and for the country, one is there only if it has borders. */
export const unitCollections: ReadonlyMap<string, UnitLevel> = new Map([
  ['districts', 'district'],
  ['regions', 'region'],
  ['okrugs', 'okrug'],
  ['settlements', 'settlement'],
  ['republic', 'republic'],
]);
const alwaysThere: readonly UnitLevel[] = ['district', 'region'];
const unitTitles = {
  district: 'Districts and cities of Kazakhstan',
  region: 'Regions of Kazakhstan',
  okrug: 'Rural districts of Kazakhstan',
  settlement: 'Settlements of Kazakhstan',
  republic: 'Kazakhstan',
} as const satisfies Record<UnitLevel, string>;

/** Returns the collections of units that are there. */
function presentIn(units: Units): readonly (readonly [id: string, level: UnitLevel])[] {
  const present = new Set([...alwaysThere, ...[...units.values()].map(({ level }) => level)]);
  return [...unitCollections].filter(([, level]) => present.has(level));
}
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Returns whether an id of a collection has the form of a dataset id. */
export function isDatasetId(id: string): boolean {
  return uuid.test(id);
}

export type FeatureCollections = ReturnType<typeof createFeatureCollections>;

/** Creates the access to all collections of features or map tiles: units, ready vectors, tables by KATO and rasters. */
export function createFeatureCollections(db: Database, files: FeatureFiles) {
  const shapes = createUnitShapes(db);

  async function findDataset(id: string): Promise<CollectedDataset | undefined> {
    if (!isDatasetId(id)) return undefined;
    return (await readDatasets(db, { id }))[0];
  }

  return {
    /**
     * Lists a page of collections: units, then datasets with features, then rasters, of both the newest first.
     * @param asked.token the place after the previous page.
     */
    async list({ limit, token }: { readonly limit: number; readonly token: string | undefined }) {
      const place = placeOf(token) ?? { units: 0 };
      const current = await shapes.current();
      const all = presentIn(current);
      const skipped = 'units' in place ? place.units : all.length;
      const units = all.slice(skipped, skipped + limit);
      const room = limit - units.length;
      const rows = await readOn(db, 'units' in place ? undefined : place, room + 1);
      const listed = rows.slice(0, room);
      const facts = [
        ...units.map(([id, level]) => unitsOf(current, id, level)),
        ...listed.map((row) => factsOf(current, row)),
      ];
      const last = listed.at(-1);
      const reached = skipped + units.length;
      if (reached < all.length || (rows.length > room && last === undefined))
        return { facts, next: String(reached) };
      return { facts, next: rows.length > room && last ? tokenOf(last) : undefined };
    },
    /** Returns the facts about a collection; undefined when it does not exist. */
    async find(id: string): Promise<CollectionFacts | undefined> {
      const level = unitCollections.get(id);
      if (level !== undefined) {
        const units = await shapes.current();
        return isPresent(units, level) ? unitsOf(units, id, level) : undefined;
      }
      const row = await findDataset(id);
      return row && factsOf(await shapes.current(), row);
    },
    /** Opens the features of a collection; undefined when it does not exist. */
    async open(id: string): Promise<FeatureSource | undefined> {
      const level = unitCollections.get(id);
      if (level !== undefined) {
        const units = await shapes.current();
        return isPresent(units, level) ? openUnitSource(units, level) : undefined;
      }
      const row = await findDataset(id);
      if (row === undefined) return undefined;
      if (row.file_type === 'vector') {
        const key = findFile(row.files, 'fgb');
        return key === null ? undefined : await openVectorSource(files, key);
      }
      const { observation_set_id: setId } = row;
      // A raster has no features.
      if (setId === null) return undefined;
      return openTableSource(db, await shapes.current(), {
        setId,
        yearColumns: parseYearColumns(row.year_columns),
      });
    },
  };
}

const isPresent = (units: Units, level: UnitLevel): boolean =>
  presentIn(units).some(([, each]) => each === level);

function unitsOf(units: Units, id: string, level: UnitLevel): CollectionFacts {
  const own = [...units.values()].filter((unit) => unit.level === level);
  return {
    id,
    title: unitTitles[level],
    description: null,
    kind: 'units',
    box: boxOfUnits(own),
    days: undefined,
  };
}

function factsOf(units: Units, row: CollectedDataset): CollectionFacts {
  const { id, name: title, description, file_type: type, box } = row;
  const of = { id, title, description };
  if (type === 'vector_with_kato')
    return {
      ...of,
      kind: 'table',
      box: boxOfUnits(units.values()),
      days: daysOf(parseYearColumns(row.year_columns)),
    };
  const isRaster = type === 'raster';
  return {
    ...of,
    kind: isRaster ? 'raster' : 'vector',
    box: boxOfNumbers(isRaster ? row.bbox : box),
    days: daysOfDataset(row),
  };
}

interface DatasetPlace {
  readonly after: DatasetKey;
  readonly isRaster: boolean;
}
const rasterMark = 'r';

function tokenOf(row: CollectedDataset): string | undefined {
  const cursor = writeCursor(row);
  return cursor && `${row.file_type === 'raster' ? rasterMark : ''}${cursor}`;
}

/** Returns the place at which a page of collections begins: after a number of units, or after a dataset; undefined for an invalid token. */
export function placeOf(token: string | undefined): DatasetPlace | { readonly units: number } | undefined {
  if (token === undefined) return undefined;
  if (/^[1-5]$/.test(token)) return { units: Number(token) };
  const isRaster = token.startsWith(rasterMark);
  const after = readCursor(isRaster ? token.slice(rasterMark.length) : token);
  return after && { after, isRaster };
}

type CollectedDataset = Awaited<ReturnType<typeof readDatasets>>[number];

/** Reads datasets with features, followed by rasters. */
async function readOn(
  db: Database,
  place: DatasetPlace | undefined,
  limit: number,
): Promise<readonly CollectedDataset[]> {
  if (place?.isRaster === true)
    return await readDatasets(db, { types: ['raster'], after: place.after, limit });
  const types = ['vector', 'vector_with_kato'] as const;
  const rows = await readDatasets(db, { types, after: place?.after, limit });
  if (rows.length === limit) return rows;
  return [...rows, ...(await readDatasets(db, { types: ['raster'], limit: limit - rows.length }))];
}

async function readDatasets(
  db: Database,
  {
    id,
    types = ['vector', 'vector_with_kato', 'raster'],
    after,
    limit = 1,
  }: {
    readonly id?: string;
    readonly types?: readonly DatasetRow['file_type'][];
    readonly after?: DatasetKey | undefined;
    readonly limit?: number;
  },
) {
  return await db
    .selectFrom('datasets')
    .leftJoin('vector_features', 'vector_features.dataset_id', 'datasets.id')
    .select([
      'datasets.id',
      'datasets.created_at',
      'name',
      'description',
      'file_type',
      'start_date',
      'end_date',
      'year_columns',
      'observation_set_id',
      'box',
      'bbox',
      filesOfDataset,
    ])
    .where('datasets.status', '=', 'ready')
    .where('file_type', 'in', types)
    .where(
      sql<boolean>`case file_type when 'vector' then vector_features.state = 'made'
        when 'raster' then view_state = 'made' else true end`,
    )
    .$if(id !== undefined, (query) => query.where('datasets.id', '=', id ?? ''))
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(datasets.created_at, datasets.id) < (${after?.created_at}, ${after?.id}::uuid)`,
      ),
    )
    .orderBy('datasets.created_at', 'desc')
    .orderBy('datasets.id', 'desc')
    .limit(limit)
    .execute();
}

function boxOfNumbers(numbers: readonly number[] | null): Box | undefined {
  const [west, south, east, north] = numbers ?? [];
  if (west === undefined || south === undefined || east === undefined || north === undefined)
    return undefined;
  return [west, south, east, north];
}

function daysOf(columns: readonly YearColumn[]): CollectionFacts['days'] {
  const dates = datesOf(columns);
  const ends = dates.map(({ start_date: start, end_date: end }) => end ?? start).toSorted();
  const [first] = dates;
  return first && [first.start_date, ends.at(-1) ?? null];
}

function daysOfDataset({
  start_date: start,
  end_date: end,
}: Pick<CollectedDataset, 'start_date' | 'end_date'>): CollectionFacts['days'] {
  return start === null && end === null ? undefined : [start, end];
}
