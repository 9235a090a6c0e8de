import { existsSync } from 'node:fs';
import { workflowEngineFailures } from '../messages/service/english.ts';
import type { EnginePackage } from '../workflow-engine/engine-package.ts';

const ownFolder = new URL('../../engines/temporal/', import.meta.url);
/** Written when the package and its bundle are installed. */
const stamp = 'node_modules/.steppe-installed';

/**
 * Loads the package for Temporal, a separate package that `npm start` neither installs nor loads.
 * @throws {Error} with the command that installs it.
 */
export async function loadEnginePackage(folder = ownFolder): Promise<EnginePackage> {
  if (!existsSync(new URL(stamp, folder))) throw new Error(workflowEngineFailures.notInstalled);
  // Imported by URL, because a package that is not installed has no types.
  const loaded: { readonly enginePackage: EnginePackage } = await import(new URL('main.ts', folder).href);
  return loaded.enginePackage;
}
