import assert from 'node:assert/strict';
import type { Browser, Locator, Page, Request, Route } from 'playwright-core';
import { withTimeout } from '../../src/lib/concurrency/with-timeout.ts';
import { visit } from '../support/browser/browser.ts';

/** Faults of a request: the service refuses it, it stays unanswered, or the connection breaks. */
export const faults = ['refused', 'hanging', 'cut'] as const;
export type Fault = (typeof faults)[number];

/** A request of the page, the steps that trigger it, and what the user then sees. */
export interface Failing {
  /** Name of the request in the form of `nameOf`. */
  readonly request: string;
  /** The part of the address after `#`. */
  readonly at: string;
  /** Triggers the request, where opening the page is not enough. */
  readonly act?: (page: Page) => Promise<void>;
  /**
   * The button that repeats the request; by default "Try again". None where the page repeats it by itself and its status line reports that.
   */
  readonly again?: ((page: Page) => Locator) | 'by itself';
  /** Checks what a user sees in the end, where the page recovers by itself. */
  readonly ends?: (page: Page) => Promise<void>;
  /** Faults to test; those with another message have a test of their own. */
  readonly faults?: readonly Fault[];
  /** Only in the long tier: `npm test` lets one request of each page fail. */
  readonly isLong?: boolean;
  /** Fields that methods other than GET may send. */
  readonly fields?: readonly string[];
}

/** A button, by its label. */
export const button = (name: string | RegExp) => (page: Page) =>
  page.getByRole('button', { name, exact: typeof name === 'string' }).last();
export const inDialog = (name: string) => (page: Page) =>
  page.getByRole('dialog').getByRole('button', { name });
export const press = (name: string) => async (page: Page) => await button(name)(page).click();

/** Longer than the page waits for any answer. */
const patienceMs = 45_000;
const uuid = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g;

/** Name of a request: method, path, and the parameters that distinguish requests. */
export function nameOf(method: string, address: string): string {
  const { pathname, searchParams } = new URL(address);
  const kinds = ['status', 'page_size', 'wait', 'level'].flatMap((name) => {
    const value = searchParams.get(name);
    return value === null ? [] : [`${name}=${value}`];
  });
  const path = pathname
    .replace(uuid, '{id}')
    .replace(/-[\w-]{8}\./, '.')
    .replace(/districts\/\d+\//, 'districts/{kato}/')
    .replace(/\/\d+\/\d+\/\d+\.png$/, '/{z}/{x}/{y}.png');
  return `${method} ${path}${kinds.length === 0 ? '' : `?${kinds.join('&')}`}`;
}

/** Messages that the page or its map may show after a failed request. */
const sentences =
  /does not answer|answered with an error|No answer has arrived|could not answer|could not be (?:read|loaded)|did not load/;

const isFetched = (request: Request): boolean => ['fetch', 'xhr'].includes(request.resourceType());

interface Story {
  readonly browser: Browser;
  readonly baseUrl: string;
  /** Receives the name of every request of the page. */
  readonly onRequest: (name: string) => void;
}

/** Makes one request fail once, and asserts that the page shows a message and a way to continue, and that it works. */
export async function failOnce({ browser, baseUrl, onRequest }: Story, failing: Failing, fault: Fault) {
  const { request: wanted, at, act, again, ends, fields = [] } = failing;
  const unsaid: string[] = [];
  const pending = new Set<Request>();
  const listen = (page: Page): void => {
    const end = (request: Request): void => void pending.delete(request);
    page.context().on('requestfinished', end);
    page.context().on('requestfailed', end);
    page.context().on('request', (request) => {
      // The stream of events has no end and delays nothing.
      if (new URL(request.url()).pathname !== '/events') pending.add(request);
      if (!isFetched(request)) return;
      onRequest(nameOf(request.method(), request.url()));
      const body = request.postData();
      if (request.method() === 'GET' || body === null || !body.startsWith('{')) return;
      unsaid.push(...Object.keys(Object(JSON.parse(body))).filter((field) => !fields.includes(field)));
    });
  };
  let isFailing = true;
  const { promise: failed, resolve } = Promise.withResolvers<void>();
  const noRequest = () => new Error(`${wanted} was not sent`);
  const fail = async (route: Route): Promise<void> => {
    const request = route.request();
    if (!isFailing || !isFetched(request) || nameOf(request.method(), request.url()) !== wanted) {
      await route.continue();
      return;
    }
    isFailing = false;
    resolve();
    if (fault === 'refused') await route.fulfill({ status: 503, body: '{}' });
    if (fault === 'cut') await route.abort('connectionreset');
  };
  const { page, close, checkFaults } = await visit(browser, {
    baseUrl: `${baseUrl}/#${at}`,
    language: 'en',
    expected: /status of (?:503|409)|ERR_CONNECTION_RESET|ERR_FAILED/,
    async before(opened) {
      listen(opened);
      await opened.context().route(/^http/, fail);
      if (fault === 'hanging') await opened.clock.install();
    },
  });
  await act?.(page);
  // A page that recovers by itself may have to send much before.
  await withTimeout(ends === undefined ? 15_000 : 60_000, failed, noRequest);
  if (fault === 'hanging' && (again !== 'by itself' || ends !== undefined)) {
    // Only the hanging request may exceed its time limit.
    for (let calm = 0; calm < 3; calm = pending.size > 1 ? 0 : calm + 1) await page.waitForTimeout(150);
    await page.clock.fastForward(patienceMs);
  }
  if (again === 'by itself') {
    await (ends?.(page) ?? page.waitForTimeout(200));
  } else {
    const said = page.locator('[role=alert], [role=status], .tray-state').filter({ hasText: sentences });
    await said.first().waitFor({ timeout: 15_000 });
    const button = again?.(page) ?? page.getByRole('button', { name: 'Try again' });
    await button.first().click({ timeout: 15_000 });
    await said
      .first()
      .waitFor({ state: 'detached', timeout: 15_000 })
      .catch(async () => {
        assert.equal(await said.first().isVisible(), false, 'the sentence stays');
      });
  }
  assert.deepEqual(unsaid, [], 'fields were sent that nobody has changed');
  checkFaults(`${wanted} ${fault}`);
  await close();
}
