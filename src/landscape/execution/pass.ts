import type { Band } from '../model/bands.ts';
import { nodeByCode } from '../graph/graph.ts';
import { elevation } from '../model/leaves.ts';
import type { Layer } from '../model/layer.ts';
import type { GraphNode } from '../model/node.ts';
import type { StoredNode, StoredRun } from '../runs/run-rows.ts';

/** The remaining nodes of a run, and the rasters that they read. */
export interface Pass {
  /** In the order of their codes. */
  readonly nodes: readonly PassNode[];
  /** Layers made of the sources, in addition to the nodes. */
  readonly layers?: readonly Layer[];
  /** Sources by key of the band; the elevation is first. */
  readonly sources: ReadonlyMap<string, PassSource>;
}

export interface PassNode {
  readonly node: GraphNode;
  readonly stored: StoredNode;
}

/** A raster that is read: a leaf, a pinned raster, or the output of a finished node. */
export interface PassSource {
  readonly band: Band;
  readonly datasetId: string;
  /** The lowest node of the pass that reads the raster; it fails if the raster is unfit. */
  readonly firstReader: string;
  /** True if this or an earlier run has made the raster on the same grid; false for leaves and pins. */
  readonly isOutput: boolean;
}

/** Plans the pass over the unfinished nodes of a planned run. */
export function planPass(run: StoredRun): Pass {
  const nodes = run.nodes
    .filter(({ status }) => status === 'pending' || status === 'running')
    .map((stored) => ({ node: knownNode(stored.code), stored }));
  const computed = new Set(nodes.map(({ node }) => node.code));
  const sources = new Map<string, PassSource>();
  for (const { node, stored } of nodes) {
    for (const band of [elevation, ...node.inputs]) {
      const isPinned = Object.hasOwn(run.overrides, band.group);
      if (sources.has(band.key) || (computed.has(band.key) && !isPinned)) continue;
      const datasetId = stored.inputs.get(band.group);
      if (datasetId === undefined) throw new Error(`node ${node.code} was planned without ${band.group}`);
      const isOutput = !isPinned && run.nodes.some(({ code }) => code === band.key);
      sources.set(band.key, { band, datasetId, firstReader: node.code, isOutput });
    }
  }
  return { nodes, sources };
}

function knownNode(code: string): GraphNode {
  const node = nodeByCode(code);
  if (node === undefined) throw new Error(`the graph has no node ${code} any more`);
  return node;
}
