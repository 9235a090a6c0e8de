import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url));

/**
 * Keeps compiled modules beside the packages, which halves the time of a start. Nobody but the owner of the clone can
 * write there; for other users it stays off. The children of the geo engine do without.
 */
export function keepCompiledModules(): void {
  enableCompileCache(folder);
}
