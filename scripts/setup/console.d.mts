/** Whether `console/dist` was built from the files as they are. */
export function consoleIsBuilt(): boolean;
/** Builds the page, and compresses its files. */
export function buildConsole(): Promise<void>;
