import type { Insertable } from 'kysely';
import type { DatasetsTable } from '../../database/tables.ts';
import type { SourceCounts } from '../grid/counts.ts';
import { graphVersion } from '../graph/graph.ts';
import type { PassNode, PassSource } from './pass.ts';
import type { StoredRun } from './run-rows.ts';

/** The COG of a node's output, in the object store. */
export interface StoredOutput {
  readonly key: string;
  readonly sizeBytes: number;
  readonly bbox: readonly number[];
}

/** The columns of an output's dataset that do not say where it is filed. Its COG is its original, too. */
export function outputRow(
  run: StoredRun,
  { node, stored }: PassNode,
  output: StoredOutput,
  invalidPixels: Readonly<Record<string, number>>,
): Omit<Insertable<DatasetsTable>, 'category_id'> {
  if (stored.outputId === null) throw new Error(`node ${node.code} was not planned`);
  const meta = {
    run_id: run.id,
    node: node.code,
    fingerprint: stored.fingerprint,
    graph_version: graphVersion,
    invalid_pixels: invalidPixels,
    ...(Object.keys(run.overrides).length === 0 ? {} : { overrides: run.overrides }),
  };
  return {
    id: stored.outputId,
    name: node.output.title,
    unit: node.output.unit,
    filename: `${node.output.group}.tif`,
    start_date: stored.startDate,
    end_date: stored.endDate,
    storage_key: output.key,
    cog_storage_key: output.key,
    file_type: 'raster',
    size_bytes: output.sizeBytes,
    content_type: 'image/tiff',
    meta: JSON.stringify(meta),
    automated: true,
    status: 'ready',
    bbox: [...output.bbox],
  };
}

/**
 * How many pixels of the grid lie on a value out of range or an unknown class, by group of the leaves and pinned rasters
 * that a node reads.
 */
export function invalidPixelsOf(
  { node }: PassNode,
  sources: ReadonlyMap<string, PassSource>,
  counts: ReadonlyMap<string, SourceCounts>,
): Record<string, number> {
  const found: Record<string, number> = {};
  for (const { key, group } of node.inputs) {
    const source = sources.get(key);
    if (source !== undefined && !source.isOutput) found[group] = counts.get(key)?.invalid ?? 0;
  }
  return found;
}
