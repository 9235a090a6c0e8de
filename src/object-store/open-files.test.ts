import assert from 'node:assert/strict';
import { readdir, readlink, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../test/support/for-tests.ts';
import { eventually } from '../../test/support/processes.ts';
import type { OpenObject } from './object-store.ts';
import { createOpenFiles } from './open-files.ts';

const folder = await temporaryFolder();
const forLong = { keepMs: 60_000, maxKept: 128 };

async function fileOf(name: string, text = '0123456789'): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

/** Returns the number of descriptors of this process for a file, even if it is removed. */
async function descriptorsOf(path: string): Promise<number> {
  const links = await Promise.all(
    (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
  );
  return links.filter((link) => link === path || link === `${path} (deleted)`).length;
}

async function textFrom(file: OpenObject, start: number, end: number): Promise<string> {
  const bytes = Buffer.alloc(end - start + 1);
  await file.fill(bytes, start);
  return bytes.toString();
}

async function readText(files: ReturnType<typeof createOpenFiles>, path: string, start: number, end: number) {
  using file = await files.open(path);
  return file && (await textFrom(file, start, end));
}

test('a file is opened once for readers at the same time and for the next ones', async () => {
  const path = await fileOf('shared');
  const files = createOpenFiles(forLong);
  const texts = await Promise.all([readText(files, path, 0, 0), readText(files, path, 3, 6)]);
  assert.deepEqual([...texts, await readText(files, path, 9, 9)], ['0', '3456', '9']);
  assert.equal(await descriptorsOf(path), 1);
  files.forget(path);
  await eventually('closed', async () => (await descriptorsOf(path)) === 0);
});

test('a file that another process removed is let go of by itself, and its space with it', async () => {
  const path = await fileOf('removed');
  const files = createOpenFiles({ ...forLong, keepMs: 200 });
  await readText(files, path, 0, 9);
  await rm(path);
  await eventually('closed', async () => (await descriptorsOf(path)) === 0);
  await assert.rejects(files.open(path), { code: 'ENOENT' });
});

test('a forgotten file is readable for those who have it open, closed after them, and not there for others', async () => {
  const path = await fileOf('forgotten');
  const files = createOpenFiles(forLong);
  {
    using file = await files.open(path);
    await rm(path);
    files.forget(path);
    await assert.rejects(files.open(path), { code: 'ENOENT' });
    assert.equal(file && (await textFrom(file, 1, 2)), '12');
    assert.equal(await descriptorsOf(path), 1);
  }
  await eventually('closed', async () => (await descriptorsOf(path)) === 0);
});

test('no more files are kept than the limit says', async () => {
  const paths = await Promise.all(['1', '2', '3', '4'].map((name) => fileOf(`kept-${name}`)));
  const files = createOpenFiles({ ...forLong, maxKept: 2 });
  for (const path of paths) await readText(files, path, 0, 0);
  const open = async () => await Promise.all(paths.map(descriptorsOf));
  await eventually('two are left', async () => (await open()).join() === '0,0,1,1');
  for (const path of paths) files.forget(path);
});

test('what could not be opened is tried again, and a folder is not a file', async () => {
  const files = createOpenFiles(forLong);
  const path = join(folder, 'late');
  await assert.rejects(files.open(path), { code: 'ENOENT' });
  await fileOf('late', 'x');
  assert.equal(await readText(files, path, 0, 0), 'x');
  assert.equal(await files.open(folder), undefined);
  files.forget(path);
});

test('a file that has become shorter is an error, never other bytes', async () => {
  const path = await fileOf('short');
  const files = createOpenFiles(forLong);
  using file = await files.open(path);
  assert.equal(file?.sizeBytes, 10);
  await truncate(path, 4);
  await assert.rejects(async () => await file?.fill(Buffer.alloc(8), 2), /ends before byte 4/);
  files.forget(path);
});
