import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { temporaryFolder } from '../../../../test/support/for-tests.ts';
import { hostileZip, type ZipEntry } from '../../../../test/support/hostile-zip.ts';
import { Problem } from '../../../common/errors.ts';
import { openArchive } from './archive.ts';

const folder = await temporaryFolder();

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

  test('gives its files but no folders, names in UTF-8 or as DOS writes Russian', async () => {
    const dosName = Uint8Array.from([0x90, 0xa5, 0xaa, 0xa8, 0x2e, 0x73, 0x68, 0x70]);
    const files = [
      a,
      { name: 'x/', bytes: '' },
      { name: 'Өзен.dbf', bytes: 'б' },
      { name: dosName, bytes: '' },
    ];
    assert.deepEqual(await unpackAll(hostileZip(files)), [
      ['a.shp', 'geometry'],
      ['Өзен.dbf', 'б'],
      ['Реки.shp', ''],
    ]);
  });

  test('is refused when it is cut short or its bytes have changed', async () => {
    const zip = hostileZip([a]);
    await refused(zip.subarray(0, zip.length - 30), /damaged or cut short/);
    await refused(Buffer.from('PK\u0003\u0004 and nothing else'), /damaged or cut short/);
    const changed = hostileZip([a]);
    changed.writeUInt32LE(0x1234, changed.lastIndexOf('PK\u0001\u0002') + 16);
    await refused(changed, /damaged or cut short/);
  });
});
