import { sql } from 'kysely';
import type { Database } from '../database/tables.ts';
import { type DatasetKey, readCursor, writeCursor } from '../datasets/cursor.ts';
import { findFile, filesOfDataset } from '../datasets/files.ts';
import { datesOf } from '../datasets/kato-map/kato-geojson.ts';
import { parseYearColumns, type YearColumn } from '../datasets/table/mapping-schema.ts';
import type { Box } from '../standards/boxes.ts';
import type { FeatureFiles } from './flatgeobuf/open-file.ts';
import type { FeatureSource } from './source.ts';
import { openTableSource } from './table-source.ts';
import { boxOfUnits, createUnitShapes, openUnitSource, type UnitLevel, type Units } from './units.ts';
import { openVectorSource } from './vector-source.ts';

/** What is said of a collection of features without reading any. */
export interface CollectionFacts {
  readonly id: string;
  readonly title: string;
  readonly description: string | null;
  readonly kind: 'units' | 'vector' | 'table';
  /** In degrees; undefined where nothing has a place. */
  readonly box: Box | undefined;
  /** First and last day; undefined where features have no time. */
  readonly days: readonly [first: string | null, last: string | null] | undefined;
}

const unitLevels: ReadonlyMap<string, UnitLevel> = new Map([
  ['districts', 'district'],
  ['regions', 'region'],
]);
const unitTitles = {
  district: 'Districts and cities of Kazakhstan',
  region: 'Regions of Kazakhstan',
} as const;
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

export type FeatureCollections = ReturnType<typeof createFeatureCollections>;

/** Creates the access to everything that has single features: units, vectors that are ready, and tables by KATO. */
export function createFeatureCollections(db: Database, files: FeatureFiles) {
  const shapes = createUnitShapes(db);

  async function findDataset(id: string): Promise<DatasetWithFeatures | undefined> {
    if (!uuid.test(id)) return undefined;
    return (await readDatasets(db, { id }))[0];
  }

  return {
    /**
     * Lists a page of collections: those of the units, then datasets, the newest first.
     * @param asked.token where the page begins, out of the page before.
     */
    async list({ limit, token }: { readonly limit: number; readonly token: string | undefined }) {
      const place = placeOf(token) ?? { units: 0 };
      const skipped = 'units' in place ? place.units : unitLevels.size;
      const units = [...unitLevels].slice(skipped, skipped + limit);
      const room = limit - units.length;
      const rows = await readDatasets(db, { after: 'units' in place ? undefined : place, limit: room + 1 });
      const listed = rows.slice(0, room);
      const current = await shapes.current();
      const facts = [
        ...units.map(([id, level]) => unitsOf(current, id, level)),
        ...listed.map((row) => factsOf(current, row)),
      ];
      const last = listed.at(-1);
      const reached = skipped + units.length;
      if (reached < unitLevels.size || (rows.length > room && last === undefined))
        return { facts, next: String(reached) };
      return { facts, next: rows.length > room && last ? writeCursor(last) : undefined };
    },
    /** Returns what is said of a collection; undefined when there is none. */
    async find(id: string): Promise<CollectionFacts | undefined> {
      const level = unitLevels.get(id);
      if (level !== undefined) return unitsOf(await shapes.current(), id, level);
      const row = await findDataset(id);
      return row && factsOf(await shapes.current(), row);
    },
    /** Opens the features of a collection; undefined when there is none. */
    async open(id: string): Promise<FeatureSource | undefined> {
      const level = unitLevels.get(id);
      if (level !== undefined) return openUnitSource(await shapes.current(), level);
      const row = await findDataset(id);
      if (row === undefined) return undefined;
      if (row.file_type === 'vector') {
        const key = findFile(row.files, 'fgb');
        return key === null ? undefined : await openVectorSource(files, key);
      }
      const { observation_set_id: setId } = row;
      if (setId === null) return undefined;
      return openTableSource(db, await shapes.current(), {
        setId,
        yearColumns: parseYearColumns(row.year_columns),
      });
    },
  };
}

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

function factsOf(units: Units, row: DatasetWithFeatures): CollectionFacts {
  const { id, name: title, description, file_type: type, box } = row;
  const isTable = type === 'vector_with_kato';
  return {
    id,
    title,
    description,
    kind: isTable ? 'table' : 'vector',
    box: isTable ? boxOfUnits(units.values()) : boxOfNumbers(box),
    days: isTable ? daysOf(parseYearColumns(row.year_columns)) : daysOfDataset(row),
  };
}

/** Returns where a page of collections begins: behind so many of the units, or behind a dataset; undefined for what is not a place. */
export function placeOf(token: string | undefined): DatasetKey | { readonly units: number } | undefined {
  if (token === undefined) return undefined;
  return /^[12]$/.test(token) ? { units: Number(token) } : readCursor(token);
}

type DatasetWithFeatures = Awaited<ReturnType<typeof readDatasets>>[number];

async function readDatasets(
  db: Database,
  {
    id,
    after,
    limit = 1,
  }: { readonly id?: string; readonly after?: DatasetKey | undefined; readonly limit?: number },
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
      filesOfDataset,
    ])
    .where('datasets.status', '=', 'ready')
    .where('file_type', 'in', ['vector', 'vector_with_kato'])
    .where(sql<boolean>`(file_type <> 'vector' or vector_features.state = 'made')`)
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
}: Pick<DatasetWithFeatures, 'start_date' | 'end_date'>): CollectionFacts['days'] {
  return start === null && end === null ? undefined : [start, end];
}
