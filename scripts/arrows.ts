import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeArrows, fileGraph, folderGraph, projectRoot } from '../test/support/source-tree.ts';

/** Writes the arrows between the folders of `src/` into ARCHITECTURE.md, as `test/structure` expects them. */
const path = join(projectRoot, 'ARCHITECTURE.md');
const text = readFileSync(path, 'utf8');
const lines = describeArrows(folderGraph(fileGraph())).join('\n');
writeFileSync(path, text.replace(/(^## The arrows\n[^]*?```\n)[^`]*(```)/m, `$1${lines}\n$2`));
