import { createHash } from 'node:crypto';
import { graphVersion } from '../graph/graph.ts';
import type { LandscapeParams } from '../model/params.ts';

/** Everything that the values of a node's output depend on. */
export interface Computation {
  readonly code: string;
  /** Dataset id by group code; always with the elevation, which fixes the grid. */
  readonly inputs: ReadonlyMap<string, string>;
  /** Those that the node names. */
  readonly params: Partial<LandscapeParams>;
}

/** SHA-256, in lower-case hex, of a computation: equal fingerprints mean equal outputs. */
export function fingerprintOf(computation: Computation, version: number = graphVersion): string {
  return createHash('sha256').update(canonicalJson(computation, version)).digest('hex');
}

/** One text for one computation: keys and groups sorted, no blanks. Nodes of a changed graph are other nodes. */
function canonicalJson({ code, inputs, params }: Computation, version: number): string {
  return JSON.stringify({
    inputs: [...inputs].toSorted(byKey),
    node: version === 1 ? code : `${code}@${version}`,
    params: Object.fromEntries(Object.entries(params).toSorted(byKey)),
  });
}

function byKey([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}
