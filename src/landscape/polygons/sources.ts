import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../../database/tables/tables.ts';
import { polygonProblems } from '../../messages/zoning/english.ts';
import { nodeByCode } from '../graph/graph.ts';
import { maxSuitability, sensitivity } from '../graph/nodes.ts';
import type { GraphNode } from '../model/node.ts';
import type { StoredRun } from '../runs/run-rows.ts';
import type { PolygonsInput } from './polygons-schema.ts';

/** Part of the key: raise it when the merging or the outlining of zones changes, so that all polygons are made again. */
const methodVersion = 1;

/** An existing raster. */
interface SourceRaster {
  readonly datasetId: string;
  readonly cogKey: string;
  readonly createdAt: Date;
  readonly startDate: string | null;
  readonly endDate: string | null;
}

/** The inputs of polygons. */
export interface PolygonSources {
  readonly node: GraphNode;
  readonly classes: SourceRaster;
  /** The rasters for the description of zones; undefined if the run has pinned others, or they were deleted. */
  readonly suitability: SourceRaster | undefined;
  readonly sensitivity: SourceRaster | undefined;
  /** Equal for equal files. */
  readonly key: string;
}

/**
 * Finds the rasters of a run.
 * @param districtsVersion null if zones are not divided
 * @throws {Problem} `conflict` before the run has ended, `not_found` without the output
 */
export async function sourcesOf(
  db: Database,
  run: StoredRun,
  { node: code, min_area_ha, by }: PolygonsInput,
  districtsVersion: number | null,
): Promise<PolygonSources> {
  if (run.status === 'queued' || run.status === 'running') throw polygonProblems.notEnded();
  const node = nodeByCode(code);
  const outputs = outputsOf(run);
  const id = outputs.get(code);
  const beside = [maxSuitability, sensitivity].map(({ code: each, output }) =>
    Object.hasOwn(run.overrides, output.group) ? undefined : outputs.get(each),
  );
  const rasters = await readRasters(
    db,
    [id, ...beside].filter((each) => each !== undefined),
  );
  const classes = rasters.get(id ?? '');
  if (node === undefined || classes === undefined) throw polygonProblems.noOutput(code);
  const [suitability, sensitive] = beside.map((each) => rasters.get(each ?? ''));
  const text = JSON.stringify({
    method: methodVersion,
    node: code,
    rasters: [classes, suitability, sensitive].map((each) => each?.datasetId ?? null),
    minArea: min_area_ha,
    by,
    districtsVersion,
  });
  return { node, classes, suitability, sensitivity: sensitive, key: hash('sha256', text, 'hex') };
}

/** Returns the datasets that the nodes of a run have made or reused, by node code. */
export function outputsOf({ nodes }: StoredRun): ReadonlyMap<string, string> {
  return new Map(
    nodes.flatMap(({ code, status, outputId }) =>
      outputId !== null && (status === 'succeeded' || status === 'skipped') ? [[code, outputId]] : [],
    ),
  );
}

async function readRasters(db: Database, ids: readonly string[]): Promise<ReadonlyMap<string, SourceRaster>> {
  const rows = await db
    .selectFrom('datasets')
    .innerJoin('dataset_files', 'dataset_files.dataset_id', 'datasets.id')
    .select(['id', 'object_key', 'datasets.created_at', 'start_date', 'end_date'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('status', '=', 'ready')
    .where('kind', '=', 'cog')
    .execute();
  return new Map(
    rows.map(
      ({ id, object_key: cogKey, created_at: createdAt, start_date: startDate, end_date: endDate }) => [
        id,
        { datasetId: id, cogKey, createdAt, startDate, endDate },
      ],
    ),
  );
}
