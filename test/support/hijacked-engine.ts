import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AttributeTable, Bbox, ConvertedRaster, EngineTask, GeoEngine } from '../../src/geo/engine.ts';
import type { Findings } from '../../src/geo/findings.ts';

export const noFindings: Findings = { source: null, raster: null, timings: {}, warnings: [] };

/** What a child says and writes that a file has taken over. */
export interface Lie {
  readonly bbox?: Bbox;
  readonly findings?: Findings;
  readonly columns?: readonly string[];
  readonly rowCount?: number;
  /** The text of the file of rows, or pieces of it. */
  readonly rows?: string | Iterable<string | Buffer>;
  /** Thrown instead of an answer. */
  readonly thrown?: () => Error;
}

/**
 * An engine whose children say what their files tell them: a file holds the name of a lie. A list of lies is told one by
 * one, the last again and again.
 */
export function createHijackedEngine(lies: ReadonlyMap<string, readonly Lie[]>): GeoEngine {
  const told = new Map<string, number>();

  async function lieOf(task: EngineTask): Promise<Lie> {
    const name = await readFile(task.inputPath, 'utf8');
    const known = lies.get(name);
    if (known === undefined) throw new Error(`nobody has prepared the lie ${name}`);
    const count = told.get(name) ?? 0;
    told.set(name, count + 1);
    const lie = known[Math.min(count, known.length - 1)] ?? {};
    if (lie.thrown !== undefined) throw lie.thrown();
    return lie;
  }

  async function readTable(task: EngineTask): Promise<AttributeTable> {
    const { columns = ['kato', '2020'], rows = '', rowCount, findings = noFindings } = await lieOf(task);
    const rowsPath = join(task.scratch, 'rows.ndjson');
    await writeFile(rowsPath, rows);
    const count = typeof rows === 'string' ? rows.split('\n').filter((line) => line !== '').length : 0;
    return { columns, rowsPath, rowCount: rowCount ?? count, findings };
  }

  return {
    version: 'GDAL 0.0.0',
    async convertRaster(task): Promise<ConvertedRaster> {
      const { bbox = [0, 0, 1, 1], findings = noFindings } = await lieOf(task);
      const cogPath = join(task.scratch, 'cog.tif');
      await writeFile(cogPath, 'as good as a COG');
      return { cogPath, bbox, findings };
    },
    async assembleVector(task) {
      const { findings = noFindings } = await lieOf(task);
      const geojsonPath = join(task.scratch, 'out.geojson');
      await writeFile(geojsonPath, '{"type":"FeatureCollection","features":[]}');
      return { geojsonPath, findings };
    },
    readTable,
    readFeatures: async (task) => ({ ...(await readTable(task)), beginsWith: 'geometry' }),
    async assembleRasters() {
      return [];
    },
  };
}
