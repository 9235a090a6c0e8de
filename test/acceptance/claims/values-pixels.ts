import assert from 'node:assert/strict';
import { claim } from '../claim.ts';
import type { Client } from '../client.ts';
import { process } from '../support/datasets.ts';
import { tiffFile, writeRaster } from '../support/files.ts';
import { expectWarning, readReport, warningsOf } from '../support/geojson.ts';
import { colourAt } from '../support/maps.ts';
import { readCog } from '../support/rasters.ts';

interface Legend {
  readonly entries: readonly { readonly colour: string; readonly label: string }[];
  readonly stops?: readonly { readonly value: number }[];
}

/** A raster of float32 in degrees: pixels of a hundredth, from 70 east and 51 north. */
const floats = (rows: readonly (readonly number[])[], noData?: number): File =>
  writeRaster({
    rows,
    epsg: 4326,
    corner: [70, 51],
    pixelSize: 0.01,
    ...(noData === undefined ? {} : { noData }),
  });

const coloursOf = async (client: Client, id: string, count: number): Promise<readonly string[]> =>
  await Promise.all(
    Array.from(
      { length: count },
      async (_, column) => await colourAt(client, `/datasets/${id}`, [70.005 + column / 100, 50.995]),
    ),
  );

async function setColourMap(
  client: Client,
  id: string,
  type: string,
  entries: readonly (readonly [string, string])[],
) {
  const listed = entries.map(
    ([colour, quantity]) => `<ColorMapEntry color="${colour}" quantity="${quantity}"/>`,
  );
  const sld = `<StyledLayerDescriptor version="1.0.0"><NamedLayer><UserStyle><FeatureTypeStyle><Rule><RasterSymbolizer><ColorMap type="${type}">${listed.join('')}</ColorMap></RasterSymbolizer></Rule></FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`;
  await client.expect(200, 'POST', `/datasets/${id}/sld`, { form: { file: new File([sld], 'style.sld') } });
}

claim(
  ['D9 quantities'],
  'a quantity finds the pixels that have it in float32, as a value and as a bound',
  async (client) => {
    const row = [0.1, 0.2, 0.3, 16_777_217.5, 0.7];
    const { id } = await process(client, 'ready', floats([row, row]));
    await setColourMap(client, id, 'values', [
      ['#ff0000', '0.1'],
      ['#00ff00', '0.2'],
      ['#0000ff', '0.3'],
      ['#ffff00', '16777217.5'],
    ]);
    assert.deepEqual(await coloursOf(client, id, 5), ['#ff0000', '#00ff00', '#0000ff', '#ffff00', 'none']);
    // A pixel of 0.1 is at the bound 0.1, whatever its last digits in float32.
    await setColourMap(client, id, 'intervals', [
      ['#ff0000', '0.1'],
      ['#00ff00', '0.3'],
      ['#0000ff', '1'],
    ]);
    const [tenth, fifth, third] = await coloursOf(client, id, 3);
    assert.deepEqual([tenth, fifth, third], ['#00ff00', '#00ff00', '#0000ff']);
  },
);

claim(
  ['D9 nodata'],
  'pixels at a nodata value that float32 cannot hold are transparent, and no part of the legend',
  async (client) => {
    for (const noData of [-3.4e38]) {
      const row = [noData, 1, 2, 3, 4, 5];
      const { id } = await process(client, 'ready', floats([row, row, row], noData));
      const [none, ...others] = await coloursOf(client, id, 6);
      assert.equal(none, 'none', String(noData));
      assert.ok(!others.includes('none'));
      const { stops = [] } = await client.get<Legend>(`/datasets/${id}/legend.json`);
      assert.ok(
        stops.every(({ value }) => value >= 1 && value <= 5),
        JSON.stringify(stops),
      );
    }
  },
);

/** Bytes whose stored values are 0, 7, 14 … in the first row; in units a tenth of each, less 5. */
const scaled = (): File =>
  tiffFile({
    width: 6,
    height: 4,
    corner: [70, 51],
    metadata:
      '<GDALMetadata><Item name="SCALE" sample="0" role="scale">0.1</Item><Item name="OFFSET" sample="0" role="offset">-5</Item></GDALMetadata>',
  });

claim(
  ['D9 scale', 'D9 scale report'],
  'scale and offset count in tiles under a style, in the legend without one, and are in the report',
  async (client) => {
    const { id } = await process(client, 'ready', scaled());
    const { stops = [] } = await client.get<Legend>(`/datasets/${id}/legend.json`);
    const values = stops.map(({ value }) => value);
    assert.ok(Math.min(...values) >= -5 && Math.min(...values) < -4, values.join());
    assert.ok(Math.max(...values) <= 2.4 && Math.max(...values) > 1, values.join());
    // In units: -5, -4.3, -3.6, -2.9, -2.2, -1.5.
    await setColourMap(client, id, 'intervals', [
      ['#ff0000', '-4'],
      ['#00ff00', '-2.5'],
      ['#0000ff', '10'],
    ]);
    assert.deepEqual(await coloursOf(client, id, 6), [
      '#ff0000',
      '#ff0000',
      '#00ff00',
      '#00ff00',
      '#0000ff',
      '#0000ff',
    ]);
    const { raster } = await readReport(client, id);
    assert.match(JSON.stringify(raster), /"scales?":\[?0\.1\b.*"offsets?":\[?-5\b/);
    const cog = await readCog(client, id);
    assert.deepEqual(cog.values.slice(0, 3), [0, 7, 14]);
  },
);

claim(
  ['D9 nodata suspected', 'D9 languages'],
  'half of a raster at a usual nodata value without the tag is warned of',
  async (client) => {
    for (const value of [-9999, -3.402_823_466_385_288_6e38]) {
      const { id } = await process(
        client,
        'ready',
        floats([
          [value, 1],
          [value, 2],
        ]),
      );
      await expectWarning(client, id, 'nodata_suspected');
    }
  },
);

claim(
  ['D9 nodata suspected'],
  'fewer pixels at it, and a raster with the tag, need no warning',
  async (client) => {
    for (const file of [
      floats([
        [-9999, 1, 2],
        [3, 4, 5],
      ]),
      floats(
        [
          [-9999, -9999],
          [1, -9999],
        ],
        -9999,
      ),
    ]) {
      const { id } = await process(client, 'ready', file);
      assert.ok(!(await warningsOf(client, id)).includes('nodata_suspected'));
    }
  },
);
