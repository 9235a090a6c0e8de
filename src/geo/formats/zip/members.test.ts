import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findLayer, namesLeftOut } from './members.ts';

const members = (...names: string[]) => names.map((name) => ({ name }));
const found = (...names: string[]) => {
  const contents = findLayer(members(...names));
  const files =
    contents.kind === 'shapefile'
      ? Object.fromEntries(Array.from(contents.files, ([extension, { name }]) => [extension, name]))
      : contents.member.name;
  return { kind: contents.kind, name: contents.name, files };
};

test('a shapefile is found at any depth and in any case, with the files of its name beside it', () => {
  assert.deepEqual(
    found('Данные/2024/Rivers.SHP', 'Данные/2024/rivers.dbf', 'Данные/2024/RIVERS.PRJ', 'Данные/rivers.cpg'),
    {
      kind: 'shapefile',
      name: 'Rivers',
      files: {
        shp: 'Данные/2024/Rivers.SHP',
        dbf: 'Данные/2024/rivers.dbf',
        prj: 'Данные/2024/RIVERS.PRJ',
      },
    },
  );
});

test('names that differ in whether й is one letter or two are those of one shapefile', () => {
  const [one, two] = ['Край'.normalize('NFC'), 'Край'.normalize('NFD')];
  assert.deepEqual(found(`${one}.shp`, `${two}.dbf`, `${two}.PRJ`).files, {
    shp: `${one}.shp`,
    dbf: `${two}.dbf`,
    prj: `${two}.PRJ`,
  });
});

test('what systems leave behind, indexes and members of other kinds do not count', () => {
  const others = ['__MACOSX/._a.shp', 'x/.hidden.shp', '.git/b.shp', 'readme.txt', 'layer.vrt'];
  const layer = found(...others, 'a.shp', 'a.shp.xml', 'a.sbn', 'a.qix');
  assert.deepEqual(layer.files, { shp: 'a.shp', 'shp.xml': 'a.shp.xml' });
});

test('a single GeoJSON or GeoPackage will do', () => {
  assert.deepEqual(found('a/b.GeoJSON', 'licence.txt'), {
    kind: 'geojson',
    name: 'b.GeoJSON',
    files: 'a/b.GeoJSON',
  });
  assert.equal(found('b.gpkg').kind, 'gpkg');
});

test('the spreadsheet that a table was made of stays beside it, and another one is left out', () => {
  const leftOut = (...names: string[]) => {
    const all = members(...names);
    return namesLeftOut(all, findLayer(all));
  };
  assert.equal(leftOut('Население.geojson', 'Население.xlsx'), undefined);
  for (const name of ['a/b.CSV', 'a/b.xls', 'a/b.ods']) assert.equal(leftOut('a/b.geojson', name), undefined);
  assert.equal(leftOut('a.geojson', 'b.xlsx'), 'b.xlsx');
  assert.equal(leftOut('a.geojson', 'x/a.xlsx'), 'x/a.xlsx');
  assert.equal(leftOut('a.shp', 'a.xlsx'), 'a.xlsx');
});

test('several layers are refused by name', () => {
  assert.throws(() => found('a/x.shp', 'b/y.shp'), /several shapefiles: a\/x\.shp, b\/y\.shp\. Upload each/);
  assert.throws(() => found('x.shp', 'y.gpkg'), /several layers: x\.shp, y\.gpkg/);
  assert.throws(() => found('x.geojson', 'y.geojson'), /several layers/);
  assert.throws(() => found('a.shp', 'A.SHP'), /several shapefiles/);
  assert.throws(() => found('a.shp', 'a.dbf', 'A.dbf'), /several files named a\.dbf/);
  const many = Array.from({ length: 7 }, (_, i) => `${i}.shp`);
  assert.throws(() => found(...many), /0\.shp, .*4\.shp and 2 more/);
});

test('two files of the very same name are not called layers', () => {
  const sentence =
    /The archive contains two files with the same name: a\/x\.shp\. Pack it again with one of them/;
  assert.throws(() => found('a/x.shp', 'a/x.shp'), sentence);
  assert.throws(() => found('b.shp', 'a/x.shp', 'a/x.shp'), sentence);
  assert.throws(() => found('x.gpkg', 'x.gpkg'), /two files with the same name: x\.gpkg/);
  assert.throws(() => found('x.shp', 'x.dbf', 'x.dbf'), /two files with the same name: x\.dbf/);
  assert.equal(found('x.shp', 'x.dbf', 'read.me', 'read.me').name, 'x');
});

test('none is refused with what is there and what to do', () => {
  assert.throws(() => found(), /contains no files/);
  assert.throws(
    () => found('a.dbf', '.shp'),
    /no \.shp, \.geojson or \.gpkg file, only a\.dbf\. These are parts/,
  );
  assert.throws(() => found('inner.zip'), /Unpack the archive inside/);
  assert.throws(() => found('readme.txt'), /only readme\.txt\. Pack all files of one shapefile/);
});

test('what is there instead of a layer is named by its kind', () => {
  const geodatabase = ['gis/land.gdb/a01.gdbtable', 'gis/land.gdb/a01.gdbtablx', 'gis/land.gdb/gdb'];
  assert.throws(
    () => found(...geodatabase),
    /only gis\/land\.gdb\. That is an Esri geodatabase: .*GeoPackage/,
  );
  for (const [names, sentence] of [
    [['doc.kml', 'files/icon.png'], /That is KML: .*ogr2ogr/],
    [['a.kmz'], /That is KML/],
    [['a.tab', 'a.dat', 'a.map', 'a.dbf'], /That is a MapInfo table/],
    [['a.MIF', 'a.MID'], /That is a MapInfo table/],
    [['a.dbf', 'a.prj', 'a.shx'], /parts of a shapefile whose main part, the \.shp file, is missing/],
    [['plan.dxf'], /That is a drawing/],
    [['a.gml', 'a.xsd'], /vector data in another format/],
    [['a.fgb'], /Open it in QGIS/],
    [['a.tif', 'a.tfw', 'meta.json'], /Upload the \.tif file itself/],
    [['n51.hgt'], /That is a raster: convert it to GeoTIFF/],
    [['city/tileset.json', 'city/0/0.b3dm', 'city/texture.jpg'], /That is a 3D model, such as 3D Tiles/],
    [['house.glb', 'house.json'], /That is a 3D model/],
    [['layer.json'], /\.json file is GeoJSON, give it the extension/],
    [['a.csv', 'readme.txt'], /That is a table/],
    [['[Content_Types].xml', 'xl/workbook.xml'], /That is an Office document/],
    [['style.sld'], /That is a style or project/],
    [['photo.jpg'], /Pictures and documents have no features/],
  ] as const)
    assert.throws(() => found(...names), sentence);
});
