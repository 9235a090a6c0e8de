import { benchHttp } from './http.ts';
import { benchLandscape } from './landscape.ts';
import { benchLongPoll } from './long-poll.ts';
import { benchObservations } from './observations.ts';
import { benchRaster } from './raster.ts';
import { benchRun } from './run.ts';
import { benchUpload } from './upload.ts';

/** One figure each; `npm run bench -- NAME`. */
const benches: Readonly<Record<string, () => Promise<void>>> = {
  http: benchHttp,
  landscape: benchLandscape,
  'long-poll': benchLongPoll,
  observations: benchObservations,
  raster: benchRaster,
  run: benchRun,
  upload: benchUpload,
};

const [name = ''] = process.argv.slice(2);
const bench = Object.hasOwn(benches, name) ? benches[name] : undefined;
if (bench === undefined) {
  console.error(`Which figure? npm run bench -- ${Object.keys(benches).join(' | ')}`);
  process.exitCode = 1;
} else {
  await bench();
}
