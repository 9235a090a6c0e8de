import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bbox, GeoEngine, RasterCounts } from '../../../src/geo/engine.ts';
import type { Findings } from '../../../src/geo/findings.ts';
import type { GdalChildren } from '../../../src/geo/parent/children.ts';
import { validateEngineOutput } from '../../../src/geo/parent/engine-request.ts';
import { createGdalEngine } from '../../../src/geo/parent/gdal-engine.ts';
import { Answer } from '../../../src/geo/protocol.ts';

export const noFindings: Findings = { source: null, raster: null, timings: {}, warnings: [] };

/** Properties of an engine that starts no child. */
export const noChildren: Omit<GdalChildren, 'run'> = {
  version: 'GDAL 0.0.0',
  proj: null,
  projFiles: [],
  referenceSystems: { epsg: null, folders: [], grids: [] },
  deadlineSeconds: 60,
  memoryBytes: 0,
  isolation: 'none',
  refusals: [],
  advice: undefined,
  drivers: { registered: 0, used: 0 },
  isLimited: false,
  compile: async () => undefined,
  ownResult: async (_folder, path) => path,
};

/** Answers and files of a child under the control of a hostile file. */
export interface Lie {
  readonly bbox?: Bbox;
  readonly counts?: RasterCounts;
  readonly findings?: Findings;
  readonly columns?: readonly string[];
  readonly rowCount?: number;
  /** Text of the file of rows, whole or in pieces. */
  readonly rows?: string | Iterable<string | Buffer>;
  /** Error to throw instead of an answer. */
  readonly thrown?: () => Error;
}

/** Valid counts of a raster of one pixel. */
export const noValue: RasterCounts = {
  width: 1,
  height: 1,
  area_ha: null,
  bands: [
    {
      index: 1,
      valid: 0,
      nodata: 1,
      min: null,
      max: null,
      mean: null,
      p2: null,
      p98: null,
      histogram: null,
      classes: null,
      no_data_ha: null,
    },
  ],
};

/**
 * The engine of the service over children that answer as their files say: a file contains the name of a lie.
 * A list of lies is told in order, the last one repeatedly.
 */
export function createHijackedEngine(lies: ReadonlyMap<string, readonly Lie[]>): GeoEngine {
  const told = new Map<string, number>();

  async function lieOf(name: string): Promise<Lie> {
    const known = lies.get(name);
    if (known === undefined) throw new Error(`nobody has prepared the lie ${name}`);
    const count = told.get(name) ?? 0;
    told.set(name, count + 1);
    const lie = known[Math.min(count, known.length - 1)] ?? {};
    if (lie.thrown !== undefined) throw lie.thrown();
    return lie;
  }

  return createGdalEngine({
    ...noChildren,
    async run({ request, result, inputs: [inputPath = ''], folders: [scratch] }) {
      const name = await readFile(inputPath, 'utf8');
      const { findings = noFindings, ...lie } = await lieOf(name);
      const said = await answers[request.task]?.(scratch, lie, name);
      const answer = validateEngineOutput(Answer, { outcome: 'done', result: said, findings });
      if (answer.outcome !== 'done') throw new Error('what is done is done');
      return { ...answer, result: validateEngineOutput(result, answer.result) };
    },
  });
}

const answers: Readonly<Record<string, (scratch: string, lie: Lie, name: string) => Promise<object>>> = {
  async raster(scratch, { bbox = [0, 0, 1, 1], counts }, name) {
    const cogPath = join(scratch, 'cog.tif');
    await writeFile(cogPath, name);
    return { cogPath, bbox, place: 'earth', needsView: false, counts };
  },
  async counts(_scratch, { counts = noValue }) {
    return counts;
  },
  async view() {
    return {};
  },
  async vector(scratch) {
    const geojsonPath = join(scratch, 'out.geojson');
    await writeFile(geojsonPath, '{"type":"FeatureCollection","features":[]}');
    return { geojsonPath };
  },
  async table(scratch, { columns = ['kato', '2020'], rows = '', rowCount }) {
    const rowsPath = join(scratch, 'rows.ndjson');
    await writeFile(rowsPath, rows);
    const count = typeof rows === 'string' ? rows.split('\n').filter((line) => line !== '').length : 0;
    return { columns, rowsPath, rowCount: rowCount ?? count };
  },
};
