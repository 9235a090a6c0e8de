import type { ColumnSource, SchemaElement } from 'hyparquet-writer';
import { ownVersion } from '../own-version.ts';
import { MiB } from '../units.ts';

/**
 * What the cells of a column are: a text, a number of 64 bits, a day (as `2024-12-31`), bytes; of `box` west, south, east and north. Each may be
 * null.
 */
export type ParquetType = 'text' | 'number' | 'whole' | 'boolean' | 'date' | 'bytes' | 'box';

export interface ParquetColumn {
  /** Another one than those of all other columns. */
  readonly name: string;
  readonly type: ParquetType;
}

export type ParquetCell = string | number | bigint | boolean | Uint8Array | ParquetBox | null;
type ParquetRow = readonly ParquetCell[];

export interface ParquetBox {
  readonly xmin: number;
  readonly ymin: number;
  readonly xmax: number;
  readonly ymax: number;
}

/** A table, whose rows come as they are taken, some at a time. */
export interface ParquetTable {
  readonly columns: readonly ParquetColumn[];
  readonly rows: AsyncIterable<readonly ParquetRow[]> | Iterable<readonly ParquetRow[]>;
  /** Further facts about the file, by the keys that programs look for; made when all rows have been written. */
  facts?(): Readonly<Record<string, string>>;
}

/** A group of rows is encoded at once, while nothing else is done: so many cells, or so many characters and bytes, make one. */
const groupCells = 100_000;
const groupBytes = 4 * MiB;
/** Fewer rows would make the list of groups, which is written last, as long as the table. */
const leastRows = 1000;
/** More columns would make groups of so many rows too large. */
export const maxParquetColumns = 1000;

const dayMilliseconds = 86_400_000;

/** What the bytes of a file depend on beside its table. */
export const parquetMaker = `Steppe ${ownVersion}`;

/**
 * Writes a table as Parquet (packed by Snappy), one group of rows after the other: it holds one group, however many rows there are. Equal tables are
 * equal bytes.
 */
export async function* writeParquet({ columns, rows, facts }: ParquetTable): AsyncGenerator<Uint8Array> {
  // Only those who ask for Parquet wait until it is loaded.
  const { ByteWriter, ParquetWriter } = await import('hyparquet-writer');
  const writer = new ByteWriter();
  const take = (): Uint8Array => {
    const bytes = new Uint8Array(writer.getBuffer());
    writer.index = 0;
    return bytes;
  };
  const parquet = new ParquetWriter({ writer, schema: schemaOf(columns), createdBy: parquetMaker });
  const mostRows = Math.max(leastRows, Math.floor(groupCells / columns.length));
  let group = createGroup(columns);
  for await (const some of rows) {
    for (const row of some) {
      group.add(row);
      if (group.rows < mostRows && group.bytes < groupBytes) continue;
      await parquet.write({ columnData: group.columns, rowGroupSize: group.rows });
      yield take();
      group = createGroup(columns);
    }
  }
  if (group.rows > 0) await parquet.write({ columnData: group.columns, rowGroupSize: group.rows });
  parquet.kvMetadata = Object.entries(facts?.() ?? {}).map(([key, value]) => ({ key, value }));
  await parquet.finish();
  yield take();
}

function createGroup(columns: readonly ParquetColumn[]) {
  const cells = columns.map((): ParquetCell[] => []);
  let [rows, bytes] = [0, 0];
  const columnData = columns.map(({ name, type }, index): ColumnSource => {
    const data = cells[index] ?? [];
    // The least and greatest bytes of a picture or a geometry help no reader.
    return type === 'bytes' ? { name, data, statistics: false } : { name, data };
  });
  return {
    columns: columnData,
    get rows() {
      return rows;
    },
    get bytes() {
      return bytes;
    },
    add(row: ParquetRow): void {
      rows += 1;
      for (const [index, { type }] of columns.entries()) {
        const cell = row[index] ?? null;
        if (typeof cell === 'string') bytes += cell.length;
        else if (cell instanceof Uint8Array) bytes += cell.length;
        cells[index]?.push(typeof cell === 'string' && type === 'date' ? dayOf(cell) : cell);
      }
    },
  };
}

/** Returns the number of a day, from 1970 on. */
function dayOf(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / dayMilliseconds;
}

const elements = {
  text: [{ type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } }],
  number: [{ type: 'DOUBLE' }],
  whole: [{ type: 'INT64' }],
  boolean: [{ type: 'BOOLEAN' }],
  date: [{ type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } }],
  bytes: [{ type: 'BYTE_ARRAY' }],
} as const;

function schemaOf(columns: readonly ParquetColumn[]): SchemaElement[] {
  return [
    { name: 'root', num_children: columns.length },
    ...columns.flatMap(({ name, type }): SchemaElement[] => {
      if (type !== 'box')
        return elements[type].map((element) => ({ name, repetition_type: 'OPTIONAL', ...element }));
      const sides = ['xmin', 'ymin', 'xmax', 'ymax'];
      return [
        { name, repetition_type: 'OPTIONAL', num_children: sides.length },
        ...sides.map((side): SchemaElement => ({ name: side, type: 'DOUBLE', repetition_type: 'REQUIRED' })),
      ];
    }),
  ];
}
