import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Problem } from '../../lib/errors.ts';
import { nearestChanges, type RunPixel } from './changes.ts';
import { explainPlace, valuesOf } from './routes.ts';
import { pixelGraphOf, valuesIn } from './pixel.ts';
import { readPlaceOfRun } from './read-place.ts';
import { LandscapeExplanation } from './schema.ts';
import { stepOf } from './steps.ts';
import { graphVersion, nodes } from '../graph/graph.ts';
import { functionalZoning, useZone } from '../graph/nodes.ts';
import type { LandscapeRun } from '../runs/schema.ts';
import { cancelRun, readRun, type StoredRun } from '../runs/run-rows.ts';
import { openExplainedLandscapes, placeOn } from '../../../test/support/landscape/explained-landscape.ts';
import { closeAfterTests } from '../../../test/support/for-tests.ts';
import { drawnLeaves, drawnTourism, grid as gapGrid } from '../../../test/support/landscape/gap-landscape.ts';
import { insertSucceededRun } from '../../../test/support/landscape/gap-runs.ts';
import { randomOf } from '../../../test/support/landscape/plan-changes.ts';
import { startRuns } from '../../../test/support/landscape/runs.ts';
import { repetitions } from '../../../test/support/tier.ts';
import {
  assertNearest,
  assertNearestParams,
  zoningWith,
} from '../../../test/support/landscape/tried-changes.ts';
import { degreesFrame, metresFrame, variedGrid } from '../../../test/support/landscape/varied-landscape.ts';

const runs = await closeAfterTests(startRuns());
const landscapes = await closeAfterTests(openExplainedLandscapes(runs));
const { rasterPoints } = landscapes;
const { db } = runs;
const { signal } = new AbortController();
const { width, height } = variedGrid;

/** An order and thresholds for which changes go both ways. */
const params = { tie_priority: [3, 5, 1, 4, 2], v1_min_s_e3: 3, v2_min_s_e3: 2, v2_min_s_e4: 3 };
const drawn: {
  readonly frame: typeof degreesFrame;
  readonly run: LandscapeRun;
  readonly stored: StoredRun;
  readonly outputs: ReadonlyMap<string, Float64Array>;
}[] = [];
for (const [frame, given] of [
  [degreesFrame, {}],
  [metresFrame, params],
] as const) {
  const run = await runs.execute({ overrides: await landscapes.draw(frame), params: given });
  assert.equal(run.status, 'succeeded', run.error ?? '');
  const stored = (await readRun(db, run.id)) ?? assert.fail();
  drawn.push({ frame, run, stored, outputs: await landscapes.outputsOf(run) });
}
const [first = assert.fail(), second = assert.fail()] = drawn;
type Drawn = typeof first;

const explain = async (
  { run, frame }: Drawn,
  column: number,
  row: number,
  language: 'en' | 'ru' | 'kk' = 'en',
) =>
  await explainPlace(
    { db, rasterPoints },
    { runId: run.id, ...(await placeOn(frame, column, row)), language },
    signal,
  );

async function pixelAt({ stored, frame }: Drawn, column: number, row: number): Promise<RunPixel> {
  const request = { run: stored, ...(await placeOn(frame, column, row)) };
  const place = await readPlaceOfRun(rasterPoints, request, signal);
  assert.deepEqual(place.pixel, { column, row });
  const graph = pixelGraphOf((group) => Object.hasOwn(stored.overrides, group));
  return { graph, values: valuesOf(place), params: stored.params };
}

const somewhere = (random: () => number) =>
  [Math.floor(random() * width), Math.floor(random() * height)] as const;

for (const [index, landscape] of drawn.entries()) {
  describe(`an explanation on landscape ${index + 1}`, () => {
    test('agrees with the rasters of the run, and each decision with its kernel', async () => {
      const random = randomOf(index + 1);
      const seen = new Set<string>();
      for (let i = 0; i < repetitions('STEPPE_EXPLAINED_PIXELS', 60, 5000); i += 1) {
        const [column, row] = somewhere(random);
        const pixel = await pixelAt(landscape, column, row);
        const valueOf = valuesIn(pixel.values);
        const name = (code: string) => `node ${code} at ${column}, ${row}`;
        for (const node of nodes) {
          const raster = landscape.outputs.get(node.code)?.[row * width + column];
          assert.equal(pixel.values.get(node.code), raster, name(node.code));
          const { decision, value } = stepOf(node, valueOf, pixel.params);
          seen.add(`${node.code} ${decision.rule}`);
          if (decision.rule === 'missing' || decision.rule === 'not_allocable') continue;
          if (decision.value !== undefined) assert.equal(decision.value, value, name(node.code));
        }
        assert.equal(zoningWith(pixel, new Map()), pixel.values.get('34'), name('34'));
      }
      for (const rule of ['26 floor', '26 greatest_rating', '32 order', '34 not_allocable', '34 missing'])
        assert.ok(seen.has(rule), rule);
    });

    test('has changes that alter the zoning, and nothing smaller does', async (context) => {
      const random = randomOf(index + 11);
      const kinds = new Set<string>();
      const places = repetitions('STEPPE_EXPLAINED_CHANGES', 15, 400);
      let [said, tried] = [0, 0];
      for (let i = 0; i < places; i += 1) {
        const zones = landscape.outputs.get(useZone.code) ?? assert.fail();
        const isOpen = ([column, row]: readonly [number, number]) =>
          [1, 2].includes(zones[row * width + column] ?? 0);
        // Every second place is one where sectors compete.
        const candidates = Array.from({ length: 200 }, () => somewhere(random));
        const place = candidates.find((each) => i % 2 === 1 || isOpen(each)) ?? assert.fail();
        const pixel = await pixelAt(landscape, ...place);
        const changes = nearestChanges(pixel);
        if (pixel.values.get(functionalZoning.code) === 0) {
          assert.deepEqual(changes, []);
          continue;
        }
        tried += assertNearest(pixel, changes, random);
        said += changes.length;
        assertNearestParams(pixel, changes);
        for (const change of changes) kinds.add(change.kind);
      }
      assert.deepEqual([...kinds].toSorted(), ['class', 'number', 'order', 'threshold']);
      context.diagnostic(`${places} places, ${said} changes, ${tried} values tried`);
    });
  });
}

/** Finds a pixel that satisfies a condition. */
async function findPixel(
  landscape: Drawn,
  isWanted: (valueOf: (code: string) => number) => boolean,
): Promise<readonly [number, number]> {
  for (let i = 0; i < width * height; i += 1)
    if (isWanted((code) => landscape.outputs.get(code)?.[i] ?? 0)) return [i % width, Math.floor(i / width)];
  return assert.fail('there is no such pixel');
}

const sectorCodes = ['21', '22', '23', '24', '25'];

describe('an explanation', () => {
  test('is what its schema describes, in three languages', async () => {
    const [column, row] = await findPixel(first, (valueOf) => valueOf('34') > 10 && valueOf('34') < 30);
    const found = [];
    for (const language of ['en', 'ru', 'kk'] as const) {
      const explained = LandscapeExplanation.parse(await explain(first, column, row, language));
      assert.equal(explained.language, language);
      assert.ok(explained.sentence.includes(String(explained.code?.value)), explained.sentence);
      found.push(explained);
      const texts =
        JSON.stringify(explained).match(/"(?:text|title|sentence|class_title|interval)":"[^"]+"/g) ?? [];
      assert.ok(texts.length > 100);
      if (language === 'en') continue;
      for (const text of texts.map((each) => each.slice(each.indexOf(':') + 1)))
        assert.doesNotMatch(
          text,
          /undefined|null|NaN|\b(?!S|E|V\d|R|K|LS|C|ET|PET|P|NDVI|N\d|kk)[A-Za-z]{3,}/,
          text,
        );
    }
    const [english, russian, kazakh] = found.map(({ sentence }) => sentence);
    assert.equal(new Set([english, russian, kazakh]).size, 3);
    const bare = ({ nearest_changes: changes }: LandscapeExplanation) =>
      changes.map(({ text: _text, title: _title, unit: _unit, classes: _classes, ...rest }) => rest);
    assert.deepEqual(found.map(bare)[1], found.map(bare)[0]);
  });

  test('lists all sectors of a tie, and says that the order decided', async () => {
    const suitabilities = (valueOf: (code: string) => number) => sectorCodes.map(valueOf);
    const isTie = (valueOf: (code: string) => number) => {
      const most = Math.max(...suitabilities(valueOf));
      return (
        valueOf('33') < 3 &&
        valueOf('34') > 10 &&
        suitabilities(valueOf).filter((each) => each === most).length > 1
      );
    };
    for (const landscape of drawn) {
      const [column, row] = await findPixel(landscape, isTie);
      const { S, nearest_changes: changes } = await explain(landscape, column, row);
      const values = sectorCodes.map((code) => landscape.outputs.get(code)?.[row * width + column] ?? 0);
      const most = Math.max(...values);
      assert.equal(S?.decided_by, 'order');
      assert.deepEqual(
        S.sectors,
        values.flatMap((each, i) => (each === most ? [i + 1] : [])),
      );
      assert.equal(
        S.leading,
        S.order.find((sector) => S.sectors.includes(sector)),
      );
      const next = S.order[S.order.indexOf(S.leading) + 1] ?? 0;
      const isOrder = changes.some(({ kind }) => kind === 'order');
      assert.equal(isOrder, S.sectors.includes(next));
    }
    const [column, row] = await findPixel(
      first,
      (valueOf) => valueOf('34') > 10 && valueOf('34') < 30 && !isTie(valueOf),
    );
    assert.equal((await explain(first, column, row)).S?.decided_by, 'suitability');
  });

  test('marks the factors that limit: those with the least rating', async () => {
    const [column, row] = await findPixel(first, (valueOf) => valueOf('23') === 3 && valueOf('34') > 0);
    const { sectors } = await explain(first, column, row);
    const crop = sectors.find(({ sector }) => sector === 3);
    const least = crop?.factors.filter(({ rating }) => rating === 3).map(({ name }) => name) ?? [];
    assert.ok(least.length > 0);
    assert.deepEqual(crop?.limits, least);
    assert.deepEqual(
      crop.factors.filter(({ is_limiting: isLimiting }) => isLimiting).map(({ name }) => name),
      least,
    );
    assert.ok(crop.factors.every(({ rating }) => rating !== null && rating >= 3));
  });

  test('names the inputs that are missing in a hole, why, and has no change', async () => {
    const isHole = (valueOf: (code: string) => number) =>
      valueOf('05') === 1 && valueOf('34') === 0 && valueOf('14') === -9999 && valueOf('11') !== -9999;
    const [column, row] = await findPixel(first, isHole);
    const { code, missing, nearest_changes: changes, sentence, rule } = await explain(first, column, row);
    assert.deepEqual([code, changes.length, rule?.code], [null, 0, 'missing']);
    assert.ok(missing.length > 0);
    const besideNdvi = await explain(first, 2, row);
    const ndvi = besideNdvi.missing.find(({ group }) => group === 'landscape-in-ndvi');
    assert.equal(ndvi?.because, 'outside');
    assert.match(sentence, /has no zone, because/);
    assert.ok(besideNdvi.code === null || besideNdvi.code.value === 40);
  });

  test('says of water that it is set aside', async () => {
    const [column, row] = await findPixel(first, (valueOf) => valueOf('34') === 40);
    const { code, rule, S, zone, sentence } = await explain(first, column, row);
    assert.deepEqual([code?.value, rule?.code, S, zone], [40, 'not_allocable', null, null]);
    assert.match(sentence, /is excluded from the zoning/);
  });

  test('is empty beyond the grid', async () => {
    const { is_on_grid: isOn, pixel, nodes: chain, inputs, sentence } = await explain(first, -40, 3);
    assert.deepEqual([isOn, pixel, chain.length, inputs.length], [false, null, 0, 0]);
    assert.match(sentence, /outside the grid/);
  });

  test('ends at a pinned output', async () => {
    const group = 'landscape-25-tourism';
    const { frame, stored } = first;
    const { step, left, top } = frame;
    const pin = await landscapes.add({
      ...drawnTourism,
      ...variedGrid,
      affine: [left, step, 0, top, 0, -step],
      value: () => 5,
    });
    const run = await runs.execute({ overrides: { ...stored.overrides, [group]: pin } });
    assert.equal(run.status, 'succeeded', run.error ?? '');
    const pinned = { ...first, run };
    const [column, row] = await findPixel(first, (valueOf) => valueOf('34') > 10 && valueOf('34') < 40);
    const explained = await explain(pinned, column, row);
    const tourism = explained.sectors.find(({ sector }) => sector === 5);
    assert.deepEqual([tourism?.value, tourism?.is_pinned, tourism?.factors], [5, true, []]);
    const step25 = explained.nodes.find(({ node }) => node === '25');
    assert.deepEqual([step25?.is_pinned, step25?.dataset_id, step25?.rule], [true, pin, 'pinned']);
    assert.ok(!explained.nodes.some(({ node }) => node === '02'));
    assert.ok(!explained.inputs.some(({ group: each }) => each === 'landscape-in-distance-road'));
    assert.ok(explained.notes.some(({ code }) => code === 'pinned'));
    assert.ok(
      explained.nearest_changes.some(({ kind, name }) => kind === 'class' && name === '25'),
      'the pinned class is a factor',
    );
  });
});

test('an input in another CRS is said to be approximate, and the zone is that of the raster all the same', async () => {
  const overrides = { ...first.stored.overrides };
  const texture = drawnLeaves['soil-texture'] ?? assert.fail();
  const group = 'landscape-in-soil-texture';
  overrides[group] = await landscapes.add({ ...texture, value: (x, y) => (((x >> 1) + (y >> 1)) % 12) + 1 });
  const run = await runs.execute({ overrides });
  const outputs = await landscapes.outputsOf(run);
  assert.equal(gapGrid.left, first.frame.left);
  let agreed = 0;
  for (let i = 0; i < 16; i += 1) {
    const [column, row] = somewhere(randomOf(i));
    const explained = await explain({ ...first, run }, column, row);
    assert.equal(explained.code?.value ?? 0, outputs.get('34')?.[row * width + column]);
    const input = explained.inputs.find((each) => each.group === group);
    assert.deepEqual([input?.is_exact, input?.resampling], [false, 'nearest']);
    assert.ok(explained.notes.some(({ code }) => code === 'approximate'));
    const quality = explained.nodes.find(({ node }) => node === '11');
    if (quality?.is_confirmed === true) agreed += 1;
    else assert.ok(explained.notes.some(({ code }) => code === 'not_confirmed'));
  }
  assert.ok(agreed > 8, `${agreed} of 16`);
});

describe('no explanation', () => {
  const refusal = async (runId: string) =>
    await explainPlace({ db, rasterPoints }, { runId, lon: 70.1, lat: 49.9, language: 'en' }, signal).then(
      () => assert.fail('it was explained'),
      (error: unknown) =>
        error instanceof Problem ? [error.code, error.message] : assert.fail(String(error)),
    );

  test('is given of a run that has not succeeded, or of another version of the graph', async () => {
    const { id } = await runs.create();
    assert.match((await refusal(id)).join(' '), /^conflict the run has not ended/);
    await cancelRun(db, id);
    assert.match((await refusal(id)).join(' '), /^not_found the run has failed/);
    const newer = await insertSucceededRun(db, first.stored.nodes[0]?.outputId ?? '');
    await db
      .updateTable('landscape_runs')
      .set({ graph_version: graphVersion + 1 })
      .where('id', '=', newer)
      .execute();
    assert.match((await refusal(newer)).join(' '), /^conflict another version/);
    assert.match(
      (await refusal(first.stored.nodes[0]?.outputId ?? '')).join(' '),
      /^not_found there is no such run/,
    );
  });
});

test('the middle of a place is the same pixel in both landscapes', async () => {
  const { pixel } = await explain(second, 71, 23);
  assert.deepEqual(pixel, { column: 71, row: 23 });
});
