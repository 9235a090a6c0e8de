import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { describeObjectStore } from '../../test/contract/object-store.ts';
import { temporaryFolder } from '../../test/support/for-tests.ts';
import { repetitions } from '../../test/support/tier.ts';
import { withDeadlines } from './deadlines.ts';
import { createDirectoryObjectStore } from './directory.ts';
import { ObjectMissing, StoreUnavailable } from './object-store.ts';

const rounds = repetitions('REMOVALS', 20, 200);
const root = await temporaryFolder();
const folder = await temporaryFolder();
const store = createDirectoryObjectStore(root);

describeObjectStore('directory behind deadlines, as in a service', async () => ({
  store: withDeadlines(createDirectoryObjectStore(join(folder, 'a folder', randomUUID()))),
  close: async () => undefined,
}));

describe('directory object store', () => {
  it('lists and removes what a put that was killed has left', async () => {
    await mkdir(join(root, 'killed'));
    await writeFile(join(root, 'killed', 'a.tif.partial'), 'half');
    assert.deepEqual(await Array.fromAsync(store.keys()), ['killed/a.tif']);
    assert.equal(await store.size('killed/a.tif'), undefined);
    await store.remove('killed/a.tif');
    assert.deepEqual(await readdir(root), []);
  });

  it('removes leftovers of that key only', async () => {
    await store.put('near/a.tif', Readable.from([Buffer.from('1')]));
    await store.put('near/a.tif.ovr', Readable.from([Buffer.from('2')]));
    await store.remove('near/a.tif');
    assert.deepEqual(await Array.fromAsync(store.keys()), ['near/a.tif.ovr']);
    await store.remove('near/a.tif.ovr');
  });

  it('takes over files of its own file system alone, and closes them to others', async () => {
    const path = join(folder, 'finished.tif');
    await writeFile(path, '1', { mode: 0o644 });
    assert.equal(await store.adopt('adopted/a.tif', path), true);
    const { ino, mode } = await stat(join(root, 'adopted/a.tif'));
    assert.equal(ino, (await stat(path)).ino);
    assert.equal(mode & 0o777, 0o600);
    await writeFile('/dev/shm/steppe-finished.tif', '1');
    assert.equal(await store.adopt('adopted/b.tif', '/dev/shm/steppe-finished.tif'), false);
    await rm('/dev/shm/steppe-finished.tif');
    assert.equal(await store.size('adopted/b.tif'), undefined);
    await assert.rejects(store.adopt('adopted/c.tif', join(folder, 'missing')), StoreUnavailable);
    assert.deepEqual(await readdir(join(root, 'adopted')), ['a.tif']);
    await store.remove('adopted/a.tif');
  });

  it('links without a copy on its own file system alone', async () => {
    await store.put('linked/a.tif', Readable.from([Buffer.from('1')]));
    const path = join(folder, 'linked.tif');
    assert.equal(await store.link('linked/a.tif', path), true);
    assert.equal((await stat(path)).ino, (await stat(join(root, 'linked/a.tif'))).ino);
    assert.equal(await store.link('linked/a.tif', '/dev/shm/steppe-linked.tif'), false);
    await assert.rejects(store.link('linked/a.tif', join(folder, 'no folder', 'a.tif')), StoreUnavailable);
    await store.remove('linked/a.tif');
  });

  it('keeps its files to its own user', async () => {
    const ownStore = createDirectoryObjectStore(join(root, 'private'));
    await ownStore.put('deep/er/a.tif', Readable.from([Buffer.from('1')]));
    for (const [path, mode] of [
      ['private', 0o700],
      ['private/deep/er', 0o700],
      ['private/deep/er/a.tif', 0o600],
    ] as const) {
      assert.equal((await stat(join(root, path))).mode & 0o777, mode);
    }
    await ownStore.remove('deep/er/a.tif');
  });

  it('puts into a folder that a removal takes away at the same time', async () => {
    for (let round = 0; round < rounds; round += 1) {
      await store.put('busy/old/a.tif', Readable.from([Buffer.from('old')]));
      await Promise.all([
        store.remove('busy/old/a.tif'),
        store.put('busy/old/b.tif', Readable.from([Buffer.from('new')])),
      ]);
      assert.equal(await text(await store.read('busy/old/b.tif')), 'new');
      await store.remove('busy/old/b.tif');
    }
    assert.ok(!(await readdir(root)).includes('busy'));
  });

  it('does not survive a body that breaks before the file is open by crashing', async () => {
    const body = new Readable({ read: () => undefined });
    const putting = store.put('early/a.tif', body);
    body.destroy(new Error('gone at once'));
    await assert.rejects(putting, /gone at once/);
    assert.ok(!(await readdir(root)).includes('early'));
  });

  it('fails its check where it cannot write', async () => {
    await writeFile(join(root, 'a-file'), '');
    await assert.rejects(createDirectoryObjectStore(join(root, 'a-file', 'objects')).check());
  });

  it('says of no object that it is missing while its folder is not there', async () => {
    const place = join(root, 'not mounted');
    const absent = createDirectoryObjectStore(place);
    await assert.rejects(absent.size('a/b.tif'), StoreUnavailable);
    await assert.rejects(absent.read('a/b.tif'), StoreUnavailable);
    await writeFile(place, 'in its place');
    await assert.rejects(absent.read('a/b.tif'), StoreUnavailable);
    await rm(place);
    await absent.check();
    assert.equal(await absent.size('a/b.tif'), undefined);
    await assert.rejects(absent.read('a/b.tif'), ObjectMissing);
  });
});
