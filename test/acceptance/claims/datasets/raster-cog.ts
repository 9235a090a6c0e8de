import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import gdal from 'gdal-async';
import { listenOn } from '../../../support/ports.ts';
import { fetchRaw } from '../../../support/http/raw-http.ts';
import { checkedElsewhere, claim } from '../../claim.ts';
import { fetchBytes } from '../../support/bytes.ts';
import { process } from '../../support/datasets.ts';
import { bytesOf, repositoryFile } from '../../support/files.ts';
import { readReport } from '../../support/geojson.ts';

claim(
  ['D3R passed through', '4.4 cog', 'D4 vsicurl', 'D4 Range'],
  'what is a COG already is served byte by byte, and GDAL opens it by its URL and reads no more than its header',
  async (client) => {
    const file = await repositoryFile('test/fixtures/raster/cog_already.tif');
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

/** Opens a proxy that counts the bytes of the answers. */
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

checkedElsewhere('src/geo/child/raster/raster.test.ts', {
  'of floats equals its COG pixel for pixel and gets averaged overviews': [
    'D3R lossless',
    'D3R tiled',
    'D3R overviews continuous',
  ],
  'of few whole numbers without a palette is taken for classes': ['D3R overviews classes'],
  'has a box in longitude and latitude, or its own coordinates without a CRS': [
    'D3 bbox WGS 84',
    'D3 bbox antimeridian',
    'D3 bbox own',
  ],
});
checkedElsewhere('src/geo/child/raster/raster-boxes.test.ts', {
  'a global grid ${name}': ['D7 world-wide boxes'],
  '${raster.name}, which GDAL cannot write into a GeoTIFF': ['D7 world-wide boxes'],
});
checkedElsewhere('src/geo/child/raster/image/bbox.test.ts', {
  'holds the pole that its outline runs around': ['D7 world-wide boxes'],
  'has west greater than east across the antimeridian': ['D3 bbox antimeridian'],
});
checkedElsewhere('src/geo/child/raster/raster-equality.test.ts', {
  'of the fixtures equals its COG in pixels, masks, place, colours and metadata': [
    'D3R lossless',
    'D3R keeps',
    'D3R passed through',
  ],
  'says what it is, what was chosen and how long it took': ['D3 report raster', 'D3R overviews classes'],
  'without a full place on the earth warns, and so does one of several images': ['D3R no georeference'],
});
checkedElsewhere('src/geo/child/raster/raster-proj.test.ts', {
  'has a shift of the datum that PROJ has no words for: ${title}': ['D7 raster.proj'],
  'has the shift of the datum ${title}': ['D7 raster.proj'],
  'is null where a raster does not lie on the earth, and whatever its numbers are': ['D7 raster.proj'],
});
checkedElsewhere('src/geo/child/raster/raster-warnings.test.ts', {
  'that is unknown warns of it': ['D9 datum'],
  'The report of a raster repeats a warning of GDAL that is unknown here': ['D9 other warnings'],
});
checkedElsewhere('src/geo/child/raster/image/suspected-nodata.test.ts', {
  'half of a raster of ${type} at ${value}': ['D9 nodata suspected'],
  'no warning: less than half, a nodata value, 0 of bytes, or the least value of a type without sign': [
    'D9 nodata suspected',
  ],
});
checkedElsewhere('src/maps/thread/raster/rasters-alike.test.ts', {
  'floats are compared as floats': ['D9 quantities'],
  'a nodata value hides what it hides from GDAL': ['D9 nodata'],
  'int16 with a scale: the ramp and the pointer are in units': ['D9 scale', 'D9 scale report'],
});
checkedElsewhere('common/maps/raster/no-data.test.ts', {
  'floats are hidden as GDAL hides them: near the value, and at the end of the type all that are large': [
    'D9 nodata',
  ],
});
checkedElsewhere('common/maps/raster/raw-colours.test.ts', {
  'a quantity is rounded to floats of 32 bits, and stays as it is between whole samples': ['D9 quantities'],
  'quantities are in units: 3000 times 0.0001 is 0.3': ['D9 scale'],
});
