import assert from 'node:assert/strict';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { applyLog } from './sqlite-file.ts';
import { openVectorEngineHere } from '../../../../test/support/geo/engine-here.ts';
import { closeAfterTests } from '../../../../test/support/for-tests.ts';
import { pointBlob, writeGeoPackage } from '../../../../test/support/geo/geopackages.ts';
import { hostileZip } from '../../../../test/support/hostile/hostile-zip.ts';

const engine = await closeAfterTests(openVectorEngineHere());
const edits = `update places set name = 'edited' where fid = 1; insert into places (name) values ('added');`;
const edited = ['["edited"]', '["place 2"]', '["added"]'];
const before = ['["place 1"]', '["place 2"]'];

interface Files {
  readonly database: Buffer;
  readonly log: Buffer;
}

describe('A GeoPackage whose edits are in a log', () => {
  let count = 0;
  const newPath = (extension: string) => {
    count += 1;
    return join(engine.folder, `log-${count}.${extension}`);
  };

  /** Files of a GeoPackage while a program has it open, with the effect of `sql` still in the log. */
  async function opened(
    sql: string,
    options: { readonly pageBytes?: number; readonly isNew?: boolean } = {},
  ): Promise<Files> {
    const path = newPath('gpkg');
    const { pageBytes = 4096, isNew = false } = options;
    const whole = writeGeoPackage(newPath('gpkg'), { geometries: [pointBlob(70, 50), null] });
    if (!isNew) await copyFile(whole, path);
    using database = new DatabaseSync(path);
    database.exec(
      `pragma page_size = ${pageBytes}; vacuum; pragma journal_mode = wal; pragma wal_autocheckpoint = 0;`,
    );
    if (isNew) copyTables(whole, database);
    database.exec(sql);
    return { database: await readFile(path), log: await readFile(`${path}-wal`) };
  }
  async function readArchive(members: Readonly<Record<string, Uint8Array>>) {
    const path = newPath('zip');
    await writeFile(path, hostileZip(Object.entries(members).map(([name, bytes]) => ({ name, bytes }))));
    return await read(path);
  }
  async function read(path: string) {
    const { rowsPath, findings } = await engine.run((geo, task) => geo.readTable(task), path);
    const rows = (await readFile(rowsPath, 'utf8')).trimEnd().split('\n');
    return { rows, warnings: findings.warnings.map(({ message }) => message) };
  }

  test('is read with it from an archive, whatever its pages, with no word on the files beside it', async () => {
    for (const pageBytes of [512, 4096, 65_536]) {
      const { database, log } = await opened(edits, { pageBytes });
      const both = { 'd/W.gpkg': database, 'd/w.GPKG-wal': log, 'd/w.gpkg-shm': Buffer.alloc(32_768, 1) };
      assert.deepEqual(await readArchive(both), { rows: edited, warnings: [] }, String(pageBytes));
    }
  });

  test('is read with all of it in the log; alone it is refused with what to do', async () => {
    const { database, log } = await opened(edits, { isNew: true });
    assert.equal(database.length, 4096);
    assert.deepEqual((await readArchive({ 'w.gpkg': database, 'w.gpkg-wal': log })).rows, edited);
    const alone = newPath('gpkg');
    await writeFile(alone, database);
    const sentence = /still in its log, the file beside it whose name ends in -wal\. Close the program/;
    await assert.rejects(read(alone), sentence);
    await assert.rejects(readArchive({ 'w.gpkg': database }), sentence);
  });

  test('becomes the same file as SQLite makes of it, also when it has become smaller', async () => {
    for (const sql of [
      edits,
      `create table big (a); insert into big select randomblob(9000) from places, places b;`,
    ]) {
      const { database, log } = await opened(`${sql} drop table if exists big; vacuum;`);
      const [ours, theirs] = [newPath('gpkg'), newPath('gpkg')];
      for (const path of [ours, theirs]) await writeFile(path, database);
      await writeFile(`${theirs}-wal`, log);
      await writeFile(`${ours}.log`, log);
      const sqlite = new DatabaseSync(theirs);
      sqlite.exec('pragma wal_checkpoint(truncate); pragma journal_mode = delete');
      sqlite.close();
      assert.equal(await applyLog(ours, `${ours}.log`), true);
      const [one, other] = [await readFile(ours), await readFile(theirs)];
      // SQLite counts its changes in the header.
      for (const bytes of [one, other]) bytes.fill(0, 24, 28).fill(0, 92, 100);
      assert.ok(one.equals(other), sql);
    }
  });

  test('loses only what was not committed when the log is cut', async () => {
    const first = await opened(edits);
    const both = await opened(`${edits} update places set name = 'later';`);
    const frameBytes = 24 + 4096;
    const cut = both.log.subarray(0, first.log.length + frameBytes / 2);
    assert.deepEqual((await readArchive({ 'w.gpkg': both.database, 'w.gpkg-wal': cut })).rows, edited);
  });

  test('is read without a log that does not fit, with a word on it', async () => {
    const { database, log } = await opened(edits);
    const other = await opened(edits, { pageBytes: 512 });
    const wrongSum = Buffer.from(log);
    wrongSum.writeUInt8(wrongSum.readUInt8(100) ^ 1, 100);
    for (const wrong of [wrongSum, other.log, Buffer.from('no log'), log.subarray(0, 1000)]) {
      const { rows, warnings } = await readArchive({ 'w.gpkg': database, 'w.gpkg-wal': wrong });
      assert.deepEqual(rows, before);
      assert.match(
        warnings.join(),
        /^The log w\.gpkg-wal in the archive contains no saved edits of the GeoPackage/,
      );
    }
    const empty = { 'w.gpkg': database, 'w.gpkg-wal': Buffer.alloc(0) };
    assert.deepEqual(await readArchive(empty), { rows: before, warnings: [] });
    const elsewhere = await readArchive({ 'w.gpkg': database, 'x/w.gpkg-wal': log });
    assert.match(elsewhere.warnings.join(), /Files of the archive that were not read: x\/w\.gpkg-wal/);
  });

  test('is refused while it is being written', async () => {
    const { database } = await opened(edits);
    const journal = Buffer.alloc(512);
    assert.deepEqual((await readArchive({ 'w.gpkg': database, 'w.gpkg-journal': journal })).rows, before);
    journal.write('d9d505f920a163d7', 'hex');
    await assert.rejects(
      readArchive({ 'w.gpkg': database, 'w.gpkg-journal': journal }),
      /The archive contains w\.gpkg-journal: a program was writing the GeoPackage.*Close the program/,
    );
  });
});

/** Creates the tables of a file again in an empty one. */
function copyTables(from: string, database: DatabaseSync): void {
  database.exec(`attach '${from}' as source`);
  const tables = database.prepare(`select name, sql from source.sqlite_schema where type = 'table'
    and name not like 'sqlite_%'`);
  for (const { name, sql } of tables.all())
    database.exec(`${String(sql)}; insert into main.${String(name)} select * from source.${String(name)};`);
  database.exec('pragma application_id = 1196444487; pragma user_version = 10200; detach source');
}
