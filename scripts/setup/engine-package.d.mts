/** Paths of the files that decide what the workflow does; the lock file has the version of the SDK. */
export const workflowSources: readonly string[];
/** Returns whether the package of the workflow engine is installed as this clone needs it. */
export function enginePackageIsInstalled(): boolean;
/** Installs it, unless it is installed. */
export function installEnginePackage(): Promise<void>;
