import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '../../common/error-facts.ts';
import { readable } from '../../common/readable.ts';
import { isolationRefused } from '../../messages/isolation.ts';
import { EngineDied } from '../engine.ts';
import { ProbeResult } from '../protocol.ts';
import { type ChildSettings, geoEntry, sendRequest } from './engine-request.ts';
import { type Advice, adviseIsolation, maxReasonCharacters, readSystemFacts } from './sandbox/advice.ts';
import { type Isolation, type IsolationRefusal, isolations } from './sandbox/isolation.ts';

const probeDeadlineSeconds = 60;

interface ProbedGdal {
  readonly gdal: ProbeResult;
  readonly isolation: Isolation;
  /** Stronger isolations that do not work here. */
  readonly refusals: readonly IsolationRefusal[];
  readonly advice: Advice | undefined;
}

/**
 * Has a child load GDAL and tell its version and drivers, in the strongest isolation that works or in the one that is
 * wanted.
 * @throws {Error} with one readable line when the isolation that is wanted does not work here.
 * @throws {EngineDied} when GDAL cannot be loaded at all.
 */
export async function probeGdal(settings: ChildSettings, wanted: Isolation | undefined): Promise<ProbedGdal> {
  const facts = { tools: settings.tools, system: await readSystemFacts() };
  const refusals: IsolationRefusal[] = [];
  for (const isolation of wanted === undefined ? isolations : [wanted]) {
    try {
      const gdal = await probeIn(isolation, settings);
      const state = { ...facts, isolation, isNamed: wanted !== undefined, refusals };
      return { gdal, isolation, refusals, advice: adviseIsolation(state) };
    } catch (cause) {
      if (isolation === 'none') throw cause;
      const reason = messageOf(cause);
      refusals.push({ isolation, reason });
      if (isolation !== wanted) continue;
      const advice = adviseIsolation({ ...facts, isolation: 'none', isNamed: false, refusals });
      const remedy = isolation === 'bubblewrap' ? advice?.remedy : undefined;
      throw new Error(isolationRefused(isolation, readable(reason, maxReasonCharacters), remedy), { cause });
    }
  }
  throw new Error('no isolation was tried');
}

/** @throws {EngineDied} when no child answers there. */
async function probeIn(isolation: Isolation, settings: ChildSettings): Promise<ProbeResult> {
  const scratch = await mkdtemp(join(tmpdir(), 'steppe-engine-'));
  try {
    const { signal } = new AbortController();
    const message = { entry: geoEntry, request: { task: 'probe' }, result: ProbeResult };
    // One that fails is asked again in the next weaker isolation: that is not worth a warning.
    const quiet = { ...settings, log: { ...settings.log, warn: () => undefined } };
    const response = await sendRequest(
      quiet,
      { ...message, inputs: [], folders: [scratch], signal },
      { isolation, skippedDrivers: [], deadlineSeconds: probeDeadlineSeconds },
    );
    if (response.outcome !== 'done') throw new EngineDied('the geo engine does not tell its drivers');
    return response.result;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
