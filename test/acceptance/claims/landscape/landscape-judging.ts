import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { checkedElsewhere, claim } from '../../claim.ts';
import type { Client } from '../../client.ts';
import { fetchBytes } from '../../support/bytes.ts';
import { type Dataset, once, settle } from '../../support/datasets.ts';
import {
  endOf,
  firstRun,
  goldenPins,
  outputOf,
  pixelsOf,
  type Run,
  startRun,
} from '../../support/landscape.ts';
import { assertNear, made, sumOf } from '../../support/made.ts';

// Workers make and count the requested results of a run. Tests in one process check the figures and the
// refusals.

interface Land {
  readonly area_ha: number;
  readonly not_allocable_ha: number;
  readonly no_data_ha: number;
}
interface Balance {
  readonly codes: readonly number[];
  readonly raster: Land & { readonly functional: readonly number[] };
}
interface Limits {
  readonly raster: Land & { readonly classes: readonly { readonly class: number; readonly ha: number }[] };
}
type Compared = Readonly<
  Record<'changed_ha' | 'unchanged_ha' | 'only_a_ha' | 'only_b_ha' | 'no_data_ha', number>
>;
type Where = Readonly<Record<'area_ha' | 'meets_ha' | 'fails_ha' | 'no_data_ha', number>>;

const pathOf = (run: Run, rest: string) => `/landscape/runs/${run.id}/${rest}`;
const read = async <T>(client: Client, path: string): Promise<T> => (await made(client, path)).read<T>();

/** Share of the pixels of a node with a wanted value: the areas of pixels of the golden grid differ by less than 1 %. */
async function shareOf(client: Client, run: Run, node: string, isWanted: (value: number) => boolean) {
  const pixels = await pixelsOf(client, run, node);
  return pixels.filter(isWanted).length / pixels.length;
}

/** A run over the same rasters with another threshold and another order. */
const strictRun = once(async (client): Promise<Run> => {
  const params = { v1_min_s_e3: 5, tie_priority: [5, 4, 3, 2, 1] };
  return await endOf(client, (await startRun(client, { overrides: await goldenPins(client), params })).id);
});

claim(
  ['D6 balance', 'D6 balance waits', 'D6 made at request'],
  'the land of a run is counted when its balance is asked for, and balances with its pixels',
  async (client) => {
    const run = await firstRun(client);
    const { codes, raster } = await read<Balance>(client, pathOf(run, 'balance?by=region'));
    assertNear(sumOf(raster.functional) + raster.not_allocable_ha + raster.no_data_ha, raster.area_ha);
    for (const [place, code] of codes.entries()) {
      const share = await shareOf(client, run, '34', (value) => value === code);
      assertNear((raster.functional[place] ?? NaN) / raster.area_ha, share, 0.01);
    }
  },
);

claim(['D6 compare'], 'two runs are compared by hectares, those of the whole raster', async (client) => {
  const [a, b] = [await firstRun(client), await strictRun(client)];
  // Zones are compared by cells, leading sectors by pixels.
  for (const node of ['34', '32']) {
    const compared = await read<Compared>(client, pathOf(a, `compare/${b.id}?node=${node}`));
    const zones = `/datasets/${outputOf(a, node)}/areas`;
    const { raster } = await read<{ raster: { area_ha: number } }>(client, zones);
    const { changed_ha: changed, unchanged_ha: unchanged, no_data_ha: none } = compared;
    assertNear(changed + unchanged + compared.only_a_ha + compared.only_b_ha + none, raster.area_ha);
    assert.ok(changed > 0);
  }
});

claim(['D6 limits', 'D6 where'], 'layers of limits and of conditions are made, and drawn', async (client) => {
  const run = await firstRun(client);
  const { raster: limits } = await read<Limits>(client, pathOf(run, 'limits?sector=23&by=region'));
  const classes = sumOf(limits.classes.map(({ ha }) => ha));
  assertNear(classes + limits.not_allocable_ha + limits.no_data_ha, limits.area_ha);
  for (const { class: rating, ha } of limits.classes)
    assertNear(ha / limits.area_ha, await shareOf(client, run, '23', (value) => value === rating), 0.01);
  const where = 'conditions=S23>=3&by=region';
  const { raster } = await read<{ raster: Where }>(client, pathOf(run, `where?${where}`));
  assertNear(raster.meets_ha + raster.fails_ha + raster.no_data_ha, raster.area_ha);
  assertNear(raster.meets_ha / raster.area_ha, await shareOf(client, run, '23', (value) => value >= 3), 0.01);
  for (const tile of ['limits/tiles/0/0/0.png?sector=23', `where/tiles/0/0/0.png?${where}`])
    assert.equal((await made(client, pathOf(run, tile))).headers.get('content-type'), 'image/png');
});

claim(['D6 input sensitivity'], 'inputs are moved, and the answer stays the same', async (client) => {
  const path = pathOf(await firstRun(client), 'input-sensitivity?delta=10');
  const { inputs } = await read<{ inputs: readonly { is_moved: boolean }[] }>(client, path);
  const moved = inputs.filter(({ is_moved: isMoved }) => isMoved);
  assert.deepEqual([inputs.length, moved.length], [13, 10]);
  assert.deepEqual(await read(client, path), await read(client, path));
});

claim(
  ['D6 gaps', 'D6 gaps place', 'D6 explain'],
  'a hole is known as one wherever it is asked for',
  async (client) => {
    const run = await firstRun(client);
    const gaps = await client.get<{ grid_ha: number; without_zone_ha: number }>(pathOf(run, 'gaps'));
    const holes = await shareOf(client, run, '34', (value) => value === 0);
    assertNear(gaps.without_zone_ha / gaps.grid_ha, holes, 0.01);
    const { bbox = [] } = await client.get<Dataset>(`/datasets/${outputOf(run, '34')}`);
    const [west = 0, south = 0, east = 0, north = 0] = bbox;
    const zones = new Set<boolean>();
    for (const share of [0.1, 0.3, 0.5, 0.7, 0.9]) {
      const place = `?lon=${west + share * (east - west)}&lat=${north + 0.95 * (south - north)}`;
      const { zone } = await client.get<{ zone: number | null }>(pathOf(run, `gaps${place}`));
      const { code } = await client.get<{ code: object | null }>(pathOf(run, `explain${place}`));
      assert.equal(zone === null, code === null, place);
      zones.add(zone === null);
    }
    assert.equal(zones.size, 2, 'some of these places are holes');
  },
);

claim(['D6 polygons'], 'the zones of a run become a vector dataset', async (client) => {
  const run = await firstRun(client);
  const answer = await made(client, pathOf(run, 'polygons'), 'POST', { json: {} });
  const {
    dataset_id: id,
    pixels_ha: pixels,
    polygons_ha: area,
  } = answer.read<{
    dataset_id: string;
    pixels_ha: number;
    polygons_ha: number;
  }>();
  assertNear(pixels, area, 1e-6);
  const { status, file_type: type } = await settle(client, id);
  assert.deepEqual([status, type], ['ready', 'vector']);
});

claim(
  ['D6 report', 'D7 atlas', 'D7 dossier', 'D7 manifest'],
  'a run has a report, an atlas and a dossier, whose manifest names its outputs by digest',
  async (client) => {
    const run = await firstRun(client);
    const { raster } = await read<{ raster: { classes: Readonly<Record<string, number>> } }>(
      client,
      `/datasets/${outputOf(run, '34')}/areas`,
    );
    const report = (await made(client, pathOf(run, 'report.html?lang=kk'))).text;
    const digits = new Set(report.replaceAll(/(\d)[,\u00a0](?=\d{3}(?!\d))/g, '$1').match(/\d+/g));
    for (const hectares of Object.values(raster.classes))
      assert.ok(digits.has(String(Math.floor(hectares))) || digits.has(String(Math.round(hectares))));
    const { chosen_by_order: chosen } = await read<{ chosen_by_order: { sentence: string } }>(
      client,
      pathOf(run, 'balance?by=region&lang=kk'),
    );
    assert.ok(report.includes(chosen.sentence));
    assert.match((await made(client, pathOf(run, 'atlas.pdf?by=region'))).text, /^%PDF-/);
    const archive = await made(client, pathOf(run, 'dossier.zip?with=cogs'));
    assert.ok(archive.text.startsWith('PK'));
    const { nodes } = await read<{ nodes: readonly { code: string; output: { cog: { sha256: string } } }[] }>(
      client,
      pathOf(run, 'dossier/manifest.json'),
    );
    assert.equal(nodes.length, run.nodes.length);
    for (const { code, output } of nodes) {
      const { bytes } = await fetchBytes(client, 200, `/datasets/${outputOf(run, code)}.cog`);
      assert.equal(createHash('sha256').update(bytes).digest('hex'), output.cog.sha256, code);
    }
  },
);

checkedElsewhere('src/landscape/balance/judged-run.test.ts', {
  'has the areas that counting the rasters of real runs finds, of its own case and of another': [
    'D6 balance',
  ],
  'adds up: classes, holes and what lies outside are each unit, and units are the raster': ['D6 balance'],
  'says that its land is being counted, and has the figures once it is': ['D6 balance waits'],
  'loses and gains what the difference of two real runs says': ['D6 sensitivity'],
  'is contested where its suitability rasters say so': ['D6 conflicts'],
  'is drawn as a real run with these parameters is, and contested land and stability over it': [
    'D6 judged maps',
  ],
  'is asked for again by its ETag, in three languages, and its cells by ranges': [
    'D6 conflicts',
    'D6 layers',
  ],
  'is refused with a reason where zones do not follow from cells, before its end, and for what does not exist':
    ['D6 balance'],
});
checkedElsewhere('src/landscape/balance/judged.test.ts', {
  'loses and gains what a count after each change finds, and names what cannot be tried': ['D6 sensitivity'],
  'keeps its codes where every case has them': ['D6 stability'],
});
checkedElsewhere('src/landscape/layers/layers.test.ts', {
  'is the zoning of runs, pixel by pixel, by whatever thresholds and order': ['D6 layers'],
});
checkedElsewhere('src/landscape/comparison/comparisons.test.ts', {
  'the comparison is pending until the rasters are counted, then has matrix, units and what differs': [
    'D6 compare',
  ],
  'runs of two versions of the graph differ in that, and are counted from their rasters': ['D6 compare'],
  'what cannot be compared is refused with the reason': ['D6 compare refusals'],
  'a tile shows what has changed in the colour of what it has become, all else pale': ['D6 compare tiles'],
  'one change alone is shown where its pixels are': ['D6 compare tiles'],
  'the legend says what the colours mean, in the language of the reader': ['D6 compare tiles'],
});
checkedElsewhere('src/landscape/limits/limits.test.ts', {
  '${sector}: classes are those of the raster, in all units, and parts add up': ['D6 limits'],
  '${sector}: ${relieved} relieved has the areas of a run over such a raster': ['D6 limits relieved'],
  'a factor of another sector, a pinned sector and an unknown unit are refused': [
    'D6 limits',
    'D6 limits relieved',
  ],
  'is counted as an own look at the rasters counts it, holes too': ['D6 where'],
});
checkedElsewhere('src/landscape/limits/limit-colours.test.ts', {
  'tiles of what limits ${node.code} have the colours of the legend': ['D6 limits map'],
  'tiles of places that meet conditions draw these alone': ['D6 where'],
});
checkedElsewhere('src/landscape/input-moves/input-sensitivity.test.ts', {
  'is computed once, however many ask at once, and after children have died': ['D6 input sensitivity'],
  'moves what is measured, names what is not moved, and puts the greatest change first': [
    'D6 input sensitivity',
  ],
});
checkedElsewhere('src/landscape/explain/explain.test.ts', {
  'agrees with the rasters of the run, and each decision with its kernel': ['D6 explain'],
  'names the inputs that are missing in a hole, why, and has no change': ['D6 explain'],
  'has changes that alter the zoning, and nothing smaller does': ['D6 explain changes'],
  'is what its schema describes, in three languages': ['D6 explain languages'],
});
checkedElsewhere('src/landscape/gaps/gaps.test.ts', {
  'are those that counting its rasters pixel by pixel finds': ['D6 gaps'],
  'name what the rasters lack there': ['D6 gaps place'],
  'do not exist outside of the grid': ['D6 gaps place'],
  'is near to what a run counts': ['D6 gaps estimate'],
});
checkedElsewhere('src/landscape/polygons/run-polygons.test.ts', {
  'are made once, and become a vector dataset that is ready': ['D6 polygons'],
  'are those of any run with the same raster': ['D6 polygons list'],
  'are made again once their dataset is deleted, and forgotten with their raster': ['D6 polygons list'],
  'with a minimum area and by unit say what they have moved': ['D6 polygons merged'],
  'of too many zones are 422 with the minimum area that fits, for all who ask': ['D6 polygons merged'],
});
checkedElsewhere('src/landscape/make/make-input.test.ts', {
  'of an attribute, with a table whose first row wins': ['D6 make', 'D6 make lineage', 'D6 make attributes'],
  'once for the same recipe and sources, whose recipe the dataset gives back': ['D6 make', 'D6 make lineage'],
  'unless a value has no row: then it is refused with its name, or left out and reported': [
    'D6 make attributes',
  ],
  'with a table that is suggested from the words of the classes': ['D6 make attributes'],
  'of distances, up to a limit': ['D6 make distances'],
  'of rasters side by side, and of months': ['D6 make from rasters'],
  'though the engine and workers die under it, and only once': ['D6 make'],
  'again when a source has a fresher dataset in its group': ['D6 make lineage'],
});
checkedElsewhere('test/http/documented-statuses.test.ts', {
  'the report of a run needs nothing else, says its digests, and is kept until it changes': ['D6 report'],
});
checkedElsewhere('src/landscape/dossier/dossier.test.ts', {
  'has what the run was made of, and proves it': ['D7 dossier', 'D7 manifest', 'D7 manifest maker'],
  'is the same file each time, with its length and a strong ETag, and 304 for a client that has it': [
    'D7 dossier bytes',
  ],
  'over the manifest is stored, shown, and in the dossier, and covers the run and its rasters': [
    'D7 dossier facts',
    'D7 signature',
  ],
  'breaks the connection when an object is damaged, and is refused when one is gone': ['D7 dossier broken'],
  'stays over what was signed when a dataset is deleted later': ['D7 dossier deleted'],
  'over other bytes, by another key, outside of its validity, or malformed is refused': [
    'D7 signature checked',
  ],
  'over the inventory covers every member, and the dossier keeps what was signed': [
    'D7 inventory',
    'D7 signature keeps',
  ],
  'that cannot be checked is stored, and takes the place of no right one': ['D7 signature in force'],
  'names what is missing, added, renamed, twice, and of another size': ['D7 verify'],
  'is computed again bit for bit, without the service, which shows a raster that was forged in all lists': [
    'D7 verify recompute',
  ],
});
checkedElsewhere('src/print/sheets.test.ts', {
  'is made once, has an index and a sheet for each unit, and goes with its zoning': [
    'D7 atlas',
    'D7 atlas tables',
  ],
  'of no unit on the zoning is refused': ['D7 atlas'],
});
checkedElsewhere('src/landscape/runs/run-records.test.ts', {
  'is an empty draft of revision 0 until something is said': ['D7 record'],
  'is replaced as a whole, and each change stays in the history': ['D7 record change', 'D7 record history'],
  'said once more makes no other revision': ['D7 record change'],
  'of one who has read an older revision is 412, and of all at once one is stored': ['D7 record ETag'],
  'without If-Match is stored whatever came before: of all at once each is a revision': ['D7 record ETag'],
  'shows in lists and in the run, and lists can be narrowed to a state': ['D7 record lists'],
  'the author of a change is the name of the token': ['D7 record author'],
  'what it has read, made and reused cannot be deleted, and the refusal names it': ['D7 adopted'],
  'it can only be one that has succeeded, with all its datasets': ['D7 adopted only'],
  'its record names the outputs whose style is another one than then': ['D7 adopted styles'],
  'either the run is adopted with all its datasets, or not': ['D7 adopted races'],
});
checkedElsewhere('src/landscape/runs/lineage.test.ts', {
  'of an upload is the upload, with the digest of its bytes': ['D7 lineage'],
  'goes through outputs that were reused and pinned, down to the uploads': ['D7 lineage'],
  'names what was deleted, and goes on behind it': ['D7 lineage deleted'],
  'of more than 1,000 datasets has the nearest ones, and says so': ['D7 lineage bound'],
});
