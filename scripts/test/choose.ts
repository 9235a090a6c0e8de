/** Which test files share a process, by what they need: to start one, and to load the service in it, costs more than most files do. */
import { readProjectFile } from '../../test/support/project.ts';
import { needsOf } from './needs.ts';

/** A file that looks at its own process or changes it, and one with hooks that would be those of all files. */
const ownProcess =
  /\bprocess\.(?:pid|memoryUsage)\b|support\/memory\.ts|process\.env\[[^\]]+\] = |^(?:before|after)Each\(/m;
/** Stories of the page, which share browsers and services; of those about runs a few share these. */
const sharesBrowser = / from '\.\/shared\.ts';$/m;
const sharesRuns = /\b(?:sharedRuns|judgedRuns)\b/;
/** Files that are loaded together are open together, with their databases. */
const mostTogether = 12;

/** Test files that run in one process, one after the other. */
export interface Batch {
  readonly name: string;
  readonly files: readonly string[];
}

/** Puts files that need the same into batches, in the order of their names; those that share nothing are alone in theirs. */
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
  if (sharesBrowser.test(text)) return sharesRuns.test(text) ? 'console-runs' : 'console';
  if (needs.has('service') || needs.has('servers') || ownProcess.test(text)) return undefined;
  // GDAL has one set of drivers in a process.
  if (needs.has('rasterEngineHere')) return 'raster-engine-here';
  if (needs.has('engineHere')) return 'engine-here';
  if (needs.has('database')) return 'database';
  return file.startsWith('test/') ? 'plain' : 'units';
}

function split(kind: string, files: readonly string[]): readonly Batch[] {
  // Units open next to nothing, and stories of the page share what they look at.
  const parts = ['units', 'console', 'console-runs'].includes(kind)
    ? 1
    : Math.ceil(files.length / mostTogether);
  return Array.from({ length: parts }, (_, index) => {
    const from = Math.floor((index * files.length) / parts);
    const members = files.slice(from, Math.floor(((index + 1) * files.length) / parts));
    return { name: parts === 1 ? kind : `${kind}-${index + 1}`, files: members };
  });
}
