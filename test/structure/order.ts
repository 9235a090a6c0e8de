/** The slices of the service from left to right. A file imports only from its own slice and from slices to the left of it. */
export const slices: readonly string[] = [
  // Shared with the page, and used by everything.
  'common',
  // Foundations.
  'lib',
  'messages',
  'metrics',
  'tracing',
  'json',
  'validation',
  'database',
  'access',
  'object-store',
  'message-queue',
  'remote',
  // Mechanisms.
  'standards',
  'geo',
  'jobs',
  'spool',
  'http',
  // Features.
  'catalogue',
  'table',
  'datasets',
  'units',
  'tables',
  'maps',
  'areas',
  'zonal',
  'landscape',
  'source-files',
  'workflow-engine',
  'print',
  'registers',
  'forms',
  // Further interfaces.
  'events',
  'webhooks',
  'stac',
  'ogc',
  'metadata',
  'mcp',
  // The program.
  'backup',
  'config.ts',
  'runtime',
  'commands',
  'main.ts',
];

/** Returns the slice of a source file. */
export function sliceOf(file: string): string {
  const [tree = '', slice = ''] = file.split('/');
  return tree === 'common' ? tree : slice;
}
