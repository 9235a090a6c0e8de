import type { Band } from '../model/bands.ts';
import { leaves } from '../model/leaves.ts';
import type { GraphNode } from '../model/node.ts';
import * as declared from './nodes.ts';

/** Raise it when a computation changes, so that earlier results are not reused. */
export const graphVersion = 1;

/** Nodes in the order of their codes, which is an order of computation: a node reads only outputs of nodes with smaller codes. */
export const nodes: readonly GraphNode[] = Object.values(declared).toSorted(
  (one, other) => Number(one.code) - Number(other.code),
);

const bands: readonly Band[] = [...leaves, ...nodes.map(({ output }) => output)];
const nodesByCode = new Map(nodes.map((node) => [node.code, node]));
const bandsByKey = new Map(bands.map((band) => [band.key, band]));
const bandsByGroup = new Map(bands.map((band) => [band.group, band]));

/** Codes of the dataset groups that nodes read, and that a run can override. */
export const inputGroups: ReadonlySet<string> = new Set(
  nodes.flatMap(({ inputs }) => inputs.map(({ group }) => group)),
);

export function nodeByCode(code: string): GraphNode | undefined {
  return nodesByCode.get(code);
}

/** Finds the leaf with this key, or the output of the node with this code. */
export function bandByKey(key: string): Band | undefined {
  return bandsByKey.get(key);
}

/** Finds the leaf or the output with this group code. */
export function bandByGroup(group: string): Band | undefined {
  return bandsByGroup.get(group);
}
