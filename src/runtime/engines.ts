import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { type GdalChildren, openGdalChildren } from '../geo/parent/children.ts';
import { createGdalEngine } from '../geo/parent/gdal-engine.ts';
import { createLandscapeEngine } from '../landscape/compute/driver.ts';

export type Engines = ReturnType<typeof enginesOf>;
/** Also those whose children wait for the others when there are too few processors. */
export type AllEngines = Awaited<ReturnType<typeof openEngines>>;

/**
 * Opens both engines, which start children in one way; warns of an isolation that could be stronger.
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
 * Finds out in which isolation the engines' children can work here.
 * @throws {Error} with one readable line when the one that ENGINE_ISOLATION names cannot, or GDAL cannot be loaded.
 */
export async function openEngineChildren(config: Config, log: Logger) {
  const { engineDeadlineSeconds: deadlineSeconds, engineMemoryBytes: memoryBytes, engineIsolation } = config;
  const isolation = engineIsolation === 'auto' ? undefined : engineIsolation;
  return await openGdalChildren({ deadlineSeconds, memoryBytes, isolation, log });
}
