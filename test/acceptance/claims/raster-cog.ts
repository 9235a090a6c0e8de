import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import gdal from 'gdal-async';
import { checkedElsewhere, claim } from '../claim.ts';
import { floatTiff } from '../../support/generated-files.ts';
import { listenOn } from '../../support/ports.ts';
import { fetchRaw } from '../../support/raw-http.ts';
import { fetchBytes } from '../support/bytes.ts';
import { readCog, readTiff } from '../support/rasters.ts';
import { process } from '../support/datasets.ts';
import { bytesOf, repositoryFile, tiffFile } from '../support/files.ts';
import { readReport, warningsOf } from '../support/geojson.ts';
import { nowhereRaster } from '../support/shared.ts';

const fixture = async (name: string): Promise<File> => await repositoryFile(`test/fixtures/raster/${name}`);

claim(
  ['4.4 cog', 'D3R lossless', 'D3R keeps', 'D3R tiled', 'D3R overviews classes'],
  'a COG has pixels, bands, type, place, nodata and colours of its raster, in tiles of 512 and overviews without new classes',
  async (client) => {
    await Promise.all(
      ['RGBA.uint16.tif', 'nlcd_2011_palette.tif'].map(async (name) => {
        const file = await fixture(name);
        const source = await readTiff(await bytesOf(file));
        const { id } = await process(client, 'ready', file);
        const { bytes } = await fetchBytes(client, 200, `/datasets/${id}.cog`);
        assert.match(bytes.toString('latin1', 0, 300), /^(II|MM).*LAYOUT=IFDS_BEFORE_DATA/s);
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
        const { width, height, bands, cog: made } = Object(raster);
        assert.deepEqual([width, height, bands], [source.width, source.height, source.bands]);
        assert.equal(made.passed_through, false);
        if (!name.startsWith('nlcd')) return;
        assert.deepEqual(
          cog.overviews.map(([across]) => across),
          [536, 268],
        );
        const classes = new Set(cog.values);
        for (const image of cog.overviews.keys())
          assert.ok(new Set(await cog.overviewValues(image)).isSubsetOf(classes));
        assert.match(made.overview_resampling, /^(NEAREST|MODE)$/);
      }),
    );
  },
);

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
  ['D3R overviews continuous', 'D3R lossless', 'D3R tiled'],
  'the overviews of a continuous raster are means; one of at most 512 pixels a side has none',
  async (client) => {
    const file = new File([floatTiff(514)], 'floats.tif');
    const { id } = await process(client, 'ready', file);
    const cog = await readCog(client, id);
    assert.deepEqual(cog.values, (await readTiff(await bytesOf(file))).values);
    assert.deepEqual(cog.overviews[0], [257, 257]);
    const [whole, half] = [cog.values, await cog.overviewValues(0)];
    const at = (column: number, row: number): number => whole[row * 514 + column] ?? NaN;
    for (const [column, row] of [
      [0, 0],
      [17, 200],
      [256, 256],
    ] as const) {
      const [x, y] = [column * 2, row * 2];
      const mean = (at(x, y) + at(x + 1, y) + at(x, y + 1) + at(x + 1, y + 1)) / 4;
      assert.ok(Math.abs((half[row * 257 + column] ?? NaN) - mean) < 1e-3);
    }
    const { raster } = await readReport(client, id);
    assert.equal(Object(raster?.['cog']).overview_resampling, 'AVERAGE');
    const small = await process(client, 'ready', tiffFile({ width: 512, height: 10, corner: [60, 50] }));
    assert.equal((await readCog(client, small.id)).overviews.length, 0);
  },
);

claim(
  ['D3R passed through', '4.4 cog', 'D4 vsicurl', 'D4 Range'],
  'what is a COG already is served byte by byte, and GDAL opens it by its URL and reads no more than its header',
  async (client) => {
    const file = await fixture('cog_already.tif');
    const { id, size_bytes } = await process(client, 'ready', file);
    const { bytes } = await fetchBytes(client, 200, `/datasets/${id}.cog`);
    assert.ok(bytes.equals(await bytesOf(file)));
    const { raster } = await readReport(client, id);
    assert.equal(Object(raster?.['cog']).passed_through, true);
    await using counter = await openCounter(client.baseUrl);
    gdal.config.set('GDAL_DISABLE_READDIR_ON_OPEN', 'EMPTY_DIR');
    const opened = await gdal.openAsync(`/vsicurl/${counter.url}/datasets/${id}.cog`);
    assert.deepEqual({ ...opened.rasterSize }, { x: 2658, y: 2667 });
    assert.equal((await opened.bands.getAsync(1)).overviews.count(), 4);
    opened.close();
    assert.ok(counter.receivedBytes() < 64 * 1024, `${counter.receivedBytes()} of ${size_bytes}`);
  },
);

/** Passes requests on, and counts what comes back. */
async function openCounter(baseUrl: string) {
  let receivedBytes = 0;
  const server = createServer((incoming, outgoing) => {
    const { method = 'GET', headers, url = '' } = incoming;
    const sent = headers.range === undefined ? {} : { range: headers.range };
    fetchRaw(baseUrl + url, { method, headers: sent }).then(
      (answer) => {
        receivedBytes += answer.bytes.length;
        outgoing.writeHead(answer.status, Object.fromEntries(answer.headers)).end(answer.bytes);
      },
      () => outgoing.destroy(),
    );
  });
  const port = await listenOn(server);
  return {
    url: `http://127.0.0.1:${port}`,
    receivedBytes: () => receivedBytes,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

claim(
  ['D3R no georeference', 'D3 bbox own', 'D3 report raster', 'D7 raster.proj'],
  'a raster that lies nowhere becomes a COG too, with a warning and a bbox of its own',
  async (client) => {
    const { id, bbox } = await nowhereRaster(client);
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
  ['D3 bbox antimeridian', 'D3 bbox WGS 84', 'D3 bbox own', 'D7 world-wide boxes'],
  'the bbox of a raster is between −180 and 180, has a minX above its maxX across 180°, and reaches around a pole',
  async (client) => {
    await Promise.all(
      (
        [
          [{ width: 36, height: 18, pixelSize: 10, corner: [0, 90] }, [-180, -90, 180, 90]],
          [{ width: 20, height: 10, pixelSize: 1, corner: [170, 10] }, [170, 0, -170, 10]],
          [
            { width: 20, height: 20, pixelSize: 100_000, corner: [-1_000_000, 1_000_000], epsg: 3413 },
            [-180, 76.998816, 180, 90],
          ],
          [
            { width: 20, height: 10, corner: [1000, 5000], pixelSize: 5, epsg: null },
            [1000, 4950, 1100, 5000],
          ],
        ] as const
      ).map(async ([options, expected]) =>
        near((await process(client, 'ready', tiffFile(options))).bbox, expected, 1e-4),
      ),
    );
  },
);

claim(
  ['D3R unreadable', 'D3 parse_error', 'D3 cog order', '4.4 cog 409', 'D3 report failed'],
  'a raster that is cut, too large or damaged fails with a sentence, has a report and no COG',
  async (client) => {
    await Promise.all(
      ['byte_truncated.tif', 'huge4GB.tif', 'corrupted_deflate_singlestrip.tif'].map(async (name) => {
        const file = await repositoryFile(`test/fixtures/raster-damaged/${name}`);
        const { id, parse_error, bbox } = await process(client, 'failed', file);
        assert.match(parse_error ?? '', /^[A-Z].+\.$/);
        assert.doesNotMatch(parse_error ?? '', /TIFF\w+:|\/tmp|Error|vsi|libtiff/i);
        assert.equal(bbox, undefined);
        await client.refused(409, 'GET', `/datasets/${id}.cog`);
        assert.equal((await readReport(client, id)).engine, 'GDAL 3.6.2');
      }),
    );
  },
);

checkedElsewhere('test/geo/raster-proj.test.ts', {
  'has a shift of the datum that PROJ has no words for: ${title}': ['D7 raster.proj'],
});
checkedElsewhere('test/geo/raster-equality.test.ts', {
  'of the fixtures equals its COG in pixels, masks, place, colours and metadata': [
    'D3R lossless',
    'D3R keeps',
  ],
});
