import type { ColumnSource, SchemaElement } from 'hyparquet-writer';
import { ownVersion } from '../own-version.ts';
import { MiB } from '../units.ts';

/** Type of a column: a text, a 64-bit number, a date (`2024-12-31`), bytes, or a `box` of west, south, east and north. Each is nullable. */
export type ParquetType = 'text' | 'number' | 'whole' | 'boolean' | 'date' | 'bytes' | 'box';

export interface ParquetColumn {
  /** Unique among the columns. */
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

/** A table whose rows are read lazily, in batches. */
export interface ParquetTable {
  readonly columns: readonly ParquetColumn[];
  readonly rows: AsyncIterable<readonly ParquetRow[]> | Iterable<readonly ParquetRow[]>;
  /** Key-value metadata of the file, read after the last row. */
  facts?(): Readonly<Record<string, string>>;
}

/** A row group is encoded in one synchronous step; this many cells, or this many characters and bytes, fill it. */
const groupCells = 100_000;
const groupBytes = 4 * MiB;
/** With fewer rows per group, the footer would become as long as the table. */
const leastRows = 1000;
/** More columns would make groups of this many rows too large. */
export const maxParquetColumns = 1000;

const dayMilliseconds = 86_400_000;

/** Everything besides the table that determines the bytes of a file. */
export const parquetMaker = `Steppe ${ownVersion}`;

/**
 * Writes a table as Parquet (Snappy), one row group at a time: memory does not grow with the number of rows. Equal tables give equal bytes.
 */
export async function* writeParquet({ columns, rows, facts }: ParquetTable): AsyncGenerator<Uint8Array> {
  // Loaded on first use, because only Parquet needs it.
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
    // Minimum and maximum of pictures and geometries are of no use to readers.
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

/** Returns the number of days since 1970-01-01. */
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
