import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { readFieldNames } from '../../src/geo/formats/shapefile/dbf.ts';
import { openCanary } from '../support/hostile/canary.ts';
import { openVectorEngineHere } from '../support/geo/engine-here.ts';
import { changed, createAsking, packed, type Parts } from '../support/hostile/hostile-vectors.ts';
import { hostileZip } from '../support/hostile/hostile-zip.ts';
import { closeAfterTests } from '../support/for-tests.ts';

const canary = await closeAfterTests(openCanary());
const asking = createAsking(await closeAfterTests(openVectorEngineHere()));
const parts = await asking.partsOf('poly_nested_folders');

describe('A hostile shapefile', { concurrency: 2 }, () => {
  after(() => assert.equal(canary.connections(), 0));

  const put = async (others: Readonly<Record<string, Uint8Array | string>>, of: Parts = parts) =>
    await asking.put(packed(of, others));
  const without = (part: string): Parts => new Map([...parts].filter(([name]) => name !== part));
  const assertSound = async (path: string) => {
    const { columns, rowCount, findings } = await asking.table(path);
    assert.deepEqual([columns, rowCount], [['AREA', 'EAS_ID', 'PRFEDEA'], 10]);
    return findings.warnings.map(({ code, message }) => `${code}: ${message}`);
  };

  test('that is or brings a description of other files tells nothing of them', async () => {
    for (const source of [
      canary.csvPath,
      `/vsicurl/${canary.url}/x.csv`,
      `/vsizip/${canary.csvPath}`,
      '/vsis3/b/x.csv',
    ]) {
      const vrt = `<OGRVRTDataSource><OGRVRTLayer name="a"><SrcDataSource>${source}</SrcDataSource><SrcLayer>canary</SrcLayer></OGRVRTLayer></OGRVRTDataSource>`;
      await asking.refused(await put({ '.shp': vrt }), /its \.shp file cannot be read/);
      await asking.refused(await asking.put(hostileZip([{ name: 'a.vrt', bytes: vrt }])), /only a\.vrt/);
      const beside = await put({ '.vrt': vrt, '.shp.aux.xml': vrt, '.csv': 'a' });
      assert.deepEqual(await assertSound(beside), [
        'files_left_out: Files of the archive that were not read: layer.vrt, layer.shp.aux.xml, layer.csv.',
      ]);
    }
  });

  test('with a .prj that points to addresses, files or devices reaches none of them', async () => {
    const grids = (places: string) =>
      `PROJCS["x",GEOGCS["g",DATUM["d",SPHEROID["s",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]],PROJECTION["Mercator_1SP"],UNIT["metre",1],EXTENSION["PROJ4","+proj=merc +a=6378137 +b=6378137 +nadgrids=${places} +units=m"]]`;
    const urls = [
      `${canary.url}/x.prj`,
      `EPSG:${canary.url}`,
      `+proj=longlat +nadgrids=@${canary.url}/g`,
      canary.csvPath,
    ];
    for (const prj of urls)
      await asking.refused(await put({ '.prj': prj }), /its \.prj file names no known coordinate/);
    for (const place of [`${canary.url}/g.tif`, canary.csvPath, '/dev/random'])
      await asking.refused(await put({ '.prj': grids(place) }), /coordinates of feature 1 do not fit/);
    const { text } = await asking.vector(await put({ '.prj': grids(`@${canary.url}/g.tif,@null`) }));
    assert.ok(!text.includes(canary.text));
    await asking.refused(
      await put({ '.prj': ' '.repeat(2 ** 21) }),
      /\.prj file in the archive is larger than 1 MiB/,
    );
  });

  test('with junk for hints of charset, names and indexes is read without them', async () => {
    const hints = ['A'.repeat(2 ** 21), '../../../etc/passwd', '\0\0', canary.url, '%s%n'];
    for (const hint of hints) await assertSound(await put({ '.cpg': hint, '.cst': hint }));
    const garbage = Buffer.alloc(1000, 7);
    const indexes = { '.qix': garbage, '.sbn': garbage, '.sbx': garbage };
    assert.deepEqual(await assertSound(await put({ ...indexes, '.shp.xml': '<'.repeat(2 ** 22) })), []);
  });

  test('whose table lies is damaged, not empty', async () => {
    const dbf = (change: (copy: Buffer) => void) => put({ '.dbf': changed(parts.get('.dbf'), change) });
    const lies = [
      (copy: Buffer) => copy.writeUInt16LE(0, 10), // bytes of a record
      (copy: Buffer) => copy.writeUInt16LE(1, 10),
      (copy: Buffer) => copy.writeUInt16LE(0, 8), // bytes of the header
      (copy: Buffer) => copy.writeUInt16LE(33, 8),
      (copy: Buffer) => copy.writeUInt16LE(65_535, 8),
      (copy: Buffer) => copy.writeUInt8(255, 32 + 16), // width of the first field
    ];
    for (const lie of lies) await asking.refused(await dbf(lie), /its \.dbf file cannot be read/);
    for (const bytes of ['', 'text', Buffer.alloc(5000)])
      await asking.refused(await put({ '.dbf': bytes }), /its \.dbf file cannot be read/);
    await asking.refused(
      await dbf((copy) => copy.writeUInt32LE(3, 4)),
      /its \.dbf file has 3 rows, its \.shp file 10 shapes/,
    );
    await assertSound(await dbf((copy) => copy.writeUInt32LE(0x7fffffff, 4)));
    await assertSound(await dbf((copy) => copy.writeUInt8(0, 32 + 11))); // type of the first field
    for (const type of 'MB') {
      const path = await dbf((copy) => copy.write(type, 32 + 11, 'latin1'));
      const { columns, findings } = await asking.table(path);
      assert.deepEqual(columns, ['EAS_ID', 'PRFEDEA']);
      const { code, message } = findings.warnings[0] ?? assert.fail('a column goes without a word');
      assert.equal(code, 'columns_left_out');
      assert.match(message, /: AREA\./);
    }
  });

  test('whose .shx lies is read from record to record', async () => {
    const shx = (change: (copy: Buffer) => void) => put({ '.shx': changed(parts.get('.shx'), change) });
    const lies = [
      (copy: Buffer) => copy.writeInt32BE(0x7ffffff0, 24), // length of the file
      (copy: Buffer) => copy.writeInt32BE(0x7ffffff0, 100), // place of the first record
      (copy: Buffer) => copy.writeInt32BE(-5, 100),
      (copy: Buffer) => copy.writeInt32BE(0, 100),
      (copy: Buffer) => copy.writeInt32BE(0x3fffffff, 104), // its length
      (copy: Buffer) => copy.writeInt32BE(0, 104),
    ];
    for (const lie of lies) assert.deepEqual(await assertSound(await shx(lie)), []);
    // Ten thousand shapes out of one record.
    const header = changed(parts.get('.shx')?.subarray(0, 108), (copy) => copy.writeInt32BE(50 + 40_000, 24));
    const repeated = Buffer.concat([
      header.subarray(0, 100),
      ...Array.from({ length: 10_000 }, () => header.subarray(100)),
    ]);
    await assertSound(await put({ '.shx': repeated }));
  });

  test('whose records never end, or hold more than there is, is damaged', async () => {
    const shp = (change: (copy: Buffer) => void) => changed(parts.get('.shp'), change);
    for (const words of [0, 1, -4, -1, 0x7fffffff]) {
      const path = await put({ '.shp': shp((copy) => copy.writeInt32BE(words, 104)) }, without('.shx'));
      await asking.refused(path, /its \.shp file cannot be read/);
    }
    for (const [at, count] of [
      [36, 0x7fffffff],
      [36, -1],
      [40, 0x7fffffff],
      [40, 49_000_000],
      [44, 0x7fffffff],
    ] as const) {
      const path = await put({ '.shp': shp((copy) => copy.writeInt32LE(count, 108 + at)) });
      await asking.refused(path, /feature 1 cannot be read/);
    }
  });

  test('cut short at any place inside its archive is damaged', async () => {
    const shp = parts.get('.shp') ?? Buffer.alloc(0);
    for (let cut = 1; cut < 20; cut += 6) {
      const bytes = shp.subarray(0, Math.floor((shp.length * cut) / 20));
      await asking.refused(await put({ '.shp': bytes }), /damaged/);
    }
  });

  test('has no names in metadata that are no XML, have a DOCTYPE, or are books', () => {
    const laughs =
      '<!DOCTYPE x [<!ENTITY a "AREA_IN_SQUARE"><!ENTITY b "&a;&a;">]><m><attrlabl>&b;</attrlabl></m>';
    const external = `<!DOCTYPE x SYSTEM "file:///etc/passwd"><m><attrlabl>AREA</attrlabl></m>`;
    for (const xml of [laughs, external, '<a>'.repeat(200_000), '<'.repeat(200_000), '<m>&&&</m>'])
      assert.deepEqual(readFieldNames(xml), []);
    assert.deepEqual(readFieldNames(`<m><attrlabl>${'A'.repeat(256)}</attrlabl><attrlabl>B</attrlabl></m>`), [
      'B',
    ]);
  });
});
