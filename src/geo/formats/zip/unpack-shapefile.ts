import { join } from 'node:path';
import { Problem } from '../../../common/errors.ts';
import { KiB, MiB } from '../../../common/units.ts';
import type { ArchiveMember } from './archive.ts';
import type { ShapefilePart } from './members.ts';

/** What stands beside the shapes and the table is a few words or pages long. */
const maxBytes: ReadonlyMap<ShapefilePart, number> = new Map([
  ['prj', MiB],
  ['cpg', KiB],
  ['cst', KiB],
  ['shp.xml', 8 * MiB],
]);

/**
 * Writes the files of a shapefile as `input.shp`, `input.dbf` and so on into the scratch folder, without hints on names
 * and charset that are too long to be any.
 * @throws {Problem}
 */
export async function unpackShapefile(
  parts: ReadonlyMap<ShapefilePart, ArchiveMember>,
  scratch: string,
): Promise<void> {
  for (const [part, member] of parts) {
    if (member.bytes <= (maxBytes.get(part) ?? member.bytes))
      await member.unpackTo(join(scratch, `input.${part}`));
    else if (part === 'prj') throw oversizedPrj();
  }
}

function oversizedPrj(): Problem {
  return new Problem(
    'invalid',
    'The .prj file in the archive is larger than 1 MiB, which no coordinate reference system is. Put the right one into the archive and upload it again.',
  );
}
