import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectRoot, readProjectFile } from './project.ts';

/** The source files without their tests, as paths from the root, sorted. */
export const sourceFiles: readonly string[] = globSync('src/**/*.ts', { cwd: projectRoot })
  .filter((file) => !file.endsWith('.test.ts'))
  .toSorted();

/** A directed graph: what each node points to. */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** Derives which source file imports which, at run time or as a type, from the import statements. */
export function fileGraph(): Graph {
  return new Map(
    sourceFiles.map((file) => {
      const specifiers = readProjectFile(file).matchAll(/(?:from|import\()\s*'(\.[^']+)'/g);
      return [file, new Set(Array.from(specifiers, ([, path = '']) => join(dirname(file), path)))];
    }),
  );
}

/** Derives which folder of `src/` imports which. The files directly in `src/` are nodes of their own. */
export function folderGraph(files: Graph): Graph {
  const folders = new Map<string, Set<string>>();
  for (const [file, imported] of files) {
    const from = folderOf(file);
    const arrows = folders.get(from) ?? new Set();
    for (const to of imported) if (folderOf(to) !== from) arrows.add(folderOf(to));
    folders.set(from, arrows);
  }
  return folders;
}

function folderOf(file: string): string {
  return (dirname(file) === 'src' ? file : dirname(file)).slice('src/'.length);
}

/** Writes a graph as lines `from → to, to`, sorted. */
export function describeArrows(graph: Graph): readonly string[] {
  return [...graph]
    .filter(([, to]) => to.size > 0)
    .map(([from, to]) => `${from} → ${[...to].toSorted().join(', ')}`)
    .toSorted();
}

/** Finds a cycle, as the nodes along it; the first is also the last. */
export function findCycle(graph: Graph): readonly string[] | undefined {
  const finished = new Set<string>();
  const visit = (node: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node];
    if (finished.has(node)) return undefined;
    for (const next of graph.get(node) ?? []) {
      const cycle = visit(next, [...path, node]);
      if (cycle !== undefined) return cycle;
    }
    finished.add(node);
    return undefined;
  };
  for (const node of graph.keys()) {
    const cycle = visit(node, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}
