import type { Band } from '../model/bands.ts';
import { nodeByCode } from '../graph/graph.ts';
import { elevation } from '../model/leaves.ts';
import type { Layer } from '../model/layer.ts';
import type { GraphNode } from '../model/node.ts';
import type { StoredNode, StoredRun } from '../runs/run-rows.ts';

/** The rest of a run, and the rasters that it reads. */
export interface Pass {
  /** In the order of their codes. */
  readonly nodes: readonly PassNode[];
  /** Made of sources, beside the nodes. */
  readonly layers?: readonly Layer[];
  /** By key of the band; the elevation first. */
  readonly sources: ReadonlyMap<string, PassSource>;
}

export interface PassNode {
  readonly node: GraphNode;
  readonly stored: StoredNode;
}

/** A raster that is read: a leaf's, a pinned one, or the output of a node that is done. */
export interface PassSource {
  readonly band: Band;
  readonly datasetId: string;
  /** The lowest node of the pass that reads it: the one that fails when the raster is not fit for use. */
  readonly firstReader: string;
  /** True if this or an earlier run has made it on the same grid; false for leaves and pins. */
  readonly isOutput: boolean;
}

/** Plans the pass over the nodes of a planned run that are not done; pure. */
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
