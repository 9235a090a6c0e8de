import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { messageOf } from '../../../src/lib/error-facts.ts';
import { closeAfterTests, temporaryFolder } from '../../support/for-tests.ts';
import { inLanes } from '../../support/maps/lanes.ts';
import { installPythonTools } from '../../support/tools/python-tools.ts';
import { isLongTier, repetitions } from '../../support/tier.ts';
import { startDrawing, type TileJson } from '../../support/maps/tiles.ts';

const execute = promisify(execFile);

/** Python that makes the rasters and the tiles for comparison, with its own PROJ and GDAL. */
const python = join(
  installPythonTools({
    name: 'tiles-judge',
    packages: ['rasterio==1.4.4', 'pyproj==3.7.2', 'pillow==13.0.0'],
  }),
  'python',
);
/** Least share of the pixels over a raster that show exactly the pixel at their centre; all show that one or a neighbour. */
const leastExact = 0.97;
const uploadsAtOnce = 4;
const tilesPerZoom = repetitions('TILES_PER_ZOOM', 1, 6);

/** One raster of each kind for the short tier: places, gaps, embedded colours, sizes. Codecs and types are compared with their COG. */
const representative = [
  'geographic',
  'Pulkovo 1942, zone 13',
  'polar stereographic with its pole',
  'UTM over 180',
  'rotated',
  'a ramp',
  'mask',
  'RGBA',
  'one pixel',
];

interface Case {
  readonly name: string;
  readonly file: string;
  readonly sld?: string;
  /** True for a COG that the service stores unchanged. */
  readonly kept: boolean;
  readonly paint: unknown;
  /** Largest difference of a pixel of lossy compression between decoders. */
  readonly lossy: number;
}

interface Outcome {
  readonly name: string;
  /** Reason why the tiles of a raster could not be compared; the other members are then absent. */
  readonly failure?: string;
  readonly native: number;
  readonly tilejson: TileJson;
  readonly tiles: number;
  /** Pixels of tiles with their centre in the raster, and the number of those that show exactly the pixel there. */
  readonly inside: number;
  readonly exact: number;
  /** Pixels that show none of the nine around their centre, by tile. */
  readonly wrong: readonly { readonly path: string; readonly pixels: number; readonly first: unknown }[];
  readonly viewDiffersBy: number;
}

const folder = await temporaryFolder();
const program = (name: string) => join(import.meta.dirname, 'proj', name);
await execute(python, [program('rasters.py'), folder, ...(isLongTier ? [] : representative)]);
const cases: readonly Case[] = JSON.parse(await readFile(join(folder, 'cases.json'), 'utf8'));
const drawing = await closeAfterTests(startDrawing());
const ids = await uploadAll();
const outcomes = await judgeAll();

async function uploadAll(): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  await inLanes(cases, uploadsAtOnce, async ({ name, file, sld }) => {
    const id = await drawing.upload(Buffer.from(await readFile(join(folder, file))), file);
    found.set(name, id);
    if (sld !== undefined) assert.equal(await drawing.setStyle(`/datasets/${id}`, sld), 200);
    await drawing.makeReady(id);
  });
  return found;
}

/** Compares every raster with what the service has made from it. */
async function judgeAll(): Promise<ReadonlyMap<string, Outcome>> {
  const manifest = join(folder, 'manifest.json');
  const entries: unknown[] = [];
  await inLanes(cases, uploadsAtOnce, async (one) => {
    const id = ids.get(one.name) ?? '';
    const failure = await drawing.awaitView(id).then(() => undefined, messageOf);
    const [cog = '', view] = [await drawing.keyOf(id, 'cog'), await drawing.keyOf(id, 'view_cog')];
    const paths = { cog: drawing.pathOf(cog), path: drawing.pathOf(view ?? cog) };
    entries.push({ ...one, id, failure, turn: cases.indexOf(one), ...paths });
  });
  await writeFile(manifest, JSON.stringify(entries));
  const maxBuffer = 64 * 1024 * 1024;
  const { stdout } = await execute(
    python,
    [program('judge.py'), drawing.baseUrl, manifest, String(tilesPerZoom)],
    { maxBuffer },
  );
  const read = (line: string): Outcome => JSON.parse(line);
  return new Map(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => [read(line).name, read(line)]),
  );
}

describe('tiles equal nearest sampling through PROJ', () => {
  for (const { name, file, kept, lossy } of cases) {
    test(name, async () => {
      const outcome = outcomes.get(name);
      assert.ok(outcome !== undefined);
      assert.equal(outcome.failure, undefined);
      if (kept) {
        const sent = await readFile(join(folder, file));
        const key = await drawing.keyOf(ids.get(name) ?? '', 'cog');
        const stored = await readFile(drawing.pathOf(key ?? ''));
        assert.ok(stored.equals(sent), 'the precondition: the file is passed through');
      }
      const { inside, exact, wrong, native, tilejson, tiles } = outcome;
      assert.deepEqual(wrong, []);
      assert.ok(
        tilejson.minzoom <= native && native <= tilejson.maxzoom,
        JSON.stringify({ native, tilejson }),
      );
      assert.ok(tiles > 0 && inside > 0, `${tiles} tiles with ${inside} pixels of the raster`);
      assert.ok(exact / inside >= leastExact, `${exact} of ${inside} pixels are the very one`);
      assert.ok(outcome.viewDiffersBy <= lossy, `the copy for views differs by ${outcome.viewDiffersBy}`);
    });
  }

  test('of every kind of raster that is drawn', () => {
    if (isLongTier) assert.ok(cases.length >= 60, `${cases.length} rasters`);
    else assert.equal(cases.length, representative.length);
  });
});
