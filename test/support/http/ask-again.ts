import { setTimeout as sleep } from 'node:timers/promises';

/** A high limit, because tests keep all cores busy. */
const mostTries = 20;

/** Repeats a request while the answer is 503 with Retry-After, as every client must, and returns the last answer. */
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
