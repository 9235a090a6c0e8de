import { setTimeout as sleep } from 'node:timers/promises';

/** Tests keep all cores busy, and have patience. */
const mostTries = 20;

/** Asks again, as any client has to, as long as the answer is 503 with the time to wait; gives the last answer. */
export async function askAgainWhileBusy<
  T extends { readonly status: number; readonly headers: Pick<Headers, 'get'> },
>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    const answer = await ask();
    const waitSeconds = Number(answer.headers.get('retry-after'));
    if (answer.status !== 503 || !(waitSeconds > 0) || tries === mostTries) return answer;
    await sleep(waitSeconds * 1000);
  }
}
