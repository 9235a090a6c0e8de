/**
 * Waits for two works that share the cores, so that neither goes on behind the failure of the other.
 * @throws what the first throws; its failure comes before that of the second.
 */
export async function bothOf<A, B>(first: Promise<A>, second: Promise<B>): Promise<readonly [A, B]> {
  await Promise.allSettled([first, second]);
  return [await first, await second];
}
