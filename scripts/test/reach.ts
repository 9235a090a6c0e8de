import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../test/support/project.ts';
import { importsOf } from '../../test/support/source-tree.ts';

const source = /\.(?:ts|tsx|mts|mjs)$/;

/**
 * Creates a function that lists a file and its direct and indirect imports, without types. Each file is read once.
 * @param isFollowed returns whether the imports of a file are followed, by its path from the root of the project
 */
export function readImports(
  isFollowed: (path: string) => boolean = () => true,
): (file: string) => ReadonlySet<string> {
  const imported = new Map<string, readonly string[]>();
  const targetsOf = (path: string): readonly string[] => {
    const known = imported.get(path);
    if (known !== undefined) return known;
    const targets = importsOf([path])
      .filter(({ isType, isPackage }) => !isType && !isPackage)
      .map(({ target }) => target)
      // Some files contain imports in texts, whose files do not exist.
      .filter((target) => source.test(target) && isFollowed(target) && existsSync(join(projectRoot, target)));
    imported.set(path, targets);
    return targets;
  };
  return (file) => {
    const seen = new Set<string>();
    const visit = (path: string): void => {
      if (seen.has(path)) return;
      seen.add(path);
      targetsOf(path).forEach(visit);
    };
    visit(file);
    return seen;
  };
}
