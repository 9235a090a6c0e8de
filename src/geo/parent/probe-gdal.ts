import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '../../common/error-facts.ts';
import { readable } from '../../common/readable.ts';
import { EngineDied } from '../engine.ts';
import { type Advice, adviseIsolation } from './sandbox/advice.ts';
import type { Isolation } from './sandbox/isolation.ts';
import { type Probed, probeIsolations } from './sandbox/probe.ts';
import { readSystemFacts } from './sandbox/system-facts.ts';
import { ProbeResult } from '../protocol.ts';
import { type ChildSettings, runErrand } from './engine-request.ts';

const probeDeadlineSeconds = 60;
const maxReasonCharacters = 300;

/** The entry of the geo engine's own children. */
export const geoEntry = new URL('../child/main.ts', import.meta.url);

/**
 * Has a child load GDAL and tell its version and drivers, in the strongest isolation that works or in the one that is
 * wanted.
 * @throws {Error} with one readable line when the isolation that is wanted does not work here.
 * @throws {EngineDied} when GDAL can not be loaded at all.
 */
export async function probeGdal(
  settings: ChildSettings,
  wanted: Isolation | undefined,
): Promise<Probed<ProbeResult> & { readonly advice: Advice | undefined }> {
  const { tools } = settings;
  const system = await readSystemFacts();
  try {
    const probed = await probeIsolations(wanted, async (each) => await probeIn(each, settings));
    return {
      ...probed,
      advice: adviseIsolation({ ...probed, isNamed: wanted !== undefined, tools, system }),
    };
  } catch (cause) {
    if (wanted === undefined || wanted === 'none') throw cause;
    const reason = messageOf(cause);
    const refusals = [{ isolation: wanted, reason }];
    const advice = adviseIsolation({ isolation: 'none', isNamed: false, refusals, tools, system });
    throw new Error(refusalOf(wanted, reason, wanted === 'bubblewrap' ? advice?.remedy : undefined), {
      cause,
    });
  }
}

/** @throws {EngineDied} when no child answers there. */
async function probeIn(isolation: Isolation, settings: ChildSettings): Promise<ProbeResult> {
  const scratch = await mkdtemp(join(tmpdir(), 'steppe-engine-'));
  try {
    const errand = { entry: geoEntry, request: { task: 'probe' }, result: ProbeResult };
    const reach = { inputs: [], folders: [scratch] } as const;
    const { signal } = new AbortController();
    const way = { isolation, skippedDrivers: [], deadlineSeconds: probeDeadlineSeconds };
    // One that fails is asked again in the next weaker isolation: that is not worth a warning.
    const quiet = { ...settings, log: { ...settings.log, warn: () => undefined } };
    const reply = await runErrand(quiet, { ...errand, ...reach, signal }, way);
    if (reply.outcome !== 'done') throw new EngineDied('the geo engine does not tell its drivers');
    return reply.result;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

function refusalOf(wanted: Isolation, reason: string, remedy: string | undefined): string {
  const sentences = [
    `ENGINE_ISOLATION: ${wanted} does not work here (${readable(reason, maxReasonCharacters)}).`,
    ...(remedy === undefined ? [] : [`This would change that: ${remedy}.`]),
    'Without ENGINE_ISOLATION the strongest isolation that works is used.',
  ];
  return sentences.join(' ');
}
