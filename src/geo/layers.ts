/** Layers of defence between a stranger's file and the machine, from the outside in: docs/decisions/0010-hostile-files.md. */
export const layers = [
  'file-checks',
  'driver-list',
  'fixed-environment',
  'limits',
  'isolation',
  'supervision',
] as const;
export type Layer = (typeof layers)[number];

/** Tells whether a layer that works inside this child is in force. Tests switch some off by the child's only argument. */
export function isInForce(layer: Layer): boolean {
  return process.argv[2]?.split(',').includes(layer) !== true;
}
