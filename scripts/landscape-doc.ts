import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describeLandscape } from './landscape/document.ts';
import { drawLandscape } from './landscape/drawing.ts';

/** Writes docs/landscape.md and its drawing from the graph, as test/landscape/document.test.ts expects them. */
const docs = fileURLToPath(new URL('../docs/', import.meta.url));
writeFileSync(`${docs}landscape.md`, describeLandscape());
writeFileSync(`${docs}landscape.svg`, drawLandscape());
