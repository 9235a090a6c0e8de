import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot, readProjectFile } from '../test/support/project.ts';
import { describeArrows, fileGraph, folderGraph } from '../test/support/source-tree.ts';

/** Writes the arrows between folders into ARCHITECTURE.md, as `test/structure` expects them: of the service, then of the page. */
const lists = (['src', 'console/src'] as const).map((tree) =>
  describeArrows(folderGraph(tree, fileGraph(tree))).join('\n'),
);
const text = readProjectFile('ARCHITECTURE.md');
const written = text.replace(
  /(^## The arrows\n[^]*?```\n)[^`]*(```\n[^]*?```\n)[^`]*(```)/m,
  `$1${lists[0]}\n$2${lists[1]}\n$3`,
);
writeFileSync(join(projectRoot, 'ARCHITECTURE.md'), written);
