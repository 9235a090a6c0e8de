import type { AreasRequest, AreasResult } from '../../protocol.ts';

/** Counts the area of every tuple of values in every unit, at full resolution. */
export async function countAreas({ inputPaths }: AreasRequest): Promise<AreasResult> {
  throw new Error(`the areas of ${inputPaths.length} rasters are not counted yet`);
}
