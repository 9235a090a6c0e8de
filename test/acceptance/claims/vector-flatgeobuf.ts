import assert from 'node:assert/strict';
import gdal from 'gdal-async';
import { claim } from '../claim.ts';
import { fetchBytes } from '../support/bytes.ts';
import { process } from '../support/datasets.ts';
import { collection, geojsonFile, point } from '../support/files.ts';
import { warningsOf } from '../support/geojson.ts';
import { sharedRaster } from '../support/shared.ts';

claim(
  ['D3V FlatGeobuf', 'D3V FlatGeobuf types'],
  'the features of a vector are there one by one, and GDAL reads a box of them from the address',
  async (client) => {
    const features = Array.from({ length: 3000 }, (_, i) => ({
      properties: { i, name: `№ ${i}`, mix: i % 2 === 0 ? i : 'odd' },
      geometry: point(60 + (i % 60) / 4, 40 + Math.floor(i / 60) / 4),
    }));
    const { id } = await process(client, 'ready', geojsonFile(collection(features)));
    assert.deepEqual(await warningsOf(client, id), ['values_as_json']);
    const { bytes, headers } = await fetchBytes(client, 200, `/datasets/${id}.fgb`);
    assert.equal(headers['content-type'], 'application/flatgeobuf');
    assert.equal(bytes.toString('latin1', 0, 3), 'fgb');
    gdal.config.set('GDAL_DISABLE_READDIR_ON_OPEN', 'EMPTY_DIR');
    const opened = await gdal.openAsync(`/vsicurl/${client.baseUrl}/datasets/${id}.fgb`);
    const layer = opened.layers.get(0);
    assert.equal(layer.features.count(), 3000);
    layer.setSpatialFilter(64.9, 44.9, 65.6, 45.1);
    const found = layer.features.map((each) => each.fields.get('name'));
    assert.deepEqual(new Set(found), new Set(['№ 1220', '№ 1221', '№ 1222']));
    opened.close();
    await client.expect(422, 'GET', `/datasets/${(await sharedRaster(client)).id}.fgb`);
  },
);
