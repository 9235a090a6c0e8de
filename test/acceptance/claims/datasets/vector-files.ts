import assert from 'node:assert/strict';
import gdal from 'gdal-async';
import { checkedElsewhere, claim } from '../../claim.ts';
import { fetchBytes } from '../../support/bytes.ts';
import { process } from '../../support/datasets.ts';
import { collection, geojsonFile, point, repositoryFile } from '../../support/files.ts';
import { readReport, readVector, warningsOf } from '../../support/geojson.ts';
import { sharedRaster } from '../../support/shared.ts';

claim(
  ['D3V first layer', 'D3 report source', 'D3V attributes other'],
  'of a GeoPackage the first layer with features counts, and the report names those left out',
  async (client) => {
    const { dataset, collection: found } = await readVector(
      client,
      await repositoryFile('test/fixtures/vector/multi_layer.gpkg'),
    );
    const rows = [
      { name: 'Building A', floors: 5 },
      { name: 'Building B', floors: 12 },
    ];
    assert.deepEqual(found.features[0]?.properties, { rows });
    const { source, warnings } = await readReport(client, dataset.id);
    assert.equal(source?.['driver'], 'GPKG');
    assert.equal(source?.['layer'], 'buildings');
    assert.deepEqual(source?.['layers'], [
      { name: 'buildings', features: 2, geometry_types: ['Point'] },
      { name: 'addresses', features: 3, geometry_types: ['Point'] },
    ]);
    assert.deepEqual(
      warnings.map(({ code }) => code),
      ['layers_left_out'],
    );
    assert.match(warnings[0]?.message ?? '', /addresses/);
  },
);

claim(
  ['D3V text', 'D3V attributes other'],
  'twenty districts of a shapefile in windows-1251 keep their names',
  async (client) => {
    const { collection: found } = await readVector(
      client,
      await repositoryFile('examples/akmola-rayony.zip'),
    );
    const rows = found.features[0]?.properties.rows ?? [];
    assert.equal(rows.length, 20);
    assert.ok(JSON.stringify(rows).includes('Аккольский'));
  },
);

claim(['D3V output'], 'a GeoJSON may begin with a byte-order mark and be a bare geometry', async (client) => {
  const { collection: found } = await readVector(
    client,
    geojsonFile('\ufeff{"type":"Point","coordinates":[1,2]}'),
  );
  assert.deepEqual(found.features, [{ type: 'Feature', geometry: point(1, 2), properties: {} }]);
});

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

checkedElsewhere('src/geo/child/vector/vector.test.ts', {
  'in every other valid form is understood': ['D3V output'],
  'with a crs member that is not understood is taken as it is when its coordinates fit': [
    'D3V crs member GDAL',
  ],
  'that has lines or polygons without extent tells of them; when nothing else is left it is refused': [
    'D7 vanished geometry',
  ],
});
checkedElsewhere('src/geo/child/earth.test.ts', { '${each.name}, as .${format}': ['D7 pole'] });
checkedElsewhere('src/geo/formats/geopackage/geopackage.test.ts', {
  'of attributes alone is a table; as a vector it is an empty collection': [
    'D3V attributes other',
    'D3V no features',
  ],
  'is moved to WGS 84; geometry that is missing does not hinder it': ['D3V output'],
});
checkedElsewhere('src/geo/formats/geopackage/geopackage-cells.test.ts', {
  'of any declared type are cells, also those that are computed': ['D9 cells gpkg', 'D9 columns'],
  'of any table come back value for value': ['D9 cells gpkg', 'D9 cells whole', 'D3V attributes other'],
});
checkedElsewhere('src/geo/formats/geopackage/geopackage-logs.test.ts', {
  'is read with it from an archive, whatever its pages, with no word on the files beside it': ['D9 log'],
  'is read with all of it in the log; alone it is refused with what to do': ['D9 log', 'D9 log alone'],
});
checkedElsewhere('src/geo/formats/shapefile/dbf-cells.test.ts', {
  'that marks what is missing is null in every row, and an impossible date stays a text': [
    'D9 missing',
    'D9 dates',
    'D9 cells properties',
  ],
  'that a .cpg file lies about is read by its letters, and a warning names both encodings': [
    'D9 encodings',
    'D9 encodings UTF-8',
    'D3V text',
  ],
  'of a type that only another program understands is left out with its column, which is named': [
    'D9 binary dbf',
  ],
});
checkedElsewhere('src/geo/formats/shapefile/dbf-tables.test.ts', {
  'do so as uploads, with their shapes and their warnings, for a map and for a table': [
    'D9 cells dbf',
    'D9 cells properties',
    'D9 cells whole',
    'D9 binary dbf',
  ],
});
checkedElsewhere('src/geo/formats/shapefile/shapefile.test.ts', {
  'has the letters that its language byte says, without a .cpg as with one': [
    'D3V text',
    'D3V text reported',
  ],
  'is read at any depth, in any case, without .shx, .dbf or either': ['D3V zip shapefile'],
  'without .prj, or with one that says nothing, is taken as longitude and latitude when that fits': [
    'D3V no CRS fits',
    'D3V no CRS else',
  ],
  'is moved to WGS 84 from any reference system': ['D9 longitudes', 'D9 datum'],
});
checkedElsewhere('src/geo/formats/shapefile/charset/choose.test.ts', {
  'a charset that is declared rightly is believed, whatever the language and however few the texts': [
    'D9 encodings kept',
  ],
  'UTF-8 wins over any charset of single bytes, even when there is one letter alone': ['D9 encodings UTF-8'],
});
checkedElsewhere('src/geo/formats/zip/members.test.ts', {
  'what systems leave behind, indexes and members of other kinds do not count': ['D3V zip shapefile'],
  'a single GeoJSON or GeoPackage will do': ['D3V zip other'],
  'none is refused with what is there and what to do': ['D3V zip other'],
  'several layers are refused by name': ['D3V zip several'],
});
checkedElsewhere('src/geo/child/vector/places.test.ts', {
  'in GeoJSON without a system, which may reach around the earth': ['D9 longitudes'],
  'in a GeoPackage': ['D9 longitudes'],
  'are kept with a warning': ['D9 axes'],
  'need none when one lies there as it is, or elsewhere': ['D9 axes'],
  'whose datum is unknown is read as if on WGS 84, with a warning': ['D9 datum'],
  'whose datum is known by its name alone is read with its shift': ['D9 datum'],
  'when it is read': ['D9 other warnings'],
});
checkedElsewhere('src/geo/child/vector/solids.test.ts', {
  'of a GeoPackage is read as its footprint, also inside of a collection': ['D9 solids'],
  'of a shapefile of MultiPatches is read as its footprint': ['D9 solids'],
});
checkedElsewhere('src/geo/formats/geojson/feature-ids.test.ts', {
  'ids are the first column, digit by digit, and stay missing where a feature has none': ['D9 ids'],
  'beside a property of that name ids are left out with a warning, in whichever feature it is': [
    'D9 ids left out',
  ],
});
checkedElsewhere('src/table/kato-code.test.ts', {
  '${JSON.stringify(text)} is the code 110000000': ['D9 codes'],
  '${text} as a text is the code ${code}, perhaps a shortened one': ['D9 codes'],
  '${cell} stays ${code}, without a repair': ['D9 codes', 'D9 codes padding'],
});
checkedElsewhere('src/table/row-warnings.test.ts', {
  'repaired codes are counted with the first of them, and those with an exponent once more': [
    'D9 codes repaired',
  ],
});
checkedElsewhere('src/datasets/upload/upload-memory.test.ts', {
  'the memory of an upload stays flat, whatever its size, also when the file comes first': ['D3 streamed'],
});
