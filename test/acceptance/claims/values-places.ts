import assert from 'node:assert/strict';
import { pointBlob } from '../../support/geopackages.ts';
import { claim } from '../claim.ts';
import { process } from '../support/datasets.ts';
import { dbfOf, layerFiles, zipFileOf } from '../support/shapefile.ts';
import { box, collection, featureFile, geojsonFile, point, tiffFile } from '../support/files.ts';
import { geoPackageFile } from '../support/geopackages.ts';
import { expectWarning, numbersIn, readVector, warningsOf } from '../support/geojson.ts';
import { multiPatchShp, tinBlob } from '../support/solids.ts';

const wgs84 =
  'GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]';
const shapes = (
  points: readonly (readonly [number, number])[],
  more: Readonly<Record<string, string>> = {},
) => zipFileOf(layerFiles('t', { points, texts: points.map(() => Buffer.from('a')) }, more));

for (const [what, makeFile] of [
  ['a GeoJSON without crs', async () => geojsonFile(pointsOf([190, 50], [-200, 51]))],
  [
    'a shapefile in degrees',
    async () =>
      shapes(
        [
          [190, 50],
          [-200, 51],
        ],
        { '.prj': wgs84 },
      ),
  ],
] as const) {
  claim(
    ['D9 longitudes', 'D9 languages'],
    `longitudes beyond 180 of ${what} are turned, with a warning`,
    async (client) => {
      const { dataset, collection: found } = await readVector(client, await makeFile());
      const numbers = numbersIn(found.features[0]?.geometry.coordinates);
      const places = numbers.flatMap((x, index) => (index % 2 === 0 ? [[x, numbers[index + 1]]] : []));
      assert.deepEqual(
        places.toSorted(([, one = 0], [, other = 0]) => one - other),
        [
          [-170, 50],
          [160, 51],
        ],
      );
      await expectWarning(client, dataset.id, 'longitudes_turned');
    },
  );
}

function pointsOf(...places: readonly (readonly [number, number])[]): object {
  return collection(places.map((place) => ({ properties: {}, geometry: point(...place) })));
}

claim(['D9 longitudes'], 'what is not longitude and latitude at all is refused as before', async (client) => {
  await process(client, 'failed', featureFile(point(190, 95)));
});

claim(
  ['D9 longitudes', 'D9 axes', 'D9 solids', 'D9 datum'],
  'longitudes from −180 to 180, a place that fits, and a polygon need no warning',
  async (client) => {
    const places = [point(180, 50), point(-180, 51), point(51.1, 71.4), box(70, 50, 71, 51)];
    const features = places.map((geometry) => ({ properties: {}, geometry }));
    const { dataset } = await readVector(client, geojsonFile(collection(features)));
    assert.deepEqual(await warningsOf(client, dataset.id), []);
  },
);

claim(
  ['D9 axes', 'D9 languages'],
  'latitudes in the place of longitudes are warned of when they would lie in the districts, and not swapped',
  async (client) => {
    const swapped = pointsOf([51.1, 71.4], [43.2, 76.9]);
    const { dataset, collection: found } = await readVector(client, geojsonFile(swapped));
    assert.deepEqual(
      numbersIn(found.features[0]?.geometry.coordinates).toSorted((a, b) => a - b),
      [43.2, 51.1, 71.4, 76.9],
    );
    assert.ok(JSON.stringify(found).includes('[51.1,71.4]'));
    await expectWarning(client, dataset.id, 'axes_maybe_swapped');
  },
);

claim(['D9 solids', 'D9 languages'], 'a TIN is read as its footprint, with a warning', async (client) => {
  const { dataset, collection: found } = await readVector(
    client,
    await geoPackageFile({ geometries: [tinBlob()] }),
  );
  const geometry = found.features[0]?.geometry;
  assert.equal(geometry?.type, 'Polygon');
  const numbers = numbersIn(geometry?.coordinates);
  assert.deepEqual([Math.min(...numbers), Math.max(...numbers)], [50, 71]);
  await expectWarning(client, dataset.id, 'solids_flattened');
});

claim(
  ['D9 solids', 'D9 languages'],
  'a MultiPatch is read as its footprint, with a warning',
  async (client) => {
    const dbf = dbfOf([{ name: 'NAME', type: 'C', length: 5 }], [['roof']]);
    const { dataset, collection: found } = await readVector(
      client,
      zipFileOf({ 't.shp': multiPatchShp(), 't.dbf': dbf, 't.prj': wgs84 }),
    );
    const [feature] = found.features;
    assert.deepEqual([feature?.geometry.type, feature?.properties], ['Polygon', { NAME: 'roof' }]);
    const numbers = numbersIn(feature?.geometry.coordinates);
    assert.deepEqual([Math.min(...numbers), Math.max(...numbers)], [50, 71]);
    await expectWarning(client, dataset.id, 'solids_flattened');
  },
);

const unknownDatum =
  'GEOGCS["GCS_Krasovsky",DATUM["D_Not_specified_based_on_Krassowsky_1940",SPHEROID["Krasovsky_1940",6378245.0,298.3]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]';
const pulkovo =
  'GEOGCS["GCS_Pulkovo_1942",DATUM["D_Pulkovo_1942",SPHEROID["Krasovsky_1940",6378245.0,298.3]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]';

claim(
  ['D9 datum', 'D9 languages'],
  'a datum that cannot be related to WGS 84 is warned of in a shapefile, a GeoPackage and a raster',
  async (client) => {
    const shapefile = await readVector(client, shapes([[70, 50]], { '.prj': unknownDatum }));
    await expectWarning(client, shapefile.dataset.id, 'datum_unknown');
    const sql = `insert into gpkg_spatial_ref_sys values ('local', 100000, 'NONE', 100000, '${unknownDatum}', null);
      update gpkg_geometry_columns set srs_id = 100000; update gpkg_contents set srs_id = 100000;
      update places set geom = x'${withSystem(pointBlob(70, 50), 100_000).toString('hex')}';`;
    const geopackage = await readVector(client, await geoPackageFile({ sql }));
    await expectWarning(client, geopackage.dataset.id, 'datum_unknown');
    const raster = await process(
      client,
      'ready',
      tiffFile({ width: 4, height: 4, corner: [70, 50], epsg: 4024 }),
    );
    await expectWarning(client, raster.id, 'datum_unknown');
  },
);

/** The same cell in another system of coordinates. */
function withSystem(blob: Buffer, system: number): Buffer {
  const copy = Buffer.from(blob);
  copy.writeInt32LE(system, 4);
  return copy;
}

claim(['D9 datum'], 'a datum with a way to WGS 84 needs no warning', async (client) => {
  const { dataset } = await readVector(client, shapes([[70, 50]], { '.prj': pulkovo }));
  assert.ok(!(await warningsOf(client, dataset.id)).includes('datum_unknown'));
});
