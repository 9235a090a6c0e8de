import { mkdtemp, writeFile } from 'node:fs/promises';
import gdal from 'gdal-async';
gdal.config.set('GDAL_NUM_THREADS', '2');
const { assembleRasters } = await import('../src/geo/child/raster/assemble.ts');
const side = 4096;
const folder = await mkdtemp('/tmp/w/prof/asm-');
const tiles = []; for (let y = 0; y < side; y += 2048) for (let x = 0; x < side; x += 2048) for (let v = y; v < y + 2048; v += 512) for (let u = x; u < x + 2048; u += 512) tiles.push({ x: u, y: v, width: 512, height: 512 });
const f = new Float32Array(side * side); let i = 0;
for (const t of tiles) for (let r = 0; r < 512; r++) for (let c = 0; c < 512; c++, i++) { const x = t.x + c, y = t.y + r; f[i] = 200 + 100 * Math.sin(x / 190) * Math.cos(y / 130) + ((Math.imul(x, 73856093) ^ Math.imul(y, 19349663)) & 255) / 512; }
const cl = Uint8Array.from(f, (v) => [0, 11, 21, 34, 40][Math.floor(v / 65)]);
await writeFile(folder + '/f.raw', new Uint8Array(f.buffer)); await writeFile(folder + '/c.raw', cl);
const grid = { width: side, height: side, left: 455000, top: 4591000, resX: 30, resY: 30, wkt: gdal.SpatialReference.fromEPSG(32642).toWKT() };
const t = performance.now(); const c0 = process.cpuUsage();
const { rasters } = await assembleRasters({ task: 'assemble', scratch: folder, rasters: [{ ...grid, dataType: 'Float32', noData: -9999, parts: [{ path: folder + '/f.raw', tiles }] }, { ...grid, dataType: 'Byte', noData: 0, parts: [{ path: folder + '/c.raw', tiles }] }] });
const u = process.cpuUsage(c0);
console.log('wall', ((performance.now() - t) / 1000).toFixed(2), 'cpu', ((u.user + u.system) / 1e6).toFixed(2), JSON.stringify(rasters.map((r) => r.findings.timings)));
