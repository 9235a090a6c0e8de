import { createClient } from '../../support/client.ts';
import type { Service } from '../../support/service.ts';
import { attackStyles, type StyleAttack } from './attack-styles.ts';
import { everythingOf, everythingShared, type Served } from './everything-served.ts';
import { makeHostileHome } from './hostile-home.ts';
import { attackWith, type Outcome } from './outcomes.ts';
import { filesAround, type Place, startIn } from './place.ts';
import { targetsOf, uploadVictims } from './victims.ts';
import { type EnvironmentOfChild, watchChildren } from './watch-children.ts';

/** A service that has been sent every hostile file, and what was seen of it. */
export interface Siege {
  readonly service: Service;
  /** Before the first hostile file came. */
  readonly workerPid: number;
  readonly outcomes: readonly Outcome[];
  readonly styles: readonly StyleOutcome[];
  /** Everything that is to be had of no dataset alone, and of the group with the styles. */
  readonly shared: readonly Served[];
  /** What must be told to nobody. */
  readonly secrets: readonly string[];
  /** How often somebody has called where nobody may, since the service was started. */
  calls(): number;
  readonly environments: readonly EnvironmentOfChild[];
  readonly filesBefore: readonly string[];
  readonly filesAfter: readonly string[];
}

interface StyleOutcome {
  readonly attack: StyleAttack;
  readonly status: number;
}

/** Starts a service whose user has a hostile home, and uploads every hostile file. */
export async function besiege(place: Place, isolation: 'auto' | 'none'): Promise<Siege> {
  const [canary] = place.canaries;
  const outer = { canaryCsv: canary.csvPath, urls: place.canaries.map(({ url }) => url) };
  const env = await makeHostileHome(place.home, outer);
  const callsBefore = callsTo(place);
  const service = await startIn(place, { ...env, ENGINE_ISOLATION: isolation });
  try {
    const { baseUrl } = service;
    const workerPid = await service.workerPid();
    const categoryId = await createClient(baseUrl).createCategory(`hostile-${isolation}`);
    const victims = await uploadVictims(baseUrl, categoryId);
    const targets = await targetsOf(place, baseUrl, victims);
    const filesBefore = await filesAround(place);
    const watch = watchChildren(workerPid);
    const outcomes = await attackWith(targets, baseUrl, categoryId);
    const environments = await watch.stop();
    const styles = await sendStyles(attackStyles(targets), baseUrl, victims.raster);
    return {
      service,
      workerPid,
      outcomes,
      styles,
      shared: [...(await everythingShared(baseUrl)), ...(await everythingOf(baseUrl, victims.raster))],
      secrets: [canary.text, victims.secret],
      calls: () => callsTo(place) - callsBefore,
      environments,
      filesBefore,
      filesAfter: await filesAround(place),
    };
  } catch (error) {
    await service[Symbol.asyncDispose]();
    throw error;
  }
}

function callsTo({ canaries }: Place): number {
  return canaries.reduce((sum, canary) => sum + canary.connections(), 0);
}

/** Sends styles for a dataset, one after the other. */
async function sendStyles(
  attacks: readonly StyleAttack[],
  baseUrl: string,
  datasetId: string,
): Promise<readonly StyleOutcome[]> {
  const outcomes: StyleOutcome[] = [];
  for (const attack of attacks) {
    const form = new FormData();
    form.append('file', new File([attack.text], 'a.sld'));
    const response = await fetch(`${baseUrl}/datasets/${datasetId}/sld`, { method: 'POST', body: form });
    await response.arrayBuffer();
    outcomes.push({ attack, status: response.status });
  }
  return outcomes;
}
