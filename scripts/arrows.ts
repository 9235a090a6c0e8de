import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot, readProjectFile } from '../test/support/project.ts';
import { describeArrows, fileGraph, folderGraph } from '../test/support/source-tree.ts';

/** Writes the arrows between the folders of `src/` into ARCHITECTURE.md, as `test/structure` expects them. */
const text = readProjectFile('ARCHITECTURE.md');
const lines = describeArrows(folderGraph(fileGraph())).join('\n');
writeFileSync(
  join(projectRoot, 'ARCHITECTURE.md'),
  text.replace(/(^## The arrows\n[^]*?```\n)[^`]*(```)/m, `$1${lines}\n$2`),
);
