import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ProbeResult } from '../../src/geo/answers.ts';
import type { GeoEngine } from '../../src/geo/engine.ts';
import { type DriverSet, foreignDrivers } from '../../src/geo/protocol.ts';
import { geoEntry, validateEngineOutput } from '../../src/geo/parent/engine-request.ts';
import { createGdalEngine } from '../../src/geo/parent/gdal-engine.ts';
import { childEnvironment } from '../../src/geo/parent/sandbox/environment.ts';
import { askChild } from './ask-child.ts';
import { type TestEngine, withFolder } from './geo.ts';
import { noChildren } from './hijacked-engine.ts';

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
  const { answer } = await import('../../src/geo/gdal/answer-once.ts');
  const { perform } = await import('../../src/geo/child/perform.ts');
  return createGdalEngine({
    ...noChildren,
    async run({ request, result, signal }) {
      const said = await inTurn(signal, async () => await answer(JSON.stringify(request), perform));
      if (said.outcome === 'problem') return said;
      if (said.outcome !== 'done') throw new Error(said.message);
      // As JSON, which is how the answer of a child arrives.
      return { ...said, result: validateEngineOutput(result, JSON.parse(JSON.stringify(said.result))) };
    },
  });
}

let last: Promise<unknown> = Promise.resolve();

/** Works on one request after the other, because a process has one log of GDAL; what is aborted gives no result. */
export async function inTurn<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const turn = last.then(async () => {
    signal.throwIfAborted();
    return await work();
  });
  last = turn.catch(() => undefined);
  const result = await turn;
  signal.throwIfAborted();
  return result;
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
