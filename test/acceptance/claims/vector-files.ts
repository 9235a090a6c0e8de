import assert from 'node:assert/strict';
import { shapefileOf } from '../../support/shapefiles.ts';
import { checkedElsewhere, claim } from '../claim.ts';
import { process } from '../support/datasets.ts';
import { bytesOf, collection, geojsonFile, point, repositoryFile } from '../support/files.ts';
import { numbersIn, readReport, readVector, warningsOf } from '../support/geojson.ts';
import { layerFiles, windows1251, zipFileOf } from '../support/shapefile.ts';

const fixture = async (name: string): Promise<File> => await repositoryFile(`test/fixtures/vector/${name}`);
const akmola = 'Акмолинская область';

claim(
  ['D3V first layer', 'D3 report source', 'D3V attributes other'],
  'of a GeoPackage the first layer with features counts, and the report names those left out',
  async (client) => {
    const { dataset, collection: found } = await readVector(client, await fixture('multi_layer.gpkg'));
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
  ['D3V attributes other'],
  'dates, booleans and bytes of a GeoPackage are what the GeoJSON writer of GDAL makes of them',
  async (client) => {
    const { collection: found } = await readVector(client, await fixture('gdal_sample_all_types.gpkg'));
    assert.deepEqual(found.features[0]?.properties.rows?.[0], {
      intfield: 1,
      strfield: 'foo',
      realfield: 1.23456,
      datetimefield: '2014-06-07T14:20:00Z',
      datefield: '2014-06-07',
      binaryfield: '007FFF',
    });
  },
);

claim(['D3V output'], 'a GeoPackage in another system is moved to longitude and latitude', async (client) => {
  const { dataset, collection: found } = await readVector(client, await fixture('poly_golden.gpkg'));
  assert.equal((await readReport(client, dataset.id)).source?.['crs'], 'EPSG:27700');
  const numbers = numbersIn(found.features[0]?.geometry.coordinates);
  assert.ok(numbers.length > 8 && numbers.every((each) => Math.abs(each) <= 180));
});

claim(
  ['D3V no features', 'D3V no geometry'],
  'a GeoPackage of attributes alone is ready and empty',
  async (client) => {
    const { collection: found } = await readVector(client, await fixture('attributes_only.gpkg'));
    assert.deepEqual(found, { type: 'FeatureCollection', features: [] });
  },
);

const onePoint = { points: [[71.5, 51.25] as const], texts: [Buffer.from('a')] };

claim(
  ['D3V zip shapefile', 'D3V no CRS fits'],
  'a shapefile in a zip is found three folders down, in capitals, and beside junk',
  async (client) => {
    const junk = [
      '__MACOSX/._layer.shp',
      '__MACOSX/other.shp',
      '.hidden.shp',
      'a/.git/x.geojson',
      'readme.txt',
    ];
    const { shp, dbf } = shapefileOf(onePoint);
    const files = { 'a/б/в/layer.SHP': shp, 'a/б/в/Layer.Dbf': dbf };
    const zip = zipFileOf({ ...Object.fromEntries(junk.map((name) => [name, 'junk'])), ...files });
    const { dataset, collection: found } = await readVector(client, zip);
    assert.deepEqual(found.features, [
      { type: 'Feature', geometry: point(71.5, 51.25), properties: { NAME: 'a' } },
    ]);
    assert.ok((await warningsOf(client, dataset.id)).includes('crs_assumed'));
  },
);

claim(['D3V zip other'], 'a zip may hold one .geojson, whose text is kept, or one .gpkg', async (client) => {
  const text = JSON.stringify(collection([{ properties: { n: 1.5 }, geometry: point(1, 2) }])).replace(
    '1.5',
    '1.50',
  );
  const geojson = await readVector(client, zipFileOf({ 'folder/данные.GeoJSON': text, 'licence.txt': 'x' }));
  assert.ok(geojson.text.includes('{"n":1.50}'));
  const bytes = await bytesOf(await fixture('multi_layer.gpkg'));
  const geopackage = await readVector(client, zipFileOf({ 'a.gpkg': bytes }));
  assert.equal(geopackage.collection.features[0]?.properties.rows?.length, 2);
});

claim(['D3V zip several'], 'several shapefiles in a zip fail, and are named', async (client) => {
  const files = { ...layerFiles('roads/lines', onePoint), ...layerFiles('places', onePoint) };
  const { parse_error } = await process(client, 'failed', zipFileOf(files));
  assert.match(parse_error ?? '', /lines/);
  assert.match(parse_error ?? '', /places/);
});

claim(['D3V zip other', 'D3 parse_error'], 'a zip without a layer fails with what to do', async (client) => {
  const { parse_error } = await process(client, 'failed', zipFileOf({ 'readme.txt': 'nothing here' }));
  assert.match(parse_error ?? '', /\.shp.*\.geojson|\.geojson.*\.shp/);
});

claim(
  ['D3V text', 'D3V text reported', 'D3 report source'],
  'Russian text comes out right by .cpg, language byte, UTF-8 or a guess, and the report says how it was read',
  async (client) => {
    const cyrillic = windows1251(akmola);
    const contradicted = { '.cpg': '1251', '.cst': 'CP866' };
    await Promise.all(
      (
        [
          ['cpg', 'windows-1251', cyrillic, 0x65, contradicted],
          ['dbf', 'windows-1251', cyrillic, 0xc9, {}],
          ['strict UTF-8', 'UTF-8', Buffer.from(akmola), 0, {}],
          ['guess', 'windows-1251', cyrillic, 0, {}],
        ] as const
      ).map(async ([from, encoding, text, languageByte, more]) => {
        const files = layerFiles('layer', { points: [[71, 51]], texts: [text], languageByte }, more);
        const { dataset, collection: found } = await readVector(client, zipFileOf(files));
        assert.deepEqual(found.features[0]?.properties, { NAME: akmola });
        const { source, warnings } = await readReport(client, dataset.id);
        assert.deepEqual([source?.['encoding'], source?.['encoding_from']], [encoding, from]);
        const isGuessed = warnings.some(({ code }) => code === 'encoding_guessed');
        assert.equal(isGuessed, from === 'guess');
      }),
    );
  },
);

claim(
  ['D3V no CRS else'],
  'a shapefile without .prj whose points are no degrees fails with what to do',
  async (client) => {
    const files = layerFiles('layer', { points: [[500_000, 5_600_000]], texts: [Buffer.from('a')] });
    assert.match(
      (await process(client, 'failed', zipFileOf(files))).parse_error ?? '',
      /\.prj|reference system/,
    );
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

checkedElsewhere('test/geo/vector.test.ts', {
  'with a crs member that is not understood is taken as it is when its coordinates fit': [
    'D3V crs member GDAL',
  ],
});
checkedElsewhere('test/http/upload-memory.test.ts', {
  'the memory of an upload stays flat, whatever its size, also when the file comes first': ['D3 streamed'],
});
