import assert from 'node:assert/strict';
import { open, readFile } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { test } from 'node:test';
import { MiB } from '../lib/units.ts';
import { temporaryFolder } from '../../test/support/for-tests.ts';
import { createFileSink } from './file-sink.ts';

const folder = await temporaryFolder();

/** A new file that counts calls, which can be replaced. */
async function fileOf(
  name: string,
  otherwise: Partial<Pick<FileHandle, 'writev' | 'datasync' | 'sync'>> = {},
) {
  const path = join(folder, name);
  const file = await open(path, 'wx');
  const calls: string[] = [];
  for (const call of ['writev', 'datasync', 'sync', 'close'] as const) {
    const real = file[call].bind(file);
    const done = Object.hasOwn(otherwise, call) ? Reflect.get(otherwise, call) : real;
    Reflect.set(file, call, (...given: unknown[]) => {
      calls.push(call);
      return Reflect.apply(done, file, given);
    });
  }
  return { path, file, calls };
}

function* pieces(count: number, bytes: number): Generator<Buffer> {
  for (let index = 0; index < count; index += 1) yield Buffer.alloc(bytes, index % 251);
}

test('all bytes are in the file, in few writes, and it is synchronised before it is closed', async () => {
  const { path, file, calls } = await fileOf('many');
  await pipeline(Readable.from(pieces(5000, 1000)), createFileSink(file));
  assert.deepEqual(await readFile(path), Buffer.concat([...pieces(5000, 1000)]));
  assert.deepEqual(calls.slice(-2), ['sync', 'close']);
  assert.ok(calls.length < 500, `${calls.length} calls`);
});

test('the disk is set to work before the end of a long file', async () => {
  const { file, calls } = await fileOf('long');
  await pipeline(Readable.from(pieces(40, MiB)), createFileSink(file));
  assert.ok(calls.includes('datasync'));
});

test('what a write leaves over is written next', async () => {
  const { path, file } = await fileOf('partly', {
    async writev(chunks) {
      const [first] = chunks;
      const bytes = Buffer.from(first?.buffer ?? new ArrayBuffer(), first?.byteOffset, first?.byteLength);
      const { bytesWritten } = await file.write(bytes.subarray(0, Math.ceil(bytes.length / 2)));
      return { bytesWritten, buffers: chunks };
    },
  });
  await pipeline(Readable.from(pieces(20, 1001)), createFileSink(file));
  assert.deepEqual(await readFile(path), Buffer.concat([...pieces(20, 1001)]));
});

for (const call of ['datasync', 'sync'] as const) {
  test(`a disk that refuses in ${call} fails the file, and it is closed`, async () => {
    const refused = new Error('no space');
    const { file, calls } = await fileOf(`refused-${call}`, {
      [call]: async () => await Promise.reject(refused),
    });
    const writing = pipeline(Readable.from(pieces(40, MiB)), createFileSink(file));
    await assert.rejects(writing, (error) => error === refused);
    assert.equal(calls.at(-1), 'close');
  });
}

test('an interrupted file is closed', async () => {
  const { file, calls } = await fileOf('interrupted');
  const broken = Readable.from(
    (function* () {
      yield Buffer.alloc(10);
      throw new Error('gone');
    })(),
  );
  await assert.rejects(pipeline(broken, createFileSink(file)), /gone/);
  assert.equal(calls.at(-1), 'close');
  await assert.rejects(file.stat());
});
