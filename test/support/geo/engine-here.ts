import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ProbeResult } from '../../../src/geo/protocol.ts';
import { type DriverSet, foreignDrivers } from '../../../src/geo/child-program.ts';
import type { GeoEngine } from '../../../src/geo/engine.ts';
import { geoEntry } from '../../../src/geo/parent/engine-request.ts';
import { childEnvironment } from '../../../src/geo/parent/sandbox/isolation.ts';
import { askChild, engineOf, type TestEngine, withFolder } from './engine.ts';

/** Opens an engine that reads vector files in this process, with a folder of the test's own. */
export async function openVectorEngineHere(): Promise<TestEngine> {
  return await withFolder(await openEngineHere('vector'));
}

/**
 * Opens an engine that works in this process, with the settings of a child: hundreds of files take the time in which a few
 * children start. `openTestEngine` has real children, for tests of memory, time and the sandbox. GDAL takes its settings
 * when it is loaded, so that a test with this engine imports gdal-async behind it, and for rasters `raster-engine-here.ts`.
 */
export async function openEngineHere(set: DriverSet): Promise<GeoEngine> {
  await prepareGdal(set);
  const { perform } = await import('../../../src/geo/child/perform.ts');
  return await engineOf(perform);
}

const prepared = new Map<DriverSet, Promise<void>>();

/** Sets in this process GDAL's settings of a child that reads such files. */
export async function prepareGdal(set: DriverSet): Promise<void> {
  let settings = prepared.get(set);
  if (settings === undefined) prepared.set(set, (settings = setEnvironment(set)));
  await settings;
}

async function setEnvironment(set: DriverSet): Promise<void> {
  const all = childEnvironment('/nowhere', []);
  const probed = await askChild(fileURLToPath(geoEntry), { task: 'probe' }, all);
  const skipped = foreignDrivers(ProbeResult.parse(probed['result']).drivers, set);
  const settings = Object.entries(childEnvironment('/nowhere', skipped));
  for (const [name, value] of settings)
    if (/^(?:GDAL|OSR|PROJ|CPL_VSIL)_/.test(name)) process.env[name] = value;
  const folder = mkdtempSync(join(tmpdir(), 'steppe-gdal-'));
  process.env['CPL_LOG'] = join(folder, 'gdal.log');
  process.once('exit', () => rmSync(folder, { recursive: true }));
}
