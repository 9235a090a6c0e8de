/** Fills a nameless database in the given folder, on a disk without enough space, and prints the outcome. */
import { limitOf, openNamelessDatabase } from '../../src/tables/export/geopackage/nameless-database.ts';
import { GiB, MiB } from '../../src/lib/units.ts';

const folder = process.argv[2] ?? '';
using opened = await openNamelessDatabase({
  folder,
  expectedBytes: MiB,
  maxBytes: GiB,
  begin: 'create table a (b); begin',
});
const add = opened.database.prepare(`insert into a values (zeroblob(${MiB}))`);
try {
  for (let i = 0; i < 32; i += 1) add.run();
  process.stdout.write('written');
} catch (error) {
  process.stdout.write(limitOf(error, folder)?.name ?? String(error));
}
