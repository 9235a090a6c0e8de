import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openCanary } from '../../support/hostile/canary.ts';
import { rasterStyle, squaresCog, squaresStyle } from '../../support/maps/drawn-cogs.ts';
import { closeAfterTests } from '../../support/for-tests.ts';
import { memoryOf, eventually } from '../../support/processes.ts';
import { repetitions, sampleOf } from '../../support/tier.ts';
import { ask, askPatiently, setStyle, startDrawing, tilesOver } from '../../support/maps/tiles.ts';
import { MiB } from '../../../src/lib/units.ts';

const mostMemory = 600 * MiB;
const styleChanges = repetitions('STYLE_CHANGES', 20, 100);
const scriptLabel = '</script><script>alert(1)</script>';

const canary = await closeAfterTests(openCanary());
const drawing = await closeAfterTests(startDrawing());
const { baseUrl } = drawing;
const id = await drawing.upload(await squaresCog({ side: 600 }), 'squares.tif');
await drawing.makeReady(id);
const tileJson = await drawing.tileJson(id);
const [tile = [0, 0, 0]] = tilesOver(tileJson, tileJson.maxzoom - 1, 1);
const tilePath = `${baseUrl}/datasets/${id}/tiles/${tile.join('/')}.png`;
const clean = squaresStyle((value) => `#${(0x11_22_33 * (value + 1)).toString(16).padStart(6, '0')}`);
await apply(clean);
const cleanTile = await askPatiently(tilePath);

const entry = (quantity: string | number, more = '', colour = '#123456') =>
  `<ColorMapEntry color="${colour}" quantity="${quantity}" ${more}/>`;
const map = (entries: string, type = 'ramp') => rasterStyle(`<ColorMap type="${type}">${entries}</ColorMap>`);
const escaped = scriptLabel.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** Styles that would cost or do harm if they were followed literally. */
const hostile: Readonly<Record<string, string>> = {
  '100,000 stops of a ramp': map(Array.from({ length: 1e5 }, (_, at) => entry(at / 1000)).join('')),
  '60,000 values': map(Array.from({ length: 6e4 }, (_, at) => entry(at)).join(''), 'values'),
  'the same quantity 60,000 times': map(entry(5).repeat(6e4)),
  '250 elements deep': rasterStyle(`${'<Extension>'.repeat(240)}${entry(1)}${'</Extension>'.repeat(240)}`),
  '100,000 elements deep': rasterStyle(`${'<a>'.repeat(1e5)}${'</a>'.repeat(1e5)}`),
  '4 MB of comments': map(`${'<!-- nothing -->'.repeat(250_000)}${entry(1)}${entry(9)}`),
  'a label of 4 MB': map(entry(1, `label="${'щ'.repeat(2_000_000)}"`) + entry(9)),
  '50,000 RasterSymbolizers': rasterStyle(
    `</RasterSymbolizer>${'<RasterSymbolizer><Opacity>0.5</Opacity></RasterSymbolizer>'.repeat(5e4)}<RasterSymbolizer>`,
  ),
  '50,000 rules': rasterStyle(
    `</RasterSymbolizer></Rule>${'<Rule><PolygonSymbolizer><Fill/></PolygonSymbolizer></Rule>'.repeat(5e4)}<Rule><RasterSymbolizer>`,
  ),
  'an expression in its quantities': map(
    entry('${1+1}') + entry('<ogc:Function name="env"/>'.replaceAll(/[<>"]/g, '')),
  ),
  'quantities of 10^308 and less': map(entry('1e308') + entry('-1e308') + entry('1e-320') + entry('0')),
  'a ramp of no width': map(entry(3) + entry(3, '', '#ff0000') + entry(3, '', '#00ff00')),
  'opacities beyond their range': map(entry(1, 'opacity="-7"') + entry(9, 'opacity="1e99"')),
  'colours that are none': map(entry(1, '', 'url(x)') + entry(2, '', '#12345') + entry(9, '', 'rgb(0,0,0)')),
  'no entries': map(''),
  'a channel that is not there': rasterStyle(
    `<ChannelSelection><GrayChannel><SourceChannelName>65535</SourceChannelName></GrayChannel></ChannelSelection><ColorMap>${entry(1)}${entry(9)}</ColorMap>`,
  ),
  'a channel with a name': rasterStyle(
    `<ChannelSelection><GrayChannel><SourceChannelName>__proto__</SourceChannelName></GrayChannel></ChannelSelection><ColorMap>${entry(1)}</ColorMap>`,
  ),
  'pictures elsewhere': rasterStyle(
    `</RasterSymbolizer><PointSymbolizer><Graphic><ExternalGraphic><OnlineResource xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="${canary.url}/a.svg"/><Format>image/svg+xml</Format></ExternalGraphic></Graphic></PointSymbolizer><RasterSymbolizer>`,
  ),
  'scripts in labels': map(
    entry(1, `label="${escaped}"`) + entry(9, `label="javascript:alert(1)"`),
    'values',
  ),
  'controls and turned letters in labels': map(
    entry(1, 'label="\u202Eabc&#10;&#9;\u2066"') + entry(9),
    'values',
  ),
};

async function apply(sld: string): Promise<void> {
  assert.equal(await setStyle(baseUrl, `/datasets/${id}`, sld), 200);
}

/** Names of what is left out of the style of a tile. */
async function leftOut(): Promise<readonly string[]> {
  const { status, headers, bytes } = await askPatiently(tilePath);
  assert.equal(status, 200, bytes.toString('latin1', 0, 300));
  return (headers.get('x-style-left-out') ?? '').split(/\s*,\s*/).filter((name) => name !== '');
}

describe('a style', () => {
  for (const [name, sld] of sampleOf(Object.entries(hostile), 3)) {
    test(`with ${name} is refused in a sentence, or drawn within bounds`, async () => {
      const stored = await setStyle(baseUrl, `/datasets/${id}`, sld);
      assert.ok([200, 413, 422].includes(stored), String(stored));
      for (const path of [tilePath, ...['legend.json', 'legend.png', 'thumbnail.png'].map(ofDataset)]) {
        const { status, headers, bytes } = await askPatiently(path);
        assert.ok([200, 409, 422].includes(status), `${path}: ${status} ${bytes.toString('latin1', 0, 300)}`);
        if (path.endsWith('.png') && status === 200) {
          assert.equal(headers.get('content-type'), 'image/png');
          assert.equal(bytes.toString('latin1', 1, 4), 'PNG');
        }
        assert.ok(bytes.length < 2 * MiB, `${path} has ${bytes.length} bytes`);
        assert.equal(headers.get('x-content-type-options'), 'nosniff');
      }
      assert.equal((await fetch(`${baseUrl}/healthz`)).status, 200);
    });
  }

  test('with pictures elsewhere does not fetch them, and says that they are left out', async () => {
    await apply(hostile['pictures elsewhere'] ?? '');
    assert.ok((await leftOut()).includes('pictures'));
    for (const path of ['legend.png', 'thumbnail.png']) await askPatiently(ofDataset(path));
    assert.equal(canary.connections(), 0);
  });

  test('with more stops than are drawn says so', async () => {
    await apply(hostile['100,000 stops of a ramp'] ?? '');
    assert.ok((await leftOut()).includes('stops_beyond_limit'));
  });

  test('with scripts in its labels has them as text in its legend', async () => {
    await apply(hostile['scripts in labels'] ?? '');
    const { headers, bytes } = await askPatiently(ofDataset('legend.json'));
    assert.match(headers.get('content-type') ?? '', /^application\/json/);
    const text = JSON.stringify(JSON.parse(bytes.toString()));
    assert.ok(text.includes(JSON.stringify(scriptLabel).slice(1, -1)), text);
  });

  test('whose quantities are in no order, come twice or are no numbers draws the others', async () => {
    const [, entries = ''] = /<ColorMap type="values">(.*)<\/ColorMap>/.exec(clean) ?? [];
    const shuffled = (entries.match(/<ColorMapEntry[^>]*>/g) ?? []).toReversed();
    const wrong = ['NaN', 'Infinity', '-Infinity', '1e999', '', 'x'].map((text) => entry(text));
    await apply(map([...wrong, ...shuffled, ...wrong, ...shuffled.slice(3)].join(''), 'values'));
    const messy = await askPatiently(tilePath);
    assert.equal(messy.status, 200, messy.bytes.toString('latin1', 0, 300));
    assert.deepEqual(messy.bytes, cleanTile.bytes);
    assert.ok((await leftOut()).includes('quantities'));
  });

  test('that is changed again and again leaves no memory behind', async () => {
    for (let round = 0; round < styleChanges; round += 1) {
      const shift = (round * 0x01_03_07) & 0xff_ff_ff;
      await apply(
        squaresStyle((value) => `#${((shift + value * 977) & 0xff_ff_ff).toString(16).padStart(6, '0')}`),
      );
      assert.equal((await ask(tilePath)).status, 200);
    }
    const { resident, peak } = await memoryOf(drawing.service.pid);
    assert.ok(peak < mostMemory, `${Math.round(resident / MiB)} MiB, ${Math.round(peak / MiB)} at most`);
    await eventually('it answers', async () => (await fetch(`${baseUrl}/healthz`)).status === 200);
  });
});

function ofDataset(path: string): string {
  return `${baseUrl}/datasets/${id}/${path}`;
}
