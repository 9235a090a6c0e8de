import assert from 'node:assert/strict';
import type { Browser, Locator, Page, Request, Route } from 'playwright-core';
import { withTimeout } from '../../src/lib/concurrency/with-timeout.ts';
import { visit } from '../support/browser/browser.ts';

/** A request fails once: the service refuses it, it stays unanswered, or the connection breaks. */
export const faults = ['refused', 'hanging', 'cut'] as const;
export type Fault = (typeof faults)[number];

/** One request of the page, the way to it, and what a person then sees. */
export interface Failing {
  /** As `nameOf` names it. */
  readonly request: string;
  /** The part of the address after `#`. */
  readonly at: string;
  /** Leads to the request, where opening the page alone does not. */
  readonly act?: (page: Page) => Promise<void>;
  /** The button that goes on; "Try again" unless given. None where the page itself asks again, and its line above everything tells. */
  readonly again?: ((page: Page) => Locator) | 'by itself';
  /** What a person sees in the end, where the page goes on by itself. */
  readonly ends?: (page: Page) => Promise<void>;
  /** Those that are told otherwise elsewhere are left out. */
  readonly faults?: readonly Fault[];
  /** In the long tier alone: `npm test` lets one request of each page fail. */
  readonly isLong?: boolean;
  /** The fields that may be sent with anything but GET. */
  readonly fields?: readonly string[];
}

/** Buttons that rows are about. */
export const button = (name: string | RegExp) => (page: Page) =>
  page.getByRole('button', { name, exact: typeof name === 'string' }).last();
export const inDialog = (name: string) => (page: Page) =>
  page.getByRole('dialog').getByRole('button', { name });
export const press = (name: string) => async (page: Page) => await button(name)(page).click();

/** Longer than the page waits for any answer. */
const patienceMs = 45_000;
const uuid = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g;

/** A request by its method and path, with the members of its query that make it another question. */
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

/** What a person may read when a request has failed, as the page and its map say it. */
const sentences =
  /does not answer|answered with an error|No answer has arrived|could not answer|could not be (?:read|loaded)|did not load/;

const isFetched = (request: Request): boolean => ['fetch', 'xhr'].includes(request.resourceType());

interface Story {
  readonly browser: Browser;
  readonly baseUrl: string;
  /** Gets the name of every request that the page makes. */
  readonly onRequest: (name: string) => void;
}

/** Makes one request fail once, and looks for a sentence, for the way on, and that it leads on. */
export async function failOnce({ browser, baseUrl, onRequest }: Story, failing: Failing, fault: Fault) {
  const { request: wanted, at, act, again, ends, fields = [] } = failing;
  const unsaid: string[] = [];
  const pending = new Set<Request>();
  const listen = (page: Page): void => {
    const end = (request: Request): void => void pending.delete(request);
    page.context().on('requestfinished', end);
    page.context().on('requestfailed', end);
    page.context().on('request', (request) => {
      // The stream of events has no end, and holds up nothing.
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
  // One that goes on by itself may have to send much before.
  await withTimeout(ends === undefined ? 15_000 : 60_000, failed, noRequest);
  if (fault === 'hanging' && (again !== 'by itself' || ends !== undefined)) {
    // Only the one that hangs shall wait too long.
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
