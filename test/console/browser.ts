import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { closeAfterTests } from '../support/for-tests.ts';

const executablePath = '/usr/bin/chromium';
const alwaysOff = ['--disable-background-networking', '--no-sandbox'];
/** No WebGL at all, as on many computers of offices and on remote desktops. */
const withoutWebGl = ['--disable-gpu', '--disable-software-rasterizer'];

/** Starts Debian's Chromium for all tests of a file. @throws with what to type where there is none. */
export async function openBrowser({ hasWebGl }: { readonly hasWebGl: boolean }): Promise<Browser> {
  if (!existsSync(executablePath)) throw new Error(`${executablePath} is missing: apt-get install chromium`);
  const args = [...alwaysOff, ...(hasWebGl ? [] : withoutWebGl)];
  return await closeAfterTests(chromium.launch({ executablePath, chromiumSandbox: false, args }));
}

export interface WatchedPage {
  readonly page: Page;
  /** What has gone wrong so far: errors of scripts, of the console and of the policy, requests to other origins. */
  readonly faults: () => readonly string[];
}

/** Opens a page in a language, and watches it. */
export async function openPage(
  browser: Browser,
  baseUrl: string,
  locale: string,
  width = 1280,
): Promise<WatchedPage> {
  const context = await browser.newContext({
    locale,
    viewport: { width, height: 800 },
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', ({ message }) => faults.push(message));
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  await page.exposeFunction('tellOfViolation', (text: string) => faults.push(text));
  await page.addInitScript(
    "addEventListener('securitypolicyviolation', (event) => tellOfViolation(`${event.violatedDirective} ${event.blockedURI}`))",
  );
  await page.route(
    (url) => url.origin !== baseUrl && url.protocol !== 'data:' && url.protocol !== 'blob:',
    async (route) => {
      faults.push(`asked for ${route.request().url()}`);
      await route.abort();
    },
  );
  return { page, faults: () => faults };
}

const axe = await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** Fails with every finding of axe on the page as it stands. */
export async function assertAccessible(page: Page): Promise<void> {
  await page.evaluate(axe);
  const found = await page.evaluate(
    "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`))",
  );
  assert.deepEqual(found, []);
}
