/** Prints as a JSON array what of a raster is not the same in its COG: `compare-program.ts SOURCE COG SCRATCH`. */
import { compareRasters } from './compare.ts';

const [source, cog, scratch] = process.argv.slice(2);
if (source === undefined || cog === undefined || scratch === undefined) {
  throw new Error('usage: compare-program.ts SOURCE COG SCRATCH');
}
process.stdout.write(JSON.stringify(await compareRasters(source, cog, scratch)));
