import { createClient } from '../../support/client.ts';
import { attackStyles, type StyleAttack } from './attack-styles.ts';
import { everythingOf, everythingShared } from './everything-served.ts';
import { makeHostileHome } from './hostile-home.ts';
import { attackWith } from './outcomes.ts';
import { filesAround, type Place, startIn } from './place.ts';
import { targetsOf, uploadVictims } from './victims.ts';
import { watchChildren } from './watching.ts';

/** A service that has been sent every hostile file, and what was seen of it. */
export type Siege = Awaited<ReturnType<typeof besiege>>;

/** Starts a service whose user has a hostile home, and uploads every hostile file. */
export async function besiege(place: Place, isolation: 'auto' | 'none') {
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
      /** Before the first hostile file came. */
      workerPid,
      outcomes,
      styles,
      /** Everything that is to be had of no dataset alone, and of the group with the styles. */
      shared: [...(await everythingShared(baseUrl)), ...(await everythingOf(baseUrl, victims.raster))],
      /** Texts that must not be disclosed. */
      secrets: [canary.text, victims.secret],
      /** How often forbidden addresses were called since the service was started. */
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
async function sendStyles(attacks: readonly StyleAttack[], baseUrl: string, datasetId: string) {
  return await Array.fromAsync(attacks, async (attack) => {
    const form = new FormData();
    form.append('file', new File([attack.text], 'a.sld'));
    const response = await fetch(`${baseUrl}/datasets/${datasetId}/sld`, { method: 'POST', body: form });
    await response.arrayBuffer();
    return { attack, status: response.status };
  });
}
