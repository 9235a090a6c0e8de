import { messageOf } from '../../../common/error-facts.ts';
import { type Isolation, isolations } from './isolation.ts';

/** Why an isolation is not used. */
export interface IsolationRefusal {
  readonly isolation: Isolation;
  readonly reason: string;
}

export interface Probed<T> {
  readonly isolation: Isolation;
  readonly answer: T;
  /** Of the stronger ones. */
  readonly refusals: readonly IsolationRefusal[];
}

/**
 * Finds the strongest isolation in which `probe` answers, or takes the one that is wanted.
 * @throws what `probe` throws without isolation, or in the one that is wanted.
 */
export async function probeIsolations<T>(
  wanted: Isolation | undefined,
  probe: (isolation: Isolation) => Promise<T>,
): Promise<Probed<T>> {
  if (wanted !== undefined) return { isolation: wanted, answer: await probe(wanted), refusals: [] };
  const refusals: IsolationRefusal[] = [];
  for (const isolation of isolations) {
    try {
      return { isolation, answer: await probe(isolation), refusals };
    } catch (error) {
      if (isolation === 'none') throw error;
      refusals.push({ isolation, reason: messageOf(error) });
    }
  }
  throw new Error('no isolation was tried');
}
