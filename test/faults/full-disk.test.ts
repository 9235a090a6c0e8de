import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempDisposable, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createDirectoryObjectStore } from '../../src/object-store/directory.ts';
import { writeDraft } from '../../src/object-store/ledger.ts';
import { StoreUnavailable } from '../../src/object-store/object-store.ts';
import { openTestDatabase } from '../support/database.ts';
import { openTestStore } from '../support/store.ts';
import { closeAfterTests } from '../support/for-tests.ts';

const run = promisify(execFile);
const program = fileURLToPath(new URL('full-disk-program.ts', import.meta.url));

const exportProgram = fileURLToPath(new URL('full-disk-export-program.ts', import.meta.url));
const packageProgram = fileURLToPath(new URL('full-disk-package-program.ts', import.meta.url));

const database = await closeAfterTests(openTestDatabase());
const store = await closeAfterTests(openTestStore());

describe('a disk that takes no more', () => {
  const expectNothing = async (): Promise<void> => {
    assert.deepEqual(await Array.fromAsync(store.keys()), []);
    assert.deepEqual(await database.db.selectFrom('objects').selectAll().execute(), []);
  };

  it('leaves neither bytes nor a ledger entry when it is full half-way', async () => {
    const orders = JSON.stringify({ target: database.target, storeRoot: store.root });
    // A limit on file sizes acts like a full disk and needs no privileges.
    const limited = await run('sh', [
      '-c',
      'ulimit -f 4096; exec "$0" "$@"',
      process.execPath,
      program,
      orders,
    ]);
    assert.match(limited.stdout, /^StoreUnavailable: .*EFBIG/);
    await expectNothing();
    const free = await run(process.execPath, [program, orders]).then(({ stdout }) => stdout);
    assert.equal(free, 'written');
    assert.deepEqual(await Array.fromAsync(store.keys()), ['suite/big.tif']);
    await store.remove('suite/big.tif');
    await database.db.deleteFrom('objects').execute();
  });

  it('is reported for a database that is made while a client waits, of which nothing is left', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'steppe-test-'));
    const limited = await run('sh', [
      '-c',
      'ulimit -f 1024; exec "$0" "$@"',
      process.execPath,
      packageProgram,
      folder.path,
    ]);
    assert.equal(limited.stdout, 'ResourceError');
    assert.deepEqual(await readdir(folder.path), []);
  });

  it('is reported for a file that is written on request, of which nothing is left', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'steppe-test-'));
    const limited = await run('sh', [
      '-c',
      'ulimit -f 1024; exec "$0" "$@"',
      process.execPath,
      exportProgram,
      folder.path,
    ]);
    assert.equal(
      limited.stdout,
      'unavailable: the disk of the service has no room for the file; ask again later {"files":0,"bytes":0}',
    );
    assert.deepEqual(await readdir(folder.path), []);
  });

  it('leaves neither bytes nor a ledger entry where no folder can be made', async () => {
    await writeFile(join(store.root, '.in-the-way'), '');
    const blocked = createDirectoryObjectStore(join(store.root, '.in-the-way', 'objects'));
    const writing = writeDraft(database.db, blocked, 'suite/a.tif', Readable.from([Buffer.from('x')]));
    await assert.rejects(writing, StoreUnavailable);
    await expectNothing();
  });
});
