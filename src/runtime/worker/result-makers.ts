import type { Logger } from 'pino';
import type { ResultMaker } from '../../jobs/result-kinds.ts';
import { createAtlasMaker } from '../../print/atlases.ts';
import type { Components } from '../components.ts';
import { openPrinting } from '../maps.ts';

/** Creates the makers of all kinds of results in the table `results`: a new kind is one line here. */
export function createResultMakers(components: Components, log: Logger): readonly ResultMaker[] {
  return [createAtlasMaker(() => openPrinting(components, log))];
}
