import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ProbeResult } from '../../../src/geo/protocol.ts';
import { type DriverSet, foreignDrivers } from '../../../src/geo/child-program.ts';
import type { GeoEngine } from '../../../src/geo/engine.ts';
import { geoEntry } from '../../../src/geo/parent/engine-request.ts';
import { findReferenceSystems, projVariables } from '../../../src/geo/parent/reference-systems.ts';
import { childEnvironment } from '../../../src/geo/parent/sandbox/isolation.ts';
import { askChild, engineOf, type TestEngine, withFolder } from './engine.ts';

/** Opens an engine that reads vector files in this process, with its own folder. */
export async function openVectorEngineHere(): Promise<TestEngine> {
  return await withFolder(await openEngineHere('vector'));
}

/**
 * Opens an engine that works in this process with the settings of a child: it reads hundreds of files in the time in which a few children
 * start. Tests of memory, time and the sandbox use `openTestEngine`, which has real children. GDAL reads its settings when it is loaded;
 * therefore a test imports gdal-async after it opens this engine, and uses `raster-engine-here.ts` for rasters.
 */
export async function openEngineHere(set: DriverSet): Promise<GeoEngine> {
  await prepareGdal(set);
  const { perform } = await import('../../../src/geo/child/perform.ts');
  return await engineOf(perform);
}

const prepared = new Map<DriverSet, Promise<void>>();

/** Applies in this process the GDAL settings of a child that reads such files. */
export async function prepareGdal(set: DriverSet): Promise<void> {
  let settings = prepared.get(set);
  if (settings === undefined) prepared.set(set, (settings = setEnvironment(set)));
  await settings;
}

async function setEnvironment(set: DriverSet): Promise<void> {
  const all = childEnvironment('/nowhere', []);
  const probed = await askChild(fileURLToPath(geoEntry), { task: 'probe' }, all);
  const skipped = foreignDrivers(ProbeResult.parse(probed['result']).drivers, set);
  const proj = projVariables(await findReferenceSystems());
  const settings = Object.entries({ ...childEnvironment('/nowhere', skipped), ...proj });
  for (const [name, value] of settings)
    if (/^(?:GDAL|OSR|PROJ|CPL_VSIL)_/.test(name)) process.env[name] = value;
  const folder = mkdtempSync(join(tmpdir(), 'steppe-gdal-'));
  process.env['CPL_LOG'] = join(folder, 'gdal.log');
  process.once('exit', () => rmSync(folder, { recursive: true }));
}
