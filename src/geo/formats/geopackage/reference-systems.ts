import type { DatabaseSync } from 'node:sqlite';
import { MiB } from '../../../common/units.ts';
import { refused } from './refusals.ts';

/** The longest real definition has some thousands of letters; for hundreds of megabytes PROJ takes minutes. */
const maxDefinitionBytes = MiB;
/** The second is that of the extension for WKT of 2019. */
const definitionColumns = ['definition', 'definition_12_063'];

/** @throws {Problem} when a coordinate reference system is defined at absurd length. */
export function checkReferenceSystems(database: DatabaseSync): void {
  const isKnown = database.prepare(
    `select 1 from pragma_table_info('gpkg_spatial_ref_sys') where name = ? collate nocase`,
  );
  for (const column of definitionColumns) {
    if (isKnown.get(column) === undefined) continue;
    const tooLong = database
      .prepare(`select 1 from gpkg_spatial_ref_sys where octet_length(${column}) > ? limit 1`)
      .get(maxDefinitionBytes);
    if (tooLong !== undefined)
      throw refused(
        `a coordinate reference system in it is defined by more than ${maxDefinitionBytes / MiB} MiB of text`,
        'Assign one by its EPSG number to the layer',
      );
  }
}
