import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadSuite, withProofs } from '../test/acceptance/claim.ts';
import { projectRoot } from '../test/support/project.ts';
import { describeFormats } from './formats/document.ts';
import { describeRoutes } from './routes.ts';
import { describeScopes } from './scopes.ts';
import { describeLandscape } from './landscape/document.ts';
import { drawLandscape } from './landscape/drawing.ts';

/** Documents that are generated from the code, as their tests expect. */
const documents = {
  'docs/commands.md': await describeScopes(),
  'docs/formats.md': describeFormats(),
  'docs/interface.md': withProofs(await loadSuite()),
  'docs/landscape.md': describeLandscape(),
  'docs/routes.md': await describeRoutes(),
  'docs/landscape.svg': drawLandscape(),
};
for (const [path, text] of Object.entries(documents)) writeFileSync(join(projectRoot, path), text);
