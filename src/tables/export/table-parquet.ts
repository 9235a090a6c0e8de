import type { geojsonToWkb } from 'hyparquet-writer';
import { type ParquetCell, type ParquetColumn, writeParquet } from '../../lib/formats/parquet.ts';
import type { Language } from '../../messages/languages/translate.ts';
import { createGeoColumns, type PlacedGeometry } from './geo-columns.ts';
import type { OpenTable } from './open-table.ts';
import { layoutOf, orderOf, type Written } from './table-files.ts';
import { nameBeside, type OutCell, type OutColumn } from './table-rows.ts';

/** A column of the file with the source of its values. */
interface Taken extends ParquetColumn {
  take(row: readonly OutCell[]): ParquetCell;
}

/**
 * Writes a table as Parquet, in batches of rows. Parquet columns have one type: numbers are 64-bit and dates are dates.
 * A column with numbers and texts becomes two columns; one with only texts becomes a column of texts.
 */
export async function* tableParquet(table: OpenTable, written: Written): AsyncGenerator<Uint8Array> {
  const { columns, rows } = await layoutOf(table, written);
  const contents = columns.some(({ type }) => type === 'value') ? await table.contents() : [];
  const taken = columnsFor(columns, (place) => contents[place]);
  async function* fileRows() {
    for await (const some of rows(table.cells(orderOf(written.shape))))
      yield some.map((row) => taken.map(({ take }) => take(row)));
  }
  yield* writeParquet({ columns: taken, rows: fileRows() });
}

/**
 * Writes a table as GeoParquet in its wide shape, with the current borders of each unit; none if no unit has the code.
 * Names are the same as in Parquet.
 */
export async function* tableGeoParquet(table: OpenTable, language: Language): AsyncGenerator<Uint8Array> {
  const { columns, rows } = await layoutOf(table, { shape: 'wide', language });
  const contents = await table.contents();
  const taken = columnsFor(columns, (place) => contents[place]);
  const borders = await table.borders();
  const { geojsonToWkb: toWkb } = await import('hyparquet-writer');
  const geo = createGeoColumns(taken.map(({ name }) => name));
  const codeOf = ([code]: readonly OutCell[]) => (typeof code === 'object' && code !== null ? code.code : '');
  const kept = new Map<string, readonly ParquetCell[]>();
  const bordersOf = (kato: string): readonly ParquetCell[] => {
    const text = borders.get(kato);
    if (text === undefined) return [null, null];
    const known = kept.get(kato);
    if (known !== undefined) return known;
    const geometry: Geometry = JSON.parse(text);
    const { type } = geometry;
    const cells = geo.cellsOf({ wkb: toWkb(geometry), type, box: boxOf(geometry) });
    kept.set(kato, cells);
    return cells;
  };
  async function* fileRows() {
    for await (const some of rows(table.cells('rows')))
      yield some.map((row) => [...taken.map(({ take }) => take(row)), ...bordersOf(codeOf(row))]);
  }
  yield* writeParquet({ columns: [...taken, ...geo.columns], rows: fileRows(), facts: geo.facts });
}

function columnsFor(
  columns: readonly OutColumn[],
  contentsAt: (place: number) => Awaited<ReturnType<OpenTable['contents']>>[number] | undefined,
): readonly Taken[] {
  const names = columns.map(({ name }) => name);
  const used = new Set<string>();
  /** The name of a rate may collide with an uploaded column. */
  const unique = (wanted: string): string => {
    const name = nameBeside(wanted, used);
    used.add(name);
    return name;
  };
  return columns.flatMap(({ name, type, place = 0 }, at): readonly Taken[] => {
    const cellAt = (row: readonly OutCell[]): ParquetCell => {
      const cell = row[at] ?? null;
      return typeof cell === 'object' && cell !== null ? cell.code : cell;
    };
    if (type !== 'value') return [{ name: unique(name), type, take: cellAt }];
    const { hasNumbers = true, hasTexts = false } = contentsAt(place) ?? {};
    const onlyIf = (wanted: 'number' | 'string') => (row: readonly OutCell[]) => {
      const cell = cellAt(row);
      return typeof cell === wanted ? cell : null;
    };
    if (!hasTexts) return [{ name: unique(name), type: 'number', take: onlyIf('number') }];
    if (!hasNumbers) return [{ name: unique(name), type: 'text', take: onlyIf('string') }];
    return [
      { name: unique(name), type: 'number', take: onlyIf('number') },
      { name: unique(nameBeside(`${name}_text`, names)), type: 'text', take: onlyIf('string') },
    ];
  });
}

type Geometry = Parameters<typeof geojsonToWkb>[0];

/** Returns the bounding box of a unit. */
function boxOf(geometry: Geometry): PlacedGeometry['box'] {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  const visit = (part: unknown): void => {
    if (!Array.isArray(part)) return;
    const [x, y]: readonly unknown[] = part;
    if (typeof x !== 'number' || typeof y !== 'number') return part.forEach(visit);
    [west, south, east, north] = [
      Math.min(west, x),
      Math.min(south, y),
      Math.max(east, x),
      Math.max(north, y),
    ];
  };
  if ('coordinates' in geometry) visit(geometry.coordinates);
  return [west, south, east, north];
}
