/** A column of a .dbf. */
export interface DbfColumn {
  readonly name: string;
  /** Such as `N`. */
  readonly type: string;
  readonly length: number;
  readonly decimals?: number;
}

const columnBytes = 32;

/** Writes a .dbf whose cells are these bytes or ASCII letters; texts are padded at their left for N and F, else at their right. */
export function dbfOf(
  columns: readonly DbfColumn[],
  rows: readonly (readonly (string | Uint8Array)[])[],
): Buffer {
  const head = Buffer.alloc(columnBytes * (columns.length + 1) + 1);
  head.set([3, 126, 1, 1]);
  head.writeUInt32LE(rows.length, 4);
  head.writeUInt16LE(head.length, 8);
  head.writeUInt16LE(1 + columns.reduce((sum, { length }) => sum + length, 0), 10);
  for (const [index, { name, type, length, decimals = 0 }] of columns.entries()) {
    const at = columnBytes * (index + 1);
    head.write(name, at, 'latin1');
    head.write(type, at + 11, 'latin1');
    head.set([length, decimals], at + 16);
  }
  head.writeUInt8(0x0d, head.length - 1);
  const cellOf = (cell: string | Uint8Array, { type, length }: DbfColumn) => {
    if (typeof cell !== 'string') return Buffer.concat([cell, Buffer.alloc(length - cell.length)]);
    return Buffer.from(/[NF]/.test(type) ? cell.padStart(length) : cell.padEnd(length), 'latin1');
  };
  const lines = rows.flatMap((row) => [
    Buffer.from(' '),
    ...columns.map((column, index) => cellOf(row[index] ?? '', column)),
  ]);
  return Buffer.concat([head, ...lines, Buffer.from([0x1a])]);
}
