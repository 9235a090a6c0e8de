import assert from 'node:assert/strict';
import { claim } from '../../claim.ts';
import type { Client } from '../../client.ts';
import { nodes } from '../../support/graph.ts';
import { resultOf } from '../../support/landscape.ts';

interface Legend {
  readonly xml: string;
  readonly type: string | undefined;
  readonly entries: readonly Readonly<
    Record<'color' | 'quantity' | 'opacity' | 'label', string | undefined>
  >[];
}

/** Reads the colours of the shared style of an output. */
async function readLegend(client: Client, code: string): Promise<Legend> {
  const { sld_url } = await resultOf(client, code);
  const { text: xml } = await client.expect(200, 'GET', sld_url ?? '');
  const attribute = (element: string, name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(element)?.[1];
  const entries = [...xml.matchAll(/<(?:\w+:)?ColorMapEntry\b[^>]*>/g)].map(([element]) => ({
    color: attribute(element, 'color')?.toLowerCase(),
    quantity: attribute(element, 'quantity'),
    opacity: attribute(element, 'opacity'),
    label: attribute(element, 'label'),
  }));
  const [colorMap = ''] = /<(?:\w+:)?ColorMap\b[^>]*>/.exec(xml) ?? [];
  return { xml, type: attribute(colorMap, 'type'), entries };
}

async function assertColors(client: Client, code: string, colors: readonly (readonly [number, string])[]) {
  const { entries } = await readLegend(client, code);
  const shown = entries.filter(({ opacity }) => Number(opacity ?? 1) !== 0);
  assert.deepEqual(
    shown.map(({ quantity, color }) => [Number(quantity), color]),
    colors,
    code,
  );
}

const suitability = ['#d7191c', '#fdae61', '#ffffbf', '#a6d96a', '#1a9641'] as const;
const sectors = ['#1f78b4', '#6a51a3', '#e6ab02', '#66a61e', '#d94801'] as const;
const classesOf = (colors: readonly string[]) => colors.map((color, at) => [at + 1, color] as const);

claim(
  ['D6 legends', 'L5.3 SLD', '1.4 styles', '2.6 LandscapeResult.sld_url'],
  'every output has a legend: a raster symbolizer with values for classes and a ramp for numbers, transparent where there is no value',
  async (client) => {
    for (const { code, type } of nodes) {
      const legend = await readLegend(client, code);
      assert.match(legend.xml, /<(?:\w+:)?StyledLayerDescriptor\b/);
      assert.match(legend.xml, /<(?:\w+:)?RasterSymbolizer\b/);
      assert.equal(legend.type, type === 'uint8' ? 'values' : 'ramp', code);
      const transparent = legend.entries.filter(({ opacity }) => Number(opacity ?? 1) === 0);
      assert.deepEqual(
        transparent.map(({ quantity }) => Number(quantity)),
        [type === 'uint8' ? 0 : -9999],
      );
      assert.ok(legend.entries.every(({ label }) => label));
    }
  },
);

/** Codes of functional zones, and their colours. */
const zones = [11, 12, 13, 14, 15, 21, 22, 23, 24, 25, 31, 32, 40];
const zoneColours =
  '1f78b4 6a51a3 e6ab02 66a61e d94801 a6cee3 bcbddc ffeda0 c7e9b4 fdbe85 00441b bdbdbd 636363'.split(' ');

claim(
  ['L5.3 zoning colours', 'L5.3 other colours', 'D6 legends'],
  'zoning, suitability from red to green, sensitivity the other way, sectors, zones and allocable land have their colours',
  async (client) => {
    const ofZones = zones.map((code, at) => [code, `#${zoneColours[at]}`] as const);
    await assertColors(client, '34', ofZones);
    for (const code of ['21', '22', '23', '24', '25', '31'])
      await assertColors(client, code, classesOf(suitability));
    await assertColors(client, '26', classesOf(suitability.toReversed()));
    await assertColors(client, '32', classesOf(sectors));
    await assertColors(client, '33', classesOf(['#1a9641', '#fdae61', '#00441b']));
    await assertColors(client, '05', classesOf(['#f0f0f0', '#4292c6', '#cb181d', '#c6dbef']));
  },
);

claim(['L5.3 ramps'], 'the ramp of a continuous output spans its range, rising', async (client) => {
  for (const [code, low, high] of [
    ['01', 0, 60],
    ['02', 0, 960],
    ['03', 0, 1],
    ['04', 0, 100],
    ['11', 1, 2],
    ['12', 1, 2],
    ['13', 1, 2],
    ['14', 0, 33.6],
  ] as const) {
    const { entries } = await readLegend(client, code);
    const stops = entries
      .filter(({ opacity }) => Number(opacity ?? 1) !== 0)
      .map(({ quantity }) => Number(quantity));
    assert.deepEqual([stops.at(0), stops.at(-1)], [low, high], code);
    assert.deepEqual(
      stops,
      stops.toSorted((one, other) => one - other),
      code,
    );
    assert.equal(new Set(stops).size, stops.length, code);
  }
});
