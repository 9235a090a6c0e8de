import type { Band } from '../model/bands.ts';
import { elevation, leaves } from '../model/leaves.ts';
import type { GraphNode } from '../model/node.ts';
import { nodeByCode, nodes } from './graph.ts';
import { functionalZoning } from './nodes.ts';

/** The node whose holes are explained. */
export const zoning: GraphNode = functionalZoning;

type IsPinned = (group: string) => boolean;

/**
 * Lists the bands that the zoning depends on, in the order of the graph: leaves, and outputs that are pinned, behind which no
 * other input counts. @param isPinned whether a raster stands for the output group of this code.
 */
export function zoningInputs(isPinned: IsPinned): readonly Band[] {
  const found = new Set(zoningNodes(isPinned).flatMap(({ inputs }) => inputs));
  const isComputed = ({ key, group }: Band) => nodeByCode(key) !== undefined && !isPinned(group);
  return [...leaves, ...nodes.map(({ output }) => output)].filter(
    (band) => found.has(band) && !isComputed(band),
  );
}

/** Lists the nodes that the zoning is computed by, itself among them, in the order of their codes. */
export function zoningNodes(isPinned: IsPinned): readonly GraphNode[] {
  const found = new Set<GraphNode>();
  const visit = (node: GraphNode): void => {
    found.add(node);
    for (const { key, group } of node.inputs) {
      const next = isPinned(group) ? undefined : nodeByCode(key);
      if (next !== undefined) visit(next);
    }
  };
  visit(zoning);
  return nodes.filter((node) => found.has(node));
}

/** True where no value is a value like the others, so that there are no holes. */
export function isNeverMissing(band: Band): boolean {
  return band.type === 'uint8' && band.zeroWhereMissing === true;
}

/** True for the band that fixes the grid. */
export function isElevation(band: Band): boolean {
  return band.key === elevation.key;
}
