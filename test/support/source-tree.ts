import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectRoot, readProjectFile } from './project.ts';

/** Trees of source files whose folders may import each other in one direction only: the service and the page. */
export type Tree = 'src' | 'console/src';

/** What the page shares with the service. */
export const sharedFolder = 'src/portrayal';

/** Lists the source files of a tree without what only tests use, as paths from the root of the project, sorted. */
export function sourceFilesOf(tree: Tree): readonly string[] {
  return globSync(`${tree}/**/*.{ts,tsx}`, { cwd: projectRoot })
    .filter((file) => !/\.(?:test|for-tests)\.tsx?$/.test(file))
    .toSorted();
}

/** The source files of the service. */
export const sourceFiles = sourceFilesOf('src');

/** A directed graph: what each node points to. */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** Derives which source file imports which, at run time or as a type, from the import statements. */
export function fileGraph(tree: Tree): Graph {
  return new Map(
    sourceFilesOf(tree).map((file) => {
      const specifiers = readProjectFile(file).matchAll(/(?:from|import\()\s*'(\.[^']+\.tsx?)'/g);
      return [file, new Set(Array.from(specifiers, ([, path = '']) => join(dirname(file), path)))];
    }),
  );
}

/** Derives which folder of a tree imports which. The files directly in it are nodes of their own. */
export function folderGraph(tree: Tree, files: Graph): Graph {
  const folderOf = (file: string) =>
    file.startsWith(`${tree}/`)
      ? (dirname(file) === tree ? file : dirname(file)).slice(tree.length + 1)
      : dirname(file);
  const folders = new Map<string, Set<string>>();
  for (const [file, imported] of files) {
    const from = folderOf(file);
    const arrows = folders.get(from) ?? new Set();
    for (const to of imported) if (folderOf(to) !== from) arrows.add(folderOf(to));
    folders.set(from, arrows);
  }
  return folders;
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
