import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { countConsecutive, countIndexed, withFile } from './records.ts';

/** Where a `.dbf` says how many rows it has. */
const rowCountAt = 4;
const rowCountBytes = 4;

/** The shapes of a shapefile, and whether its `.shx` lists them. */
interface Shapes {
  readonly count: number;
  readonly isIndexed: boolean;
}

/**
 * Counts the shapes that the `.shx` of `input.shp` lists, or else those that follow each other in it: when there is no
 * `.shx`, when it is wrong, and when it lists fewer of them than there are both shapes and rows. An index that is shorter
 * than the table hides shapes; one that is shorter than the `.shp` alone passes over shapes that were deleted.
 */
export function countShapes(scratch: string): Shapes | undefined {
  const [shp, shx] = [join(scratch, 'input.shp'), join(scratch, 'input.shx')];
  const indexed = existsSync(shx) ? countIndexed(shx, shp) : undefined;
  if (indexed !== undefined) {
    const rows = rowsOf(join(scratch, 'input.dbf'));
    const hidesShapes = rows !== undefined && rows > indexed && countConsecutive(shp) === rows;
    return hidesShapes ? { count: rows, isIndexed: false } : { count: indexed, isIndexed: true };
  }
  const consecutive = countConsecutive(shp);
  return consecutive === undefined ? undefined : { count: consecutive, isIndexed: false };
}

function rowsOf(dbf: string): number | undefined {
  if (!existsSync(dbf)) return undefined;
  return withFile(dbf, (file) =>
    file.bytes < rowCountAt + rowCountBytes ? undefined : file.at(rowCountAt, rowCountBytes).readUInt32LE(0),
  );
}
