import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { visit } from '../support/browser/browser.ts';
import { createClient } from '../support/client.ts';
import { eventually } from '../support/processes.ts';
import { sharedBrowser, sharedService } from './shared.ts';

const { baseUrl } = await sharedService();
const client = createClient(baseUrl);
const category = await client.createCategory('heard');
const collection = '{"type":"FeatureCollection","features":[]}';
const upload = async (name: string) =>
  await client.upload(category, 'vector', new File([collection], `${name}.geojson`));

/** Paths and queries that a page has requested. */
function askedBy(page: Page): readonly string[] {
  const asked: string[] = [];
  page.on('request', (request) =>
    asked.push(new URL(request.url()).pathname + new URL(request.url()).search),
  );
  return asked;
}

describe('changes by others are shown', async () => {
  const browser = await sharedBrowser();
  await upload('first');

  test('at once where events arrive, without polling', async () => {
    let asked: readonly string[] = [];
    const { page, words, check, close } = await visit(browser, {
      baseUrl: `${baseUrl}/#/datasets`,
      language: 'en',
      before: (opened) => (asked = askedBy(opened)),
    });
    await page.getByText('first').first().waitFor();
    await eventually('the page listens', async () => asked.includes('/events'));
    await page.waitForTimeout(1500);
    const looks = () => asked.filter((path) => path.startsWith('/datasets?')).length;
    const before = looks();
    await page.waitForTimeout(16_000); // earlier versions asked every 15 seconds
    assert.equal(looks(), before);
    await upload('second');
    await page.getByText(words.datasets.added(1)).waitFor({ timeout: 6000 });
    assert.equal(asked.filter((path) => path === '/events').length, 1);
    await check('events');
    await close();
  });

  for (const [how, fulfil] of [
    ['are refused', { status: 503, body: '{}' }],
    ['are kept by a proxy', undefined],
  ] as const)
    test(`by polling where events ${how}`, async () => {
      const { page, words, check, close } = await visit(browser, {
        baseUrl: `${baseUrl}/#/datasets`,
        language: 'en',
        expected: /status of 503|ERR_/,
        before: async (opened) =>
          await opened.route('**/events', async (route) => {
            if (fulfil !== undefined) await route.fulfill(fulfil);
          }),
      });
      await page.locator('tbody tr').first().waitFor();
      await upload(`third ${how}`);
      await page.getByText(words.datasets.added(1)).waitFor({ timeout: 40_000 });
      await check(how);
      await close();
    });
});
