import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeGeoPackage } from '../../support/geopackages.ts';

type Content = Parameters<typeof writeGeoPackage>[1];

/** A GeoPackage of this content. */
export async function geoPackageFile(content: Content, name = 'layer.gpkg'): Promise<File> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'steppe-test-'));
  return new File([await readFile(writeGeoPackage(join(folder.path, 'a.gpkg'), content))], name);
}

/** The bytes of a GeoPackage that a program has open, and of the log beside it, which has what `edit` does. */
export async function openGeoPackage(content: Content, edit: string) {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'steppe-test-'));
  const path = writeGeoPackage(join(folder.path, 'a.gpkg'), content);
  return await whileOpen(path, (database) => database.exec(edit));
}

/** The same of one that has not a table yet but in its log. */
export async function geoPackageInLog(content: Content) {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'steppe-test-'));
  const written = writeGeoPackage(join(folder.path, 'a.gpkg'), content);
  return await whileOpen(join(folder.path, 'b.gpkg'), (database) => {
    database.exec(
      `pragma application_id = 1196444487; pragma user_version = 10200; attach '${written}' as a`,
    );
    const tables = database.prepare(
      "select name, sql from a.sqlite_master where type = 'table' and name not like 'sqlite_%'",
    );
    for (const { name, sql } of tables.all())
      database.exec(`${String(sql)}; insert into main."${String(name)}" select * from a."${String(name)}"`);
  });
}

async function whileOpen(path: string, edit: (database: DatabaseSync) => void) {
  const database = new DatabaseSync(path);
  try {
    database.exec('pragma journal_mode = wal; pragma wal_autocheckpoint = 0;');
    edit(database);
    return { main: await readFile(path), log: await readFile(`${path}-wal`) };
  } finally {
    database.close();
  }
}
