import type { Logger } from 'pino';
import { createRecentDatasets } from '../datasets/recent-datasets.ts';
import { createZonedRuns } from '../landscape/balance/zoned-runs.ts';
import type { Components } from './components.ts';
import { openMaps } from './maps.ts';

/** Opens the drawing of an atlas in a worker, with its own thread, which ends with it. */
export function openPrinting({ db, listener, objectStore, messageQueue }: Components, log: Logger) {
  const recentDatasets = createRecentDatasets({ db, listener });
  const zonedRuns = createZonedRuns({ db, messageQueue });
  const maps = openMaps({
    db,
    listener,
    objectStore,
    messageQueue,
    recentDatasets,
    zonedRuns,
    threads: 1,
    log,
  });
  return {
    printing: maps.printing,
    async close(): Promise<void> {
      await maps.close();
      await recentDatasets.close();
    },
  };
}
