import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../test/support/project.ts';
import { describeLandscape } from './landscape/document.ts';
import { drawLandscape } from './landscape/drawing.ts';

/** Writes docs/landscape.md and its drawing from the graph, as test/landscape/document.test.ts expects them. */
writeFileSync(join(projectRoot, 'docs/landscape.md'), describeLandscape());
writeFileSync(join(projectRoot, 'docs/landscape.svg'), drawLandscape());
