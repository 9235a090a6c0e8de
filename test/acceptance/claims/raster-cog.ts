import assert from 'node:assert/strict';
import { checkedElsewhere, claim } from '../claim.ts';
import { floatTiff } from '../../support/generated-files.ts';
import { fetchBytes } from '../support/bytes.ts';
import { readCog, readTiff } from '../support/rasters.ts';
import { process } from '../support/datasets.ts';
import { bytesOf, repositoryFile, tiffFile } from '../support/files.ts';
import { readReport, warningsOf } from '../support/geojson.ts';
import { sharedRaster } from '../support/shared.ts';

const fixture = async (name: string): Promise<File> => await repositoryFile(`test/fixtures/raster/${name}`);

claim(
  ['4.4 cog', 'D3R tiled'],
  'a COG is an image/tiff that says that it is laid out as one',
  async (client) => {
    const answer = await fetchBytes(client, 200, `/datasets/${(await sharedRaster(client)).id}.cog`);
    assert.equal(answer.headers['content-type'], 'image/tiff');
    assert.match(answer.bytes.toString('latin1', 0, 300), /^(II|MM).*LAYOUT=IFDS_BEFORE_DATA/s);
  },
);

for (const path of [
  'test/fixtures/raster/RGBA.uint16.tif',
  'test/fixtures/raster/gdal_float64.tif',
  'test/fixtures/raster/float_nan.tif',
  'test/fixtures/raster/palette_average.tif',
  'test/fixtures/raster/nlcd_2011_palette.tif',
  'test/fixtures/raster/srtm_zion.tif',
]) {
  claim(
    ['D3R lossless', 'D3R keeps', 'D3R tiled'],
    `the COG of ${path} has its pixels, bands, type, place, nodata and colours, in tiles of 512`,
    async (client) => {
      const file = await repositoryFile(path);
      const source = await readTiff(await bytesOf(file));
      const { id } = await process(client, 'ready', file);
      const cog = await readCog(client, id);
      assert.deepEqual(cog.values, source.values);
      const kept = ({ width, height, bands, type, noData, origin, resolution, colours }: typeof cog) => ({
        size: [width, height, bands],
        cells: [type, noData],
        colours,
        place: [...origin, ...resolution].map((each) => Number(each.toPrecision(12))),
      });
      assert.deepEqual(kept(cog), kept(source));
      assert.deepEqual(cog.tile, [512, 512]);
      const { raster } = await readReport(client, id);
      assert.deepEqual(
        [raster?.['width'], raster?.['height'], raster?.['bands']],
        [source.width, source.height, source.bands],
      );
      assert.equal(Object(raster?.['cog']).passed_through, false);
    },
  );
}

claim(
  ['D3R keeps'],
  'CRS, nodata, scale, offset, unit and metadata of a raster are those of its COG',
  async (client) => {
    const metadata = [
      '<GDALMetadata><Item name="TITLE">Снег</Item><Item name="SEASON">зима</Item>',
      '<Item name="OFFSET" sample="0" role="offset">-10.5</Item>',
      '<Item name="SCALE" sample="0" role="scale">0.25</Item>',
      '<Item name="SENSOR" sample="0">x1</Item></GDALMetadata>',
    ].join('');
    const { id } = await process(
      client,
      'ready',
      tiffFile({
        width: 30,
        height: 20,
        corner: [500_000, 5_600_000],
        pixelSize: 30,
        epsg: 32_642,
        noData: 250,
        metadata,
      }),
    );
    const cog = await readCog(client, id);
    assert.equal(cog.noData, 250);
    assert.equal(cog.epsg, 32_642);
    const { OFFSET, SCALE, TITLE, SEASON, SENSOR } = cog.metadata;
    assert.deepEqual(
      [Number(OFFSET), Number(SCALE), TITLE, SEASON, SENSOR],
      [-10.5, 0.25, 'Снег', 'зима', 'x1'],
    );
  },
);

claim(
  ['D3R tiled', 'D3R overviews classes'],
  'the overviews of classes hold no class that the raster has not',
  async (client) => {
    const { id } = await process(client, 'ready', await fixture('nlcd_2011_palette.tif'));
    const cog = await readCog(client, id);
    assert.deepEqual(
      cog.overviews.map(([width]) => width),
      [536, 268],
    );
    const classes = new Set(cog.values);
    for (const image of cog.overviews.keys()) {
      assert.ok(new Set(await cog.overviewValues(image)).isSubsetOf(classes));
    }
    const { raster } = await readReport(client, id);
    assert.match(String(Object(raster?.['cog']).overview_resampling), /^(NEAREST|MODE)$/);
  },
);

claim(
  ['D3R overviews continuous', 'D3R lossless'],
  'the overviews of a continuous raster are means',
  async (client) => {
    const file = new File([floatTiff(700)], 'floats.tif');
    const { id } = await process(client, 'ready', file);
    const cog = await readCog(client, id);
    assert.deepEqual(cog.values, (await readTiff(await bytesOf(file))).values);
    assert.deepEqual(cog.overviews[0], [350, 350]);
    const [whole, half] = [cog.values, await cog.overviewValues(0)];
    const at = (column: number, row: number): number => whole[row * 700 + column] ?? NaN;
    for (const [column, row] of [
      [0, 0],
      [17, 200],
      [349, 349],
    ] as const) {
      const [x, y] = [column * 2, row * 2];
      const mean = (at(x, y) + at(x + 1, y) + at(x, y + 1) + at(x + 1, y + 1)) / 4;
      assert.ok(Math.abs((half[row * 350 + column] ?? NaN) - mean) < 1e-3);
    }
    const { raster } = await readReport(client, id);
    assert.equal(Object(raster?.['cog']).overview_resampling, 'AVERAGE');
  },
);

claim(
  ['D3R tiled'],
  'a raster of at most 512 pixels a side has no overviews, one above has',
  async (client) => {
    const [small, large] = await Promise.all(
      [512, 513].map(async (width) => {
        const { id } = await process(client, 'ready', tiffFile({ width, height: 10, corner: [60, 50] }));
        return (await readCog(client, id)).overviews.length;
      }),
    );
    assert.equal(small, 0);
    assert.ok((large ?? 0) >= 1);
  },
);

for (const name of ['cog_already.tif', 'dsm_2m.tif', 'big_endian_rgbi16.tif', 'cog_scale.tif']) {
  claim(
    ['D3R passed through', '4.4 cog'],
    `${name} is a COG already and is served byte by byte`,
    async (client) => {
      const file = await fixture(name);
      const { id } = await process(client, 'ready', file);
      const { bytes } = await fetchBytes(client, 200, `/datasets/${id}.cog`);
      assert.ok(bytes.equals(await bytesOf(file)));
      const { raster } = await readReport(client, id);
      assert.equal(Object(raster?.['cog']).passed_through, true);
    },
  );
}

claim(
  ['D3R no georeference', 'D3 bbox own', 'D3 report raster', 'D7 raster.proj'],
  'a raster that lies nowhere becomes a COG too, with a warning and a bbox of its own',
  async (client) => {
    const { id, bbox } = await process(client, 'ready', tiffFile({ width: 30, height: 20 }));
    assert.deepEqual(await warningsOf(client, id), ['no_georeference']);
    assert.deepEqual(
      bbox?.map(Math.abs).toSorted((one, other) => one - other),
      [0, 0, 20, 30],
    );
    const { raster } = await readReport(client, id);
    assert.deepEqual([raster?.['crs'], raster?.['proj']], [null, null]);
    assert.equal((await readCog(client, id)).width, 30);
  },
);

const near = (found: readonly number[] | undefined, expected: readonly number[], tolerance: number): void => {
  assert.equal(found?.length, 4);
  for (const [index, value] of expected.entries()) {
    assert.ok(
      Math.abs((found?.[index] ?? NaN) - value) < tolerance,
      `${found?.join()} is not ${expected.join()}`,
    );
  }
};

claim(['D3 bbox own'], 'the bbox of a raster without CRS is in its own coordinates', async (client) => {
  const file = tiffFile({ width: 20, height: 10, corner: [1000, 5000], pixelSize: 5, epsg: null });
  const { bbox } = await process(client, 'ready', file);
  assert.deepEqual(bbox, [1000, 4950, 1100, 5000]);
});

claim(
  ['D3 bbox WGS 84', '2.3 Dataset.bbox', 'D3 report raster', '8 bbox', '1.2 raster'],
  'the bbox of a projected raster is longitude and latitude; the middle of a curved edge counts',
  async (client) => {
    const corner = [400_000, 6_000_000] as const;
    const file = tiffFile({ width: 200, height: 200, corner, pixelSize: 1000, epsg: 32_642 });
    const { id, bbox } = await process(client, 'ready', file);
    // by PROJ: the upper edge reaches 54.1481041 at its middle, 54.1383734 at its corners
    near(bbox, [67.4692987, 52.3411753, 70.5307013, 54.1481041], 1e-4);
    const { raster } = await readReport(client, id);
    assert.equal(raster?.['crs'], 'EPSG:32642');
    assert.deepEqual(raster?.['extent'], [400_000, 5_800_000, 600_000, 6_000_000]);
    assert.deepEqual(Object(raster?.['resolution']).map(Math.abs), [1000, 1000]);
  },
);

claim(
  ['D7 raster.proj'],
  'the report has the CRS of a raster as a PROJ string, with the shift of Pulkovo 1942',
  async (client) => {
    const corner = [12_400_000, 5_700_000] as const;
    const file = tiffFile({ width: 20, height: 20, corner, pixelSize: 1000, epsg: 28_412 });
    const { id } = await process(client, 'ready', file);
    const { raster } = await readReport(client, id);
    assert.equal(
      raster?.['proj'],
      '+proj=tmerc +lat_0=0 +lon_0=69 +k=1 +x_0=12500000 +y_0=0 +ellps=krass ' +
        '+towgs84=25,-141,-78.5,0,0.35,0.736,0 +units=m +no_defs',
    );
  },
);

claim(
  ['D3 bbox antimeridian'],
  'a raster across the antimeridian has a minX above its maxX',
  async (client) => {
    const { bbox } = await process(client, 'ready', await fixture('cog_dateline.tif'));
    const [west = NaN, south = NaN, east = NaN, north = NaN] = bbox ?? [];
    assert.ok(west > east && west > 90 && east < -90, bbox?.join());
    assert.ok(south < north);
  },
);

for (const [what, options, expected] of [
  ['the whole earth', { width: 36, height: 18, pixelSize: 10, corner: [-180, 90] }, [-180, -90, 180, 90]],
  [
    'the earth from 0 to 360',
    { width: 36, height: 18, pixelSize: 10, corner: [0, 90] },
    [-180, -90, 180, 90],
  ],
  ['170 to 190 degrees', { width: 20, height: 10, pixelSize: 1, corner: [170, 10] }, [170, 0, -170, 10]],
  ['190 to 200 degrees', { width: 10, height: 10, pixelSize: 1, corner: [190, 10] }, [-170, 0, -160, 10]],
  [
    'the north pole in its middle',
    { width: 20, height: 20, pixelSize: 100_000, corner: [-1_000_000, 1_000_000], epsg: 3413 },
    [-180, 76.998816, 180, 90],
  ],
] as const) {
  claim(
    ['D3 bbox antimeridian', 'D3 bbox WGS 84', 'D7 world-wide boxes'],
    `the bbox of a raster of ${what} is ${expected.join()}`,
    async (client) => near((await process(client, 'ready', tiffFile(options))).bbox, expected, 1e-4),
  );
}

for (const name of [
  'byte_truncated.tif',
  'huge4GB.tif',
  'unknown_compression.tif',
  'corrupted_deflate_singlestrip.tif',
  'tiled_bad_offset.tif',
]) {
  claim(
    ['D3R unreadable', 'D3 parse_error', 'D3 cog order', '4.4 cog 409', 'D3 report failed'],
    `${name} fails with a sentence, has a report and no COG`,
    async (client) => {
      const file = await repositoryFile(`test/fixtures/raster-damaged/${name}`);
      const { id, parse_error, bbox } = await process(client, 'failed', file);
      assert.match(parse_error ?? '', /^[A-Z].+\.$/);
      assert.doesNotMatch(parse_error ?? '', /TIFF\w+:|\/tmp|Error|vsi|libtiff/i);
      assert.equal(bbox, undefined);
      await client.refused(409, 'GET', `/datasets/${id}.cog`);
      assert.equal((await readReport(client, id)).engine, 'GDAL 3.6.2');
    },
  );
}

checkedElsewhere('test/geo/raster-proj.test.ts', {
  'has a shift of the datum that PROJ has no words for: ${title}': ['D7 raster.proj'],
});
checkedElsewhere('test/geo/raster-equality.test.ts', {
  'of the fixtures equals its COG in pixels, masks, place, colours and metadata': [
    'D3R lossless',
    'D3R keeps',
  ],
});
