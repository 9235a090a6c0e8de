import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectRoot, readProjectFile } from './project.ts';

/** Source trees whose folders may import each other only in one direction. */
export type Tree = 'src' | 'common' | 'console/src' | 'tools' | 'engines';

/** Lists the source files of a tree without tests and their support, as sorted paths from the root of the project. */
export function sourceFilesOf(tree: Tree): readonly string[] {
  return globSync(`${tree}/**/*.{ts,tsx}`, { cwd: projectRoot, exclude: ['**/node_modules'] })
    .filter((file) => !/\.(?:test|for-tests)\.tsx?$/.test(file))
    .toSorted();
}

/** Source files of the service. */
export const sourceFiles = sourceFilesOf('src');

/** A directed graph: the successors of each node. */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>;

export interface Import {
  readonly file: string;
  /** Path from the root of the project, or name of a package. */
  readonly target: string;
  readonly isPackage: boolean;
  readonly isType: boolean;
}

/** Lists the imports of files. */
export function importsOf(files: readonly string[]): readonly Import[] {
  return files.flatMap((file) => {
    const statements = readProjectFile(file).matchAll(
      /(?:^(?:import|export)\s(?<type>type\s)?[^'";]*?\sfrom\s+|^import\s+|\bimport\(\s*)'(?<specifier>[^']+)'/gm,
    );
    return Array.from(statements, ({ groups = {} }) => {
      const { type, specifier = '' } = groups;
      const isPackage = !/^\.{1,2}\//.test(specifier);
      const target = isPackage ? specifier : join(dirname(file), specifier.replace(/\?.*$/, ''));
      return { file, target, isPackage, isType: type !== undefined };
    });
  });
}

/** Derives from the imports which source file imports which, at run time or as a type. */
export function fileGraph(tree: Tree): Graph {
  const files = sourceFilesOf(tree);
  const graph = new Map(files.map((file) => [file, new Set<string>()]));
  for (const { file, target } of importsOf(files)) if (/\.tsx?$/.test(target)) graph.get(file)?.add(target);
  return graph;
}

/** Derives which folder of a tree imports which. Files directly in the tree are nodes themselves. */
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

/** Derives, for each folder with subfolders, which of these imports which, each with everything below it. */
export function siblingGraphs(files: Graph): ReadonlyMap<string, Graph> {
  const graphs = new Map<string, Map<string, Set<string>>>();
  for (const [file, imported] of files)
    for (const target of imported) {
      const [from, to] = [file.split('/'), target.split('/')];
      const depth = from.findIndex((part, index) => part !== to[index]);
      // Files directly in the folder are not siblings of its subfolders.
      if (depth >= from.length - 1 || depth >= to.length - 1) continue;
      const parent = from.slice(0, depth).join('/');
      const graph = graphs.get(parent) ?? new Map<string, Set<string>>();
      graphs.set(parent, graph);
      const [sibling = '', other = ''] = [from[depth], to[depth]];
      graph.set(sibling, (graph.get(sibling) ?? new Set()).add(other));
    }
  return graphs;
}

/** Finds a cycle and returns its nodes; the first one is also the last. */
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
