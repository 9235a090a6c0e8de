import { hash } from 'node:crypto';
import type { GeoEngine } from '../../geo/engine.ts';
import { graphVersion } from '../graph/graph.ts';

/** Raise it when the format of parts, or of the COGs made from them, changes. */
const formatVersion = 1;

/**
 * Returns a name of everything that determines the bits of results in addition to the inputs: other versions of PROJ or other grids lead
 * to other operations, and functions such as `Math.exp` are part of V8.
 */
export function stampOf({
  version,
  proj,
  projFiles,
}: Pick<GeoEngine, 'version' | 'proj' | 'projFiles'>): string {
  return [
    `graph ${graphVersion}`,
    `format ${formatVersion}`,
    version,
    `PROJ ${proj ?? 'unknown'}`,
    `grids ${digestOf(JSON.stringify(projFiles))}`,
    `V8 ${process.versions.v8}`,
    process.arch,
  ].join(', ');
}

/** Returns the name of the queue from which workers with these properties take steps. */
export function queueOf(facts: {
  readonly stamp: string;
  readonly workflowDigest: string;
  readonly installation: string;
}): string {
  const { stamp, workflowDigest, installation } = facts;
  return `steppe-landscape-${digestOf(JSON.stringify([stamp, workflowDigest, installation]))}`;
}

/** Returns the prefix of the workflow ids of an installation. */
export function workflowPrefix(installation: string): string {
  return `steppe-landscape-${installation}-`;
}

/** Returns the id of the workflow for the pass of a run in a queue. */
export function workflowId(installation: string, runId: string, queue: string): string {
  return `${workflowPrefix(installation)}${runId}-${queue.slice(queue.lastIndexOf('-') + 1)}`;
}

function digestOf(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 16);
}
