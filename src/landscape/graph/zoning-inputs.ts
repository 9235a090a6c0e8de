import type { Band } from '../model/bands.ts';
import { elevation, leaves } from '../model/leaves.ts';
import type { GraphNode } from '../model/node.ts';
import { nodeByCode, nodes } from './graph.ts';
import { functionalZoning } from './nodes.ts';

/** The node whose holes are explained. */
export const zoning: GraphNode = functionalZoning;

type IsPinned = (group: string) => boolean;

/**
 * Lists the bands on which the zoning depends, in the order of the graph: leaves and pinned outputs, whose own inputs do not count.
 * @param isPinned returns whether a raster is pinned for the output group with this code.
 */
export function zoningInputs(isPinned: IsPinned): readonly Band[] {
  const found = new Set(zoningNodes(isPinned).flatMap(({ inputs }) => inputs));
  const isComputed = ({ key, group }: Band) => nodeByCode(key) !== undefined && !isPinned(group);
  return [...leaves, ...nodes.map(({ output }) => output)].filter(
    (band) => found.has(band) && !isComputed(band),
  );
}

/** Lists the nodes that compute the zoning, including its own node, in the order of their codes. */
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

/** Returns whether a missing value counts as a value, so that the band has no holes. */
export function isNeverMissing(band: Band): boolean {
  return band.type === 'uint8' && band.zeroWhereMissing === true;
}

/** Returns whether a band defines the grid. */
export function isElevation(band: Band): boolean {
  return band.key === elevation.key;
}
