import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { describe, test } from 'node:test';
import { fromBufferPromise } from 'yauzl';
import { hostileZip } from '../../../test/support/hostile/hostile-zip.ts';
import { type FileBytes, readArchive, readMember } from './read-archive.ts';
import { type ArchiveSource, WrongSource, writeArchive } from './write-archive.ts';
import { archiveBytes } from '../../lib/formats/zip-layout.ts';

const contents = {
  'contents.json': Buffer.from('{}'),
  'areas/district.csv': Buffer.from('kato\r\n'),
  'cogs/34.tif': Buffer.from('II*\0 pixels'),
};

const factsOf = (name: string, content: Buffer) => ({
  name,
  bytes: content.length,
  sha256: hash('sha256', content, 'hex'),
});
const sources: readonly ArchiveSource[] = Object.entries(contents).map(([name, content]) =>
  name.endsWith('.tif')
    ? {
        ...factsOf(name, content),
        open: async () =>
          (async function* () {
            yield content;
          })(),
      }
    : { ...factsOf(name, content), content },
);
const whole = Buffer.concat(await Array.fromAsync(writeArchive(sources)));

const inMemory = (bytes: Buffer): FileBytes => ({
  size: bytes.length,
  read: async (position, length) => bytes.subarray(position, position + length),
});
const faultsOf = async (bytes: Buffer) => (await readArchive(inMemory(bytes))).faults;

describe('An archive', () => {
  test('is read as it was written, by this reader and by another', async () => {
    const file = inMemory(whole);
    const { members, faults } = await readArchive(file);
    assert.deepEqual(faults, []);
    for (const member of members)
      assert.deepEqual(
        Buffer.concat(await Array.fromAsync(readMember(file, member))),
        Object.entries(contents).find(([name]) => name === member.name)?.[1],
      );
    const zip = await fromBufferPromise(whole, { lazyEntries: true });
    const unpacked: [string, Buffer][] = [];
    for await (const entry of zip.eachEntry()) {
      const stream = await zip.openReadStreamPromise(entry);
      unpacked.push([entry.fileName, Buffer.concat(await Array.fromAsync(stream))]);
    }
    assert.deepEqual(Object.fromEntries(unpacked), contents);
  });

  test('has the size that was told before', () => {
    const told = sources.map((source) => ({ ...source, isStreamed: !('content' in source) }));
    assert.equal(archiveBytes(told), whole.length);
  });

  test('with a changed byte outside of its members is never taken for whole', async () => {
    const inMembers = Object.values(contents).map(
      (content) => [whole.indexOf(content), content.length] as const,
    );
    for (let at = 0; at < whole.length; at += 1) {
      if (inMembers.some(([start, bytes]) => at >= start && at < start + bytes)) continue;
      const changed = Buffer.from(whole);
      changed.writeUInt8(changed.readUInt8(at) ^ 0x20, at);
      assert.notDeepEqual(await faultsOf(changed), [], `byte ${at}`);
    }
  });

  test('that is cut short, or longer, is never taken for whole', async () => {
    for (let length = 0; length < whole.length; length += 1)
      assert.notDeepEqual(await faultsOf(whole.subarray(0, length)), [], `${length} bytes`);
    assert.notDeepEqual(await faultsOf(Buffer.concat([whole, Buffer.of(0)])), []);
  });

  test('of another program is named for what it is', async () => {
    const packed = hostileZip([{ name: 'cogs/34.tif', bytes: 'x'.repeat(10_000) }]);
    assert.match((await faultsOf(packed)).join(), /"cogs\/34\.tif"/);
    for (const name of [
      '../../etc/passwd',
      '/etc/passwd',
      'cogs\\..\\x',
      'cogs/../x',
      '.git/config',
      'С.tif',
    ])
      assert.match(
        (await faultsOf(hostileZip([{ name, bytes: '' }]))).join(),
        /has a name that no dossier has/,
        name,
      );
  });

  test('whose source breaks, or has other bytes, does not come to an end', async () => {
    const broken = async (open: () => Promise<AsyncIterable<Buffer>>) => {
      const written: Buffer[] = [];
      const source = { ...factsOf('cogs/34.tif', Buffer.from('right')), open };
      await assert.rejects(async () => {
        for await (const chunk of writeArchive([source])) written.push(chunk);
      });
      return Buffer.concat(written);
    };
    const give = (text: string) => async () =>
      (async function* () {
        yield Buffer.from(text);
      })();
    for (const open of [
      give('wrong'),
      give('righ'),
      give('right!'),
      async () => {
        throw new WrongSource('gone');
      },
    ])
      assert.notDeepEqual(await faultsOf(await broken(open)), []);
  });
});
