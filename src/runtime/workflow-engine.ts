import { existsSync } from 'node:fs';
import { workflowEngineFailures } from '../messages/service.ts';
import type { EnginePackage } from '../workflow-engine/engine-package.ts';

const ownFolder = new URL('../../engines/temporal/', import.meta.url);
/** Written when the package is installed with all that belongs to it. */
const stamp = 'node_modules/.steppe-installed';

/**
 * Loads the package that works with Temporal. It is a package of its own, which `npm start` neither installs nor loads.
 * @throws {Error} with the line to type where it is not installed.
 */
export async function loadEnginePackage(folder = ownFolder): Promise<EnginePackage> {
  if (!existsSync(new URL(stamp, folder))) throw new Error(workflowEngineFailures.notInstalled);
  // As a URL: what is not installed has no types here.
  const loaded: { readonly enginePackage: EnginePackage } = await import(new URL('main.ts', folder).href);
  return loaded.enginePackage;
}
