import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { openArchive } from '../../src/geo/formats/zip/archive.ts';
import { findLayer, namesLeftOut } from '../../src/geo/formats/zip/members.ts';
import { Problem } from '../../src/lib/errors.ts';
import { MiB } from '../../src/lib/units.ts';
import { hostileZip, zip64Extra, type ZipEntry } from '../support/hostile/hostile-zip.ts';
import { temporaryFolder } from '../support/for-tests.ts';

const feature = '{"type":"Feature","properties":{"n":1},"geometry":{"type":"Point","coordinates":[60,50]}}';
const layer: ZipEntry = { name: 'a.geojson', bytes: feature };

const folder = await temporaryFolder();

describe('A hostile archive', () => {
  /** Text of the layer in an archive, and the names of the parts that were left out. */
  async function taken(zip: Uint8Array): Promise<{ text: string; leftOut: string | undefined }> {
    await writeFile(join(folder, 'x.zip'), zip);
    using archive = await openArchive(join(folder, 'x.zip'));
    const contents = findLayer(archive.members);
    assert.equal(contents.kind, 'geojson');
    await contents.member.unpackTo(join(folder, 'layer'));
    return {
      text: await readFile(join(folder, 'layer'), 'utf8'),
      leftOut: namesLeftOut(archive.members, contents),
    };
  }
  const refused = (zip: Uint8Array, sentence: RegExp) =>
    assert.rejects(
      taken(zip),
      (error) => error instanceof Problem && error.code === 'invalid' && sentence.test(error.message),
    );
  const damaged = /damaged or cut short/;

  test('may name its files as it likes: no name is a path', async () => {
    const stems = [
      ['../../x', '/abs/x', 'C:\\x', '..\\x', './x', 'a/../x'],
      ['CON', 'a\0b', '\u202exe', 'x'.repeat(60_000)],
    ].flat();
    for (const stem of stems) {
      const { text } = await taken(hostileZip([{ ...layer, name: `${stem}.geojson` }]));
      assert.equal(text, feature, stem.slice(0, 20));
    }
    await refused(hostileZip([{ ...layer, name: 'a.geojson\0.txt' }]), /only a\.geojson \.txt\./);
    await refused(hostileZip([{ ...layer, name: '__MACOSX/a.geojson' }]), /only hidden files/);
    await refused(hostileZip([{ ...layer, name: 'a.geojson/' }]), /contains no files/);
  });

  test('that is encrypted in any way is refused, and so is a link', async () => {
    for (const flags of [0x1, 0x41])
      await refused(hostileZip([{ ...layer, says: { flags } }]), /encrypted\. Pack it without a password/);
    await refused(hostileZip([{ ...layer, says: { flags: 1, method: 99 } }]), /encrypted/);
    await refused(hostileZip([{ ...layer, says: { unixMode: 0o120777 } }]), /symbolic link/);
  });

  test('packed by another method is told which, and which to use; a harmless member may be', async () => {
    const methods = [
      [9, 'Deflate64'],
      [12, 'bzip2'],
      [14, 'LZMA'],
      [93, 'Zstandard'],
      [97, 'number 97'],
    ] as const;
    for (const [method, name] of methods)
      await refused(hostileZip([{ ...layer, method }]), new RegExp(`method ${name}, .*Pack it by Deflate`));
    const beside = { name: 'readme.txt', bytes: 'x', method: 14 };
    assert.deepEqual(await taken(hostileZip([layer, beside])), { text: feature, leftOut: 'readme.txt' });
  });

  test('that lies of the number or the place of its files is damaged, never too full', async () => {
    for (const entries of [0, 1, 60_000]) await refused(hostileZip([layer, layer], { entries }), damaged);
    const huge = 2n ** 60n;
    for (const zip64 of [
      { entries: 70_000n },
      { entries: 2n ** 63n },
      { listOffset: huge },
      { recordOffset: huge },
    ])
      await refused(hostileZip([layer], { zip64 }), damaged);
    await refused(hostileZip([layer], { listOffset: 4_000_000_000 }), damaged);
    for (const offset of [2n ** 40n, huge]) {
      const says = { offset: 0xffffffff, extra: zip64Extra(offset) };
      await refused(hostileZip([{ ...layer, says }]), damaged);
    }
    await refused(
      hostileZip(
        Array.from({ length: 70_000 }, (_, i) => ({ name: `${i}`, bytes: '', method: 0 })),
        { zip64: {} },
      ),
      /more than 10000 files/,
    );
  });

  test('that lies of the size of a file is refused before or while that grows', async () => {
    await refused(
      hostileZip([{ ...layer, says: { unpackedBytes: 3 } }]),
      /larger than its list of files states/,
    );
    await refused(hostileZip([{ ...layer, method: 0, says: { unpackedBytes: 3 } }]), /larger than its list/);
    await refused(hostileZip([{ ...layer, says: { unpackedBytes: 3000 } }]), damaged);
    const says = (unpacked: bigint, packed: bigint) => ({
      unpackedBytes: 0xffffffff,
      packedBytes: 0xffffffff,
      extra: zip64Extra(unpacked, packed),
    });
    await refused(hostileZip([{ ...layer, says: says(2n ** 60n, 2n ** 60n) }]), /larger than 8 GiB/);
    await refused(hostileZip([{ ...layer, says: says(2n ** 60n, 70n) }]), /grow more than 200 times/);
    await refused(hostileZip([{ ...layer, says: says(2n ** 32n, 2n ** 30n) }]), damaged);
    await refused(hostileZip([{ ...layer, says: { extra: Uint8Array.of(1, 0, 255, 255) } }]), damaged);
  });

  test('that is a bomb is refused unopened: packed too tight, or files over files', async () => {
    const zeros = { name: 'a.dbf', bytes: Buffer.alloc(64 * MiB) };
    await refused(hostileZip([layer, zeros]), /"a\.dbf" in it would grow more than 200 times/);
    // Fifield's archive: every file is the one kernel, or quotes the headers of the files after it.
    const kernel = deflateRawSync(Buffer.alloc(MiB));
    const full = Array.from({ length: 50 }, (_, i) => ({
      ...layer,
      name: `${i}`,
      packed: kernel,
      says: { offset: 0 },
    }));
    await refused(hostileZip(full), /files in it overlap/);
    const quoted = [
      { ...layer, says: { packedBytes: 200 } },
      { name: 'b', bytes: feature },
    ];
    await refused(hostileZip(quoted), /files in it overlap/);
  });

  test('keeps to its own list where what stands before a file says otherwise', async () => {
    const lies = [
      { name: '../b' },
      { unpackedBytes: 1, packedBytes: 3 },
      { method: 0 },
      { name: 'z'.repeat(60_000) },
    ];
    for (const localSays of lies)
      assert.equal((await taken(hostileZip([{ ...layer, localSays }]))).text, feature);
    const streamed = {
      ...layer,
      says: { flags: 8 },
      localSays: { crc: 0, packedBytes: 0, unpackedBytes: 0 },
    };
    assert.equal((await taken(hostileZip([{ ...streamed, behind: Buffer.alloc(16) }]))).text, feature);
  });

  test('without an end, with two, or with something behind it is refused', async () => {
    const zip = hostileZip([layer]);
    for (let cut = 1; cut < 20; cut += 1)
      await refused(zip.subarray(0, Math.floor((zip.length * cut) / 20)), damaged);
    await refused(Buffer.concat([zip, Buffer.alloc(100)]), damaged);
    const second = Buffer.concat([Buffer.from('PK\u0005\u0006'), Buffer.alloc(18)]);
    await refused(hostileZip([layer], { comment: second }), /contains no files/);
  });
});
