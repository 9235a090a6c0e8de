import type { DbfField } from './dbf-header.ts';

const nullable = 0x02;
/** Texts and bytes of a length of their own, which may stand in their last byte. */
const variableTypes: readonly string[] = ['V', 'Q'];

/** The bit of a row that says something of one of its cells. */
type Bit = (row: Buffer) => boolean;

/** The hidden column in which Visual FoxPro keeps what cells cannot say: that they are null, or shorter than their place. */
export type NullMarks = ReturnType<typeof nullMarksOf>;

/** Finds the hidden column of null marks; a table of another program has none. */
export function nullMarksOf(fields: readonly DbfField[]) {
  const hidden = fields.find(({ type }) => type === '0');
  const [isNull, isShort] = [new Map<DbfField, Bit>(), new Map<DbfField, Bit>()];
  if (hidden !== undefined) {
    let bits = 0;
    const nextBit = (): Bit => {
      const [at, mask] = [hidden.offset + (bits >> 3), 1 << (bits & 7)];
      bits += 1;
      return at < hidden.offset + hidden.length ? (row) => ((row[at] ?? 0) & mask) !== 0 : () => false;
    };
    for (const field of fields) {
      if (field === hidden) continue;
      if (variableTypes.includes(field.type)) isShort.set(field, nextBit());
      if ((field.flags & nullable) !== 0) isNull.set(field, nextBit());
    }
  }
  return {
    isHidden: (field: DbfField) => field === hidden,
    /** How to see that a cell of a column is null; undefined for a column that has no marks. */
    nullOf: (field: DbfField) => isNull.get(field),
    /** How to see where the cell of a column ends whose cells have lengths of their own; undefined for all others. */
    endOf(field: DbfField): ((row: Buffer) => number) | undefined {
      const short = isShort.get(field);
      const end = field.offset + field.length;
      if (short === undefined) return undefined;
      return (row) => (short(row) ? Math.min(field.offset + (row[end - 1] ?? 0), end - 1) : end);
    },
  };
}
