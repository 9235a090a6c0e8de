import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { crc32 } from 'node:zlib';
import { temporaryFolder } from '../../../../test/support/for-tests.ts';
import { hostileZip, type ZipEntry } from '../../../../test/support/hostile/hostile-zip.ts';
import { Problem } from '../../../lib/errors.ts';
import { openArchive } from './archive.ts';

const folder = await temporaryFolder();

/** Field with a name in Unicode, beside that in an older charset. */
function unicodeName(name: string, crc: number): Buffer {
  const head = Buffer.from('up\0\0\u0001\0\0\0\0');
  head.writeUInt16LE(5 + Buffer.byteLength(name), 2);
  head.writeUInt32LE(crc, 5);
  return Buffer.concat([head, Buffer.from(name)]);
}

describe('An archive', () => {
  async function unpackAll(zip: Uint8Array): Promise<readonly (readonly [string, string])[]> {
    const path = join(folder, 'x.zip');
    await writeFile(path, zip);
    using archive = await openArchive(path);
    const unpacked: (readonly [string, string])[] = [];
    for (const { name, unpackTo } of archive.members) {
      await unpackTo(join(folder, 'unpacked'));
      unpacked.push([name, await readFile(join(folder, 'unpacked'), 'utf8')]);
    }
    return unpacked;
  }
  const refused = (zip: Uint8Array | readonly ZipEntry[], sentence: RegExp) =>
    assert.rejects(
      unpackAll(zip instanceof Uint8Array ? zip : hostileZip(zip)),
      (error) => error instanceof Problem && error.code === 'invalid' && sentence.test(error.message),
    );
  const a = { name: 'a.shp', bytes: 'geometry' };

  test('gives its files but no folders, names in UTF-8 or by their letters', async () => {
    const dosName = Uint8Array.from([0x90, 0xa5, 0xaa, 0xa8, 0x2e, 0x73, 0x68, 0x70]);
    const windowsName = Uint8Array.from([0xd0, 0xe0, 0xe9, 0xee, 0xed, 0xfb, 0x2e, 0x73, 0x68, 0x70]);
    const kazakhName = Uint8Array.from([0x9d, 0xe0, 0xeb, 0xe0, 0x2e, 0x70, 0x72, 0x6a]);
    const files = [
      a,
      { name: 'x/', bytes: '' },
      { name: 'Өзен.dbf', bytes: 'б' },
      { name: dosName, bytes: '' },
      { name: windowsName, bytes: '' },
      { name: kazakhName, bytes: '' },
      { name: dosName, bytes: '', says: { extra: unicodeName('Өзендер.shp', crc32(dosName)) } },
      { name: dosName, bytes: '', says: { extra: unicodeName('Өзендер.shp', 1) } },
    ];
    assert.deepEqual(await unpackAll(hostileZip(files)), [
      ['a.shp', 'geometry'],
      ['Өзен.dbf', 'б'],
      ['Реки.shp', ''],
      ['Районы.shp', ''],
      ['қала.prj', ''],
      ['Өзендер.shp', ''],
      ['Реки.shp', ''],
    ]);
  });

  test('is refused when its bytes have changed', async () => {
    await refused(Buffer.from('PK\u0003\u0004 and nothing else'), /damaged or cut short/);
    const changed = hostileZip([a]);
    changed.writeUInt32LE(0x1234, changed.lastIndexOf('PK\u0001\u0002') + 16);
    await refused(changed, /damaged or cut short/);
  });
});
