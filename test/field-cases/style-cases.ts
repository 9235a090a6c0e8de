import assert from 'node:assert/strict';
import type { Client } from '../acceptance/client.ts';
import { once, process } from '../acceptance/support/datasets.ts';
import { colourAt } from '../acceptance/support/maps.ts';
import { caseFile, type FieldCase } from './case.ts';

interface Legend {
  readonly entries: readonly { readonly label: string; readonly colour: string }[];
  /** Stops of a ramp. */
  readonly stops?: Legend['entries'];
}

/** Draws a raster with a style: the colours of its pixels by column and row, its legend, and the report about the style. */
export async function drawStyled(client: Client, raster: string, style?: string) {
  const { id } = await process(client, 'ready', await caseFile(raster));
  return await drawDataset(client, id, style);
}

async function drawDataset(client: Client, id: string, style?: string) {
  const path = `/datasets/${id}`;
  const form = style === undefined ? undefined : { file: await caseFile(style) };
  if (form !== undefined) await client.expect(200, 'POST', `${path}/sld`, { form });
  const { entries, stops } = await client.get<Legend>(`${path}/legend.json`);
  return {
    legend: (stops ?? entries).map(({ label, colour }) => [label, colour] as const),
    /** Reads colours of rasters with pixels of 0.01°, from 70° E and 51° N. */
    coloursAt: async (places: readonly (readonly [column: number, row: number])[]) =>
      await Promise.all(
        places.map(
          async ([column, row]) =>
            await colourAt(client, path, [70 + (column + 0.5) / 100, 51 - (row + 0.5) / 100]),
        ),
      ),
    leftOut: async () =>
      (await client.get<{ left_out: readonly { code: string; message: string }[] }>(`${path}/sld/report`))
        .left_out,
  };
}

/** All styles are drawn over one dataset in turn. */
const gridOf = once(async (client) => (await process(client, 'ready', await caseFile('grid.tif'))).id);

/** The grid has 16 columns and the values from 0 on, row by row. */
async function drawGrid(client: Client, style: string) {
  const drawn = await drawDataset(client, await gridOf(client), style);
  return {
    ...drawn,
    coloursOf: async (values: readonly number[]) =>
      await drawn.coloursAt(values.map((value) => [value % 16, Math.floor(value / 16)] as const)),
  };
}

export const styleCases: readonly FieldCase<Client>[] = [
  {
    slug: 'geoserver-env',
    text: 'env() is its default',
    async check(client) {
      const { coloursOf, leftOut, legend } = await drawGrid(client, 'geoserver-env/env_raster.sld');
      const [low, middle = '', high, beyond] = await coloursOf([0, 100, 200, 255]);
      assert.deepEqual([low, high, beyond], ['#00ff00', '#ff0000', '#ff0000']);
      assert.match(middle, /^#(?:7f|80)(?:7f|80)00$/);
      assert.deepEqual(
        legend.map(([, colour]) => colour),
        ['#00ff00', '#ff0000'],
      );
      assert.deepEqual(await leftOut(), []);
    },
  },
  {
    slug: 'int32-code-raster',
    text: 'codes of nine digits keep apart in every type that holds them',
    async check(client) {
      for (const [type, first] of [
        ['int32', 'none'],
        ['uint32', 'none'],
        ['f64', 'none'],
      ] as const) {
        const { coloursAt } = await drawStyled(
          client,
          `int32-code-raster/kato_${type}.tif`,
          'int32-code-raster/codes.sld',
        );
        const places = [
          [0, 0],
          [1, 0],
          [2, 0],
          [7, 0],
          [8, 0],
          [0, 9],
        ] as const;
        const colours = await coloursAt(places);
        assert.deepEqual(colours, [first, '#ffff00', '#ff0000', '#ff0000', '#00ff00', '#0000ff'], type);
      }
    },
  },
  {
    slug: 'opacity-in-ramp',
    text: 'a ramp is drawn and shown from its transparent end on, at half of its opacity',
    async check(client) {
      const { coloursOf, legend } = await drawGrid(client, 'opacity-in-ramp/ramp_opacity.sld');
      const [none, quarter = '', half = '', red] = await coloursOf([0, 50, 100, 200]);
      assert.deepEqual([none, red], ['none', '#ff000080']);
      assert.match(quarter, /^#0000ff(?:3f|40)$/);
      assert.match(half, /^#0000ff(?:7f|80)$/);
      assert.deepEqual(
        legend.map(([label]) => label),
        ['0', '100', '200'],
      );
      assert.match(
        legend.map(([, colour]) => colour).join(' '),
        /^#0000ff00 #0000ff(?:7f|80) #ff0000(?:7f|80)$/,
      );
    },
  },
  {
    slug: 'qgis-discrete-inf',
    text: 'a bound belongs to the interval below it in a style of QGIS, as its labels say',
    async check(client) {
      const { coloursOf, legend } = await drawGrid(client, 'qgis-discrete-inf/qgis_discrete.sld');
      const [red, yellow, green] = ['#d7191c', '#ffffc0', '#1a9641'] as const;
      assert.deepEqual(await coloursOf([0, 50, 51, 100, 101, 255]), [red, red, yellow, yellow, green, green]);
      assert.deepEqual(legend, [
        ['<= 50', red],
        ['50 - 100', yellow],
        ['> 100', green],
      ]);
    },
  },
  {
    slug: 'scale-offset-style-in-units',
    text: 'scale counts in tiles, legend and report',
    async check(client) {
      const raster = 'scale-offset-style-in-units/ndvi_scaled.tif';
      const { coloursAt } = await drawStyled(
        client,
        raster,
        'scale-offset-style-in-units/style_in_units.sld',
      );
      // Values 0, 0.1, 0.3, 0.5, 0.7, 1 and no data.
      const places = [
        [0, 0],
        [1, 0],
        [3, 0],
        [1, 1],
        [3, 1],
        [2, 2],
        [3, 2],
      ] as const;
      const colours = await coloursAt(places);
      const [red, yellow, green] = ['#ff0000', '#ffff00', '#00ff00'] as const;
      assert.deepEqual(colours, [red, red, yellow, green, green, green, 'none']);
      const { legend } = await drawStyled(client, raster);
      const numbers = legend.map(([label]) => Number(label.replace(',', '.')));
      assert.ok(Math.min(...numbers) >= 0 && Math.min(...numbers) < 0.1, legend.join(' '));
      assert.ok(Math.max(...numbers) <= 1 && Math.max(...numbers) > 0.9, legend.join(' '));
    },
  },
  {
    slug: 'se11-categorize-interpolate',
    text: 'Categorize and Interpolate have the thresholds of SE 1.1, and labels their letters',
    async check(client) {
      const folder = 'se11-categorize-interpolate';
      const [green, yellow, red] = ['#00ff00', '#ffff00', '#ff0000'] as const;
      const categories = await drawGrid(client, `${folder}/categorize.sld`);
      assert.deepEqual(await categories.coloursOf([0, 49, 50, 149, 150, 255]), [
        green,
        green,
        yellow,
        yellow,
        red,
        red,
      ]);
      const ramp = await drawGrid(client, `${folder}/interpolate.sld`);
      const [black, grey = '', white, beyond] = await ramp.coloursOf([0, 100, 200, 255]);
      assert.deepEqual([black, white, beyond], ['#000000', '#ffffff', '#ffffff']);
      assert.match(grey, /^#(?:7f7f7f|808080)$/);
      const { legend, coloursOf } = await drawGrid(client, `${folder}/labels.sld`);
      assert.deepEqual(legend, [
        ['> 5 т/га & "хорошо"', red],
        ['Е\u0301ль', green],
        ['3', '#0000ff'],
      ]);
      assert.deepEqual(await coloursOf([0, 1, 2, 3, 4]), ['none', red, green, '#0000ff', 'none']);
    },
  },
  {
    slug: 'sld-quantity-spellings',
    text: 'a decimal comma in a quantity is read or named, and nan costs its entry alone',
    async check(client) {
      const comma = await drawGrid(client, 'sld-quantity-spellings/comma.sld');
      const said = await comma.leftOut();
      assert.ok(!said.some(({ code }) => code === 'colours'), JSON.stringify(said));
      const colours = await comma.coloursOf([0, 255]);
      if (said.length > 0) assert.match(said.map(({ message }) => message).join(' '), /comma/);
      else assert.deepEqual(colours, ['#0000ff', '#ff0000']);
      const nan = await drawGrid(client, 'sld-quantity-spellings/nanq.sld');
      assert.deepEqual(await nan.coloursOf([0, 255]), ['#00ff00', '#ff0000']);
      assert.deepEqual(
        (await nan.leftOut()).map(({ code }) => code),
        ['quantities'],
      );
    },
  },
  {
    slug: 'unordered-colormap',
    text: 'intervals are sorted, and an opacity of 0 stays transparent',
    async check(client) {
      const { coloursOf } = await drawGrid(client, 'unordered-colormap/soilgrids.sld');
      const colours = await coloursOf([0, 32, 40, 88, 90, 109, 120, 255]);
      const [green, yellow, blue] = ['#00ff00', '#ffff00', '#5400ff'] as const;
      assert.deepEqual(
        colours.map((colour) => colour.slice(0, 7)),
        [green, green, yellow, yellow, blue, blue, 'none', 'none'],
      );
      for (const colour of colours.slice(0, 6)) assert.match(colour, /b[23]$/);
    },
  },
];
