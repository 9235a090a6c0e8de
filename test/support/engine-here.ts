import { fileURLToPath } from 'node:url';
import { ProbeResult } from '../../src/geo/answers.ts';
import { foreignDrivers } from '../../src/geo/protocol.ts';
import { geoEntry, validateEngineOutput } from '../../src/geo/parent/engine-request.ts';
import { createGdalEngine } from '../../src/geo/parent/gdal-engine.ts';
import { childEnvironment } from '../../src/geo/parent/sandbox/environment.ts';
import { askChild, type TestEngine, withFolder } from './geo.ts';
import { noChildren } from './hijacked-engine.ts';

/**
 * Opens an engine that reads vector files in this process, with the settings of a child: hundreds of files take the time
 * in which a few children start. `openTestEngine` has real children, for tests of memory, time and the sandbox. GDAL
 * takes its settings when it is loaded, so that a test with this engine does not import gdal-async.
 */
export async function openVectorEngineHere(): Promise<TestEngine> {
  environment ??= setEnvironment();
  await environment;
  const { answer } = await import('../../src/geo/gdal/answer-once.ts');
  const { perform } = await import('../../src/geo/child/perform.ts');
  return await withFolder(
    createGdalEngine({
      ...noChildren,
      async run({ request, result }) {
        const said = await answer(JSON.stringify(request), perform);
        if (said.outcome === 'problem') return said;
        if (said.outcome !== 'done') throw new Error(said.message);
        // As JSON, which is how the answer of a child arrives.
        return { ...said, result: validateEngineOutput(result, JSON.parse(JSON.stringify(said.result))) };
      },
    }),
  );
}

let environment: Promise<void> | undefined;

/** Sets in this process GDAL's settings of a child that reads vector files. */
async function setEnvironment(): Promise<void> {
  const all = childEnvironment('/nowhere', []);
  const probed = await askChild(fileURLToPath(geoEntry), { task: 'probe' }, all);
  const skipped = foreignDrivers(ProbeResult.parse(probed['result']).drivers, 'vector');
  const settings = Object.entries(childEnvironment('/nowhere', skipped));
  for (const [name, value] of settings)
    if (/^(?:GDAL|OSR|PROJ|CPL_VSIL)_/.test(name)) process.env[name] = value;
}
