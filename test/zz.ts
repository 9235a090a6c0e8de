import gdal from 'gdal-async';
import { mkdtemp } from 'node:fs/promises';
import { convertRaster } from '../src/geo/child/raster/convert.ts';
import { countPixels } from '../src/geo/child/raster/statistics/count-pixels.ts';
import { createFindings } from '../src/geo/findings.ts';
for (const [k, v] of Object.entries({ GDAL_NUM_THREADS: '2', GDAL_PAM_ENABLED: 'NO', CPL_LOG: '/tmp/stats-bench/log', GDAL_DISABLE_READDIR_ON_OPEN: 'EMPTY_DIR' })) gdal.config.set(k, v);
const side = 4096;
function write(path: string, type: string, value: (c: number, r: number) => number) {
  const ds = gdal.drivers.get('GTiff').create(path, side, side, 1, type, { COMPRESS: 'DEFLATE', TILED: 'YES', PREDICTOR: type === 'Float32' ? '3' : '2' });
  ds.geoTransform = [300000, 100, 0, 5800000, 0, -100];
  ds.srs = gdal.SpatialReference.fromEPSG(32642);
  const row = new Float64Array(side);
  for (let r = 0; r < side; r++) { for (let c = 0; c < side; c++) row[c] = value(c, r); ds.bands.get(1).pixels.write(0, r, side, 1, row); }
  ds.close();
}
let s = 1; const rnd = () => (s = (s * 1103515245 + 12345) & 0x7fffffff) / 0x7fffffff;
const terrain = (c: number, r: number) => 800 + 500 * Math.sin(c / 200) * Math.cos(r / 170) + 20 * Math.sin(c / 11 + r / 7) + rnd();
write('/tmp/stats-bench/f.tif', 'Float32', terrain);
write('/tmp/stats-bench/i.tif', 'Int16', (c, r) => Math.round(terrain(c, r)));
write('/tmp/stats-bench/b.tif', 'Byte', (c, r) => Math.floor((Math.sin(c / 37) + Math.cos(r / 29) + 2) * 3 + rnd() * .3));
for (const f of ['f', 'i', 'b', 'f', 'i', 'b']) {
  const scratch = await mkdtemp('/tmp/stats-bench/s-');
  let t = performance.now(); let c = process.cpuUsage();
  const { cogPath } = await convertRaster({ inputPath: `/tmp/stats-bench/${f}.tif`, scratch }, createFindings());
  const a = performance.now() - t; const ca = process.cpuUsage(c);
  t = performance.now(); c = process.cpuUsage();
  const res = await countPixels({ inputPath: cogPath, scratch });
  const b = performance.now() - t; const cb = process.cpuUsage(c);
  t = performance.now();
  const kept = await convertRaster({ inputPath: cogPath, scratch: await mkdtemp('/tmp/stats-bench/s-') }, createFindings());
  const k = performance.now() - t;
  console.log(f, 'convert', a.toFixed(0), 'cpu', ((ca.user + ca.system) / 1000).toFixed(0), 'count', b.toFixed(0), 'cpu', ((cb.user + cb.system) / 1000).toFixed(0), (b / a * 100).toFixed(0) + '%', 'keep', k.toFixed(0), kept.cogPath === cogPath);
}
