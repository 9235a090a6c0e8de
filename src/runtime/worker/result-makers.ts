import type { Logger } from 'pino';
import type { ResultMaker } from '../../jobs/result-kinds.ts';
import { createFormMaker } from '../../forms/forms.ts';
import { createLayoutMaker } from '../../forms/layouts.ts';
import type { GeoEngine } from '../../geo/engine.ts';
import { createDescriptionMaker } from '../../source-files/descriptions.ts';
import { createRastersMaker } from '../../source-files/rasters.ts';
import { createZonedRuns } from '../../landscape/balance/zoned-runs.ts';
import { createAtlasMaker } from '../../print/atlases.ts';
import type { Components } from '../components.ts';
import { openPrinting } from '../maps.ts';

/** Creates the makers of all kinds of results in the table `results`: a new kind is one line here. */
export function createResultMakers(
  components: Components,
  engine: GeoEngine,
  log: Logger,
): readonly ResultMaker[] {
  const { db, messageQueue, objectStore } = components;
  const workbooks = { db, objectStore, engine };
  return [
    createAtlasMaker(() => openPrinting(components, log)),
    createLayoutMaker(workbooks),
    createDescriptionMaker(workbooks),
    createRastersMaker({ ...workbooks, messageQueue }),
    createFormMaker({ ...workbooks, messageQueue, zonedRuns: createZonedRuns({ db, messageQueue }) }),
  ];
}
