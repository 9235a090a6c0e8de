import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { type GdalChildren, openGdalChildren } from '../geo/parent/children.ts';
import { createGdalEngine } from '../geo/parent/gdal-engine.ts';
import { createLandscapeEngine } from '../landscape/compute/driver.ts';

export type Engines = ReturnType<typeof enginesOf>;
/** Both engines, whose child processes share a limit by the number of processors. */
export type AllEngines = Awaited<ReturnType<typeof openEngines>>;

/**
 * Opens both engines, which start child processes in the same way; warns when a stronger isolation is possible.
 * @throws when GDAL cannot be loaded.
 */
export async function openEngines(config: Config, log: Logger) {
  const children = await openEngineChildren(config, log);
  const { isolation, advice } = children;
  if (config.engineIsolation === 'auto' && advice !== undefined) {
    const { obstacle, remedy } = advice;
    log.warn(
      { isolation },
      `uploads could be read in a stronger isolation, but ${obstacle}; this strengthens it: ${remedy}`,
    );
  }
  return { ...enginesOf(children), background: enginesOf(children.background) };
}

function enginesOf(children: GdalChildren) {
  return { geo: createGdalEngine(children), landscape: createLandscapeEngine(children) };
}

/**
 * Determines the isolation of the child processes of the engines.
 * @throws {Error} with one readable line when the isolation of ENGINE_ISOLATION is unavailable, PROJ_GRIDS_DIR cannot be read, or GDAL cannot be loaded.
 */
export async function openEngineChildren(config: Config, log: Logger) {
  const { engineDeadlineSeconds: deadlineSeconds, engineMemoryBytes: memoryBytes } = config;
  const { engineIsolation, gridsFolder } = config;
  const isolation = engineIsolation === 'auto' ? undefined : engineIsolation;
  return await openGdalChildren({ deadlineSeconds, memoryBytes, isolation, gridsFolder, log });
}
