import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { describeObjectStore } from '../../test/contract/object-store.ts';
import { createDirectoryObjectStore } from './directory.ts';
import { ObjectMissing, StoreUnavailable } from './object-store.ts';

describeObjectStore('directory', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'steppe-store-'));
  return {
    store: createDirectoryObjectStore(join(folder, 'a folder', 'objects')),
    close: async () => await rm(folder, { recursive: true, force: true }),
  };
});

describe('directory object store', () => {
  let root: string;
  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'steppe-store-'));
  });
  after(async () => {
    await rm(root, { recursive: true, force: true });
  });

  it('lists and removes what a put that was killed has left', async () => {
    const store = createDirectoryObjectStore(root);
    await mkdir(join(root, 'killed'));
    await writeFile(join(root, 'killed', 'a.tif.partial'), 'half');
    assert.deepEqual(await Array.fromAsync(store.keys()), ['killed/a.tif']);
    assert.equal(await store.size('killed/a.tif'), undefined);
    await store.remove('killed/a.tif');
    assert.deepEqual(await readdir(root), []);
  });

  it('removes leftovers of that key only', async () => {
    const store = createDirectoryObjectStore(root);
    await store.put('near/a.tif', Readable.from([Buffer.from('1')]));
    await store.put('near/a.tif.ovr', Readable.from([Buffer.from('2')]));
    await store.remove('near/a.tif');
    assert.deepEqual(await Array.fromAsync(store.keys()), ['near/a.tif.ovr']);
    await store.remove('near/a.tif.ovr');
  });

  it('keeps its files to its own user', async () => {
    const store = createDirectoryObjectStore(join(root, 'private'));
    await store.put('deep/er/a.tif', Readable.from([Buffer.from('1')]));
    for (const [path, mode] of [
      ['private', 0o700],
      ['private/deep/er', 0o700],
      ['private/deep/er/a.tif', 0o600],
    ] as const) {
      assert.equal((await stat(join(root, path))).mode & 0o777, mode);
    }
    await store.remove('deep/er/a.tif');
  });

  it('puts into a folder that a removal takes away at the same time', async () => {
    const store = createDirectoryObjectStore(root);
    for (let round = 0; round < 100; round += 1) {
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
    const store = createDirectoryObjectStore(root);
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
    const folder = join(root, 'not mounted');
    const store = createDirectoryObjectStore(folder);
    await assert.rejects(store.size('a/b.tif'), StoreUnavailable);
    await assert.rejects(store.read('a/b.tif'), StoreUnavailable);
    await writeFile(folder, 'in its place');
    await assert.rejects(store.read('a/b.tif'), StoreUnavailable);
    await rm(folder);
    await store.check();
    assert.equal(await store.size('a/b.tif'), undefined);
    await assert.rejects(store.read('a/b.tif'), ObjectMissing);
  });
});
