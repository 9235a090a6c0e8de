import assert from 'node:assert/strict';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { checkedElsewhere, claim } from '../../claim.ts';
import { fetchBytes } from '../../support/bytes.ts';
import { process } from '../../support/datasets.ts';
import { collection, geojsonFile, point } from '../../support/files.ts';
import { sharedRaster, sharedTable } from '../../support/shared.ts';

const sld = `<?xml version="1.0" encoding="UTF-16"?><StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld"><NamedLayer><Name>a</Name><UserStyle>
<FeatureTypeStyle><Rule><Title>Құдық</Title><PointSymbolizer><Graphic><Mark><Fill><CssParameter name="fill">#12ab56</CssParameter></Fill></Mark></Graphic></PointSymbolizer></Rule>
</FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`;

claim(
  ['D7 GeoPackage', 'D7 GeoPackage names', 'D7 GeoPackage refusals'],
  'a vector is one GeoPackage with all its features and its style, which changes with both',
  async (client) => {
    const features = [
      { properties: { Аты: 'Ә', n: 2 ** 40, fid: 'f', NAME: 1, name: 2 }, geometry: point(60, 40) },
      { properties: { Аты: '', n: 1 }, geometry: null },
    ];
    const { id } = await process(client, 'ready', geojsonFile(collection(features)));
    const path = `/datasets/${id}.gpkg`;
    const plain = await fetchBytes(client, 200, path);
    assert.equal(plain.headers['content-type'], 'application/geopackage+sqlite3');
    assert.match(plain.headers['content-disposition'] ?? '', /\.gpkg/);
    const etag = plain.headers.etag ?? assert.fail();
    await fetchBytes(client, 304, path, { headers: { 'if-none-match': etag } });
    assert.ok((await fetchBytes(client, 200, path)).bytes.equals(plain.bytes));
    const file = new File([Buffer.from(`\uFEFF${sld}`, 'utf16le')], 'a.sld');
    await client.expect(200, 'POST', `/datasets/${id}/sld`, { form: { file } });
    const { bytes, headers } = await fetchBytes(client, 200, path);
    assert.notEqual(headers.etag, etag);
    await using folder = await mkdtempDisposable(join(tmpdir(), 'steppe-test-'));
    const stored = join(folder.path, 'a.gpkg');
    await writeFile(stored, bytes);
    using database = new DatabaseSync(stored, { readOnly: true });
    const rows = (sql: string) => database.prepare(sql).all();
    assert.deepEqual(
      rows('select "Аты", n, geom is null as nowhere, fid, NAME, name_2 from features order by n').map(
        (row) => ({ ...row }),
      ),
      [
        { Аты: '', n: 1, nowhere: 1, fid: null, NAME: null, name_2: null },
        { Аты: 'Ә', n: 2 ** 40, nowhere: 0, fid: 'f', NAME: 1, name_2: 2 },
      ],
    );
    const [style] = rows('select styleQML, styleSLD from layer_styles where useAsDefault');
    assert.match(String(style?.['styleQML']), /label="Құдық".*18,171,86,255/s);
    assert.match(
      String(style?.['styleSLD']),
      /^<\?xml version="1.0" encoding="UTF-8"\?>\n<StyledLayer.*Құдық/s,
    );
    await client.refused(422, 'GET', `/datasets/${(await sharedRaster(client)).id}.gpkg`);
    await client.refused(422, 'GET', `/datasets/${(await sharedTable(client)).id}.gpkg`);
    await client.refused(404, 'GET', '/datasets/00000000-0000-4000-8000-000000000000.gpkg');
  },
);

checkedElsewhere('src/maps/export/geo-package.test.ts', {
  'what is left behind is removed, a client that goes away ends it, and what is too large is refused': [
    'D7 GeoPackage refusals',
  ],
});
