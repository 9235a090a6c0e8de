import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Page } from 'playwright-core';
import { installDebianPackages } from '../../../scripts/debian-packages.ts';
import { openBrowser } from '../../support/browser/browser.ts';
import { closeAfterTests, temporaryFolder } from '../../support/for-tests.ts';
import { assertColours, readLegend } from '../../support/maps/legends.ts';
import { eventually } from '../../support/processes.ts';
import { projectRoot } from '../../support/project.ts';
import { documentLines } from '../../support/tools/paste.ts';
import { type Screenshot, takeScreenshot } from '../../support/browser/screenshots.ts';
import { coloursOfPng, pixelCentres, type Point, runGdal, toLonLat, valuesAt } from './gdal-tools.ts';
import { type ClientMap, days, openMaps } from './maps.ts';
import { emptyMap, servePages } from './web-pages.ts';

installDebianPackages(['gdal-bin']);

const programs = new Map<string, string>();
const site = await closeAfterTests(servePages(programs));
const { baseUrl, client, zoning, makeYears } = await openMaps({ CORS_ALLOWED_ORIGINS: site.origin });
const [firstDay, lastDay] = days;
const years = await makeYears();
const folder = await temporaryFolder();
const source = await readFile(join(projectRoot, 'examples/population-by-region.geojson'));
const population = await client.upload(
  await client.createCategory('population'),
  'vector_with_kato',
  new File([source], 'population.geojson'),
);
const settled = async (wanted: string) =>
  await eventually(wanted, async () => (await client.status(population)).status === wanted);
await settled('awaiting_mapping');
const day = '2023-12-31';
await client.map(population, { kato_column: 'kato', year_columns: [{ column: '2023', start_date: day }] });
await settled('ready');

/** Opaque colour of a value; transparent for no data. */
const rgbaOf = ({ colours }: ClientMap, value: number | undefined): readonly number[] => {
  const colour = colours.get(value ?? 0);
  return colour === undefined ? [0, 0, 0, 0] : [...Buffer.from(`${colour.slice(1)}ff`, 'hex')];
};

/** Asserts that the whole map has only colours of the legend, and that the middles of pixels have those of their values in the COG. */
async function assertDrawnByGdal(capabilities: string, map: ClientMap): Promise<void> {
  const picture = join(folder, 'map.png');
  runGdal(folder, ['gdal_translate', '-q', '-of', 'PNG', `WMTS:${capabilities}`, picture]);
  const { colours, isOpaque } = await coloursOfPng(picture);
  assertColours(colours, map.colours.values());
  assert.ok(isOpaque);
  const cog = `/vsicurl/${map.dataset}.cog`;
  const places = pixelCentres(folder, cog, 7);
  const values = valuesAt(folder, cog, places);
  const expected = values.map(([value]) => rgbaOf(map, value));
  assert.deepEqual(valuesAt(folder, picture, places), expected);
  assert.ok(new Set(values.flat()).size > 5);
}

describe('GDAL by WMTS', () => {
  test('a dataset has the colours of its legend, each where its values are', async () => {
    await assertDrawnByGdal(`${zoning.dataset}/wmts`, zoning);
  });

  test('so has a group, whose freshest raster is shown', async () => {
    await assertDrawnByGdal(`${zoning.address}/wmts`, zoning);
    await assertDrawnByGdal(`${years[lastDay].address}/wmts`, years[lastDay]);
  });

  test('another day of the dimension Time shows the raster of that day', async () => {
    const text = await (await fetch(`${years[firstDay].address}/wmts`)).text();
    const [, ...values] = text.split('<Value>').map((part) => part.split('<')[0]);
    assert.deepEqual(values, days);
    // GDAL uses the default of each dimension.
    const earlier = join(folder, 'earlier.xml');
    await writeFile(earlier, text.replace(`<Default>${lastDay}<`, `<Default>${firstDay}<`));
    await assertDrawnByGdal(earlier, years[firstDay]);
  });
});

test('GDAL reads a table by KATO from vector tiles: each region with its value, where it lies', async () => {
  const read = (from: string): FeatureCollection => {
    const args = ['-f', 'GeoJSON', '-t_srs', 'OGC:CRS84', '-lco', 'WRITE_BBOX=YES', '/vsistdout/', from];
    return JSON.parse(runGdal(folder, ['ogr2ogr', ...args]));
  };
  // The tile that contains all of Kazakhstan; GDAL derives its place from the address.
  const shown = read(`MVT:${baseUrl}/datasets/${population}/tiles/2/2/1.mvt?datetime=${day}`);
  assert.equal(shown.name, population);
  const told: FeatureCollection = JSON.parse(source.toString());
  const byCode = ({ features }: FeatureCollection, name: string) =>
    features.map(({ properties }) => `${String(properties['kato'])}: ${String(properties[name])}`).toSorted();
  assert.deepEqual(byCode(shown, 'value'), byCode(told, '2023'));
  const whole = read(`/vsicurl/${baseUrl}/datasets/${population}.geojson`);
  const pixel = 90 / 4096;
  for (const [index, edge] of whole.bbox.entries()) {
    const seen = shown.bbox[index] ?? Infinity;
    assert.ok(Math.abs(seen - edge) < 2 * pixel, `${edge} is at ${seen}`);
  }
});

interface FeatureCollection {
  readonly name: string;
  readonly bbox: readonly number[];
  readonly features: readonly { readonly properties: Readonly<Record<string, unknown>> }[];
}

const webGl = ['--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];

describe('web pages of another origin, by the lines of docs/maps.md', async () => {
  const browser = await closeAfterTests(openBrowser({ gpu: true, more: webGl }));
  const blocks = documentLines('docs/maps.md', 'js');
  const clients = [
    ['MapLibre', "style: 'https:"],
    ['MapLibre with a layer more', 'map.addSource('],
    ['OpenLayers by TileJSON', "from 'ol/source/TileJSON.js'"],
    ['OpenLayers by WMTS', "from 'ol/source/WMTS.js'"],
  ] as const;
  const cases = clients.flatMap(([name, line]) => [
    { title: `${name} shows the zoning`, line, map: zoning },
    { title: `${name} shows the last of the years`, line, map: years[lastDay] },
  ]);
  const another = { title: 'OpenLayers shows another day', line: clients[3][1], map: years[firstDay] };

  /** Opens the page with the current programs, and waits until its map is idle. */
  async function openPage() {
    const faults: string[] = [];
    const page = await browser.newPage({ viewport: { width: 800, height: 600 } });
    page.on('console', (message) => faults.push(message.text()));
    page.on('pageerror', (error) => faults.push(error.message));
    await page.goto(`${site.origin}/page`);
    // Until then the name refers to the element.
    await page.waitForFunction('typeof map.once === "function"');
    return { page, faults };
  }

  for (const { title, line, map } of [...cases, another]) {
    test(`${title} in the colours of the legend`, async () => {
      const lines = blocks.find((block) => block.includes(line)) ?? assert.fail(`no lines have ${line}`);
      const begun = line.startsWith('map.') ? `${emptyMap}\n${lines}` : lines;
      const program = begun.replaceAll('https://steppe.example/dataset-groups/ID', map.address);
      programs.set('page', map === years[firstDay] ? program.replaceAll(lastDay, firstDay) : program);
      const { page, faults } = await openPage();
      await assertDrawnByPage(page, map).finally(() => assert.deepEqual(faults, []));
      await page.close();
    });
  }

  test('MapLibre shows a table by KATO by its style, with all colours of the legend', async () => {
    const program = blocks.find((block) => block.includes("style: 'https:")) ?? '';
    const address = `${baseUrl}/datasets/${population}`;
    programs.set('page', program.replace('https://steppe.example/dataset-groups/ID', address));
    const { page, faults } = await openPage();
    const { colours } = await takePictureAtRest(page);
    for (const { colour, label } of (await readLegend(address)).entries) {
      assert.ok((colours.get(colour) ?? 0) > 100, `${label}: ${colours.get(colour)} pixels`);
    }
    assert.deepEqual(faults, []);
    await page.close();
  });
});

/** Time in which OpenLayers fades a tile in. */
const fadeMs = 250;
/** Time for which colours that are not of the legend may be those of a fade. */
const foreignForMs = 30_000;

/** Functions of the page that do the same with both libraries. */
const atRest = `new Promise((resolve) => {
  const isMapLibre = 'triggerRepaint' in map;
  map.once(isMapLibre ? 'idle' : 'rendercomplete', resolve);
  isMapLibre ? map.triggerRepaint() : map.render();
})`;
const goTo = ([lon, lat]: Point) => `'jumpTo' in map
  ? map.jumpTo({ center: [${lon}, ${lat}], zoom: 9 })
  : (map.getView().setCenter([${lon}, ${lat}]), map.getView().setZoom(10))`;
const pixelOf = (points: readonly Point[]) => `${JSON.stringify(points)}.map((point) => {
  if (!('project' in map)) return map.getPixelFromCoordinate(point);
  const { x, y } = map.project(point);
  return [x, y];
})`;

/**
 * Takes a picture of the map once it no longer changes. Both libraries fade tiles in; a busy machine may draw no frame between two
 * pictures of a fade, so that a picture with foreign colours is taken again, for some seconds.
 */
async function takePictureAtRest(page: Page, known?: ReadonlySet<string>): Promise<Screenshot> {
  await page.evaluate(atRest);
  const deadline = Date.now() + foreignForMs;
  for (let last = await takeScreenshot(page, '#map'); ;) {
    await sleep(fadeMs);
    const next = await takeScreenshot(page, '#map');
    const isFading = known !== undefined && [...next.colours.keys()].some((colour) => !known.has(colour));
    const isAtRest = isDeepStrictEqual(next.colours, last.colours);
    if (isAtRest && (!isFading || Date.now() > deadline)) return next;
    last = next;
  }
}

async function assertDrawnByPage(page: Page, map: ClientMap): Promise<void> {
  const known = new Set([...map.colours.values(), '#ffffff']);
  assertColours((await takePictureAtRest(page, known)).colours.keys(), known);

  // At a zoom where a pixel of the map covers several of the screen.
  const cog = `/vsicurl/${map.dataset}.cog`;
  const places = pixelCentres(folder, cog, 5);
  const values = valuesAt(folder, cog, places);
  const lonLats = toLonLat(folder, places);
  await page.evaluate(goTo(lonLats[lonLats.length >> 1] ?? assert.fail('no places')));
  const { colourAt, width, height, colours } = await takePictureAtRest(page, known);
  assertColours(colours.keys(), known);
  const pixels = await page.evaluate<readonly Point[]>(pixelOf(lonLats));
  let compared = 0;
  for (const [index, [x, y]] of pixels.entries()) {
    if (x < 0 || y < 0 || x >= width || y >= height) continue;
    compared += 1;
    const [value = 0] = values[index] ?? [];
    assert.equal(
      colourAt(Math.floor(x), Math.floor(y)),
      map.colours.get(value) ?? '#ffffff',
      `${lonLats[index]?.join()}`,
    );
  }
  assert.ok(compared > 50, `${compared} points`);
}
