/** Groups test files that share a process by their needs: starting a process and loading the service costs more than most files do. */
import { readProjectFile } from '../../test/support/project.ts';
import { needsOf } from './needs.ts';

/** Matches files that inspect or change their process, and files with global hooks. */
const ownProcess =
  /\bprocess\.(?:pid|memoryUsage)\b|support\/memory\.ts|process\.env\[[^\]]+\] = |^(?:before|after)Each\(/m;
const sharesRuns = /\b(?:sharedRuns|judgedRuns)\b/;
/** The maximum number of files in a process, because all of their databases are open at once. */
const mostTogether = 12;

/** Test files that run in one process, one after the other. */
export interface Batch {
  readonly name: string;
  readonly files: readonly string[];
}

/** Groups files with the same needs into batches, ordered by name; files that share nothing are alone. */
export function batchesOf(files: readonly string[]): readonly Batch[] {
  const kinds = new Map<string, string[]>();
  const alone: Batch[] = [];
  for (const file of files.toSorted()) {
    const kind = kindOf(file);
    if (kind === undefined) alone.push({ name: file, files: [file] });
    else kinds.set(kind, [...(kinds.get(kind) ?? []), file]);
  }
  return [...[...kinds].flatMap(([kind, members]) => split(kind, members)), ...alone];
}

function kindOf(file: string): string | undefined {
  const needs = needsOf(file);
  const text = readProjectFile(file);
  // Stories of the page share browsers and services.
  if (needs.has('sharedPage')) return sharesRuns.test(text) ? 'console-runs' : 'console';
  if (needs.has('service') || needs.has('servers') || ownProcess.test(text)) return undefined;
  // GDAL has one set of drivers per process.
  if (needs.has('rasterEngineHere')) return 'raster-engine-here';
  if (needs.has('engineHere')) return 'engine-here';
  if (needs.has('database')) return 'database';
  // Children of the engine would delay the unit tests, which run while the resources of the others are prepared.
  return file.startsWith('test/') || needs.has('engine') ? 'plain' : 'units';
}

function split(kind: string, files: readonly string[]): readonly Batch[] {
  // Unit tests keep few resources open, and stories of the page share theirs.
  const parts = ['units', 'console', 'console-runs'].includes(kind)
    ? 1
    : Math.ceil(files.length / mostTogether);
  return Array.from({ length: parts }, (_, index) => {
    const from = Math.floor((index * files.length) / parts);
    const members = files.slice(from, Math.floor(((index + 1) * files.length) / parts));
    return { name: parts === 1 ? kind : `${kind}-${index + 1}`, files: members };
  });
}
