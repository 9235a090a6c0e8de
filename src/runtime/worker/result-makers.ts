import type { Logger } from 'pino';
import type { ResultMaker } from '../../jobs/result-kinds.ts';
import { createImportMaker } from '../../datasets/reference/stac/imports.ts';
import { createFormMaker } from '../../forms/forms.ts';
import { createLayoutMaker } from '../../forms/layouts.ts';
import { createDescriptionMaker } from '../../source-files/descriptions.ts';
import { createRastersMaker } from '../../source-files/rasters.ts';
import { createZonedRuns } from '../../landscape/balance/zoned-runs.ts';
import { createAtlasMaker } from '../../print/atlases.ts';
import type { Components } from '../components.ts';
import type { Engines } from '../engines.ts';
import { openPrinting } from '../maps.ts';

/** Creates the makers of all kinds of results in the table `results`: a new kind is one line here. */
export function createResultMakers(
  components: Components,
  { geo: engine, landscape: landscapeEngine }: Pick<Engines, 'geo' | 'landscape'>,
  log: Logger,
): readonly ResultMaker[] {
  const { db, messageQueue, objectStore, remoteFiles } = components;
  const workbooks = { db, objectStore, engine };
  return [
    createAtlasMaker(() => openPrinting(components, log)),
    createLayoutMaker(workbooks),
    createDescriptionMaker(workbooks),
    createRastersMaker({ ...workbooks, messageQueue, landscapeEngine }),
    createImportMaker({ db, objectStore, messageQueue, remoteFiles }),
    createFormMaker({ ...workbooks, messageQueue, zonedRuns: createZonedRuns({ db, messageQueue }) }),
  ];
}
