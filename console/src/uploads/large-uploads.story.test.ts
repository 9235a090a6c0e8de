import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile, truncate, utimes, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { Language } from '../words/languages.ts';
import { ignore } from '../../../src/lib/concurrency/promises.ts';
import { MiB } from '../../../src/lib/units.ts';
import { settingsOf, titleOf, visit, wordsOf } from '../../../test/support/browser/browser.ts';
import { openCuttingProxy } from '../../../test/support/http/cutting-proxy.ts';
import { closeAfterTests, temporaryFolder } from '../../../test/support/for-tests.ts';
import { listenOn } from '../../../test/support/ports.ts';
import { eventually } from '../../../test/support/processes.ts';
import { projectRoot } from '../../../test/support/project.ts';
import { takePicture } from '../../../test/support/browser/screenshots.ts';
import { clear, clearedService, sharedBrowser } from '../../../test/console/shared.ts';

/** A file over 64 MiB, which is sent in two requests: a small raster followed by noise that no reader accesses. */
const name = 'relief.tif';
const bytes = Buffer.concat([
  await readFile(join(projectRoot, 'examples/zhabay-dem.tif')),
  randomBytes(72 * MiB),
]);
const digest = createHash('sha256').update(bytes).digest('hex');
const folder = await temporaryFolder();
const file = join(folder, name);
await writeFile(file, bytes);
/** A file with the same name and size that was changed later. */
const changed = join(await temporaryFolder(), name);
await writeFile(changed, '');
await truncate(changed, bytes.length);
await utimes(changed, new Date(0), new Date(0));

const expected = /net::ERR_/;
const rowIn = (page: Page) => page.locator('.tray').getByRole('listitem').filter({ hasText: name });
/** Chooses a file as on the first visit, once the page has detected that it is one. */
async function choose(page: Page, language: Language): Promise<void> {
  await page.getByRole('heading', { level: 1, name: wordsOf[language].welcome.title }).waitFor();
  await page.locator('input[type=file]').first().setInputFiles(file);
}
/** Matches a sentence with an unknown number. */
const patternOf = (sentence: (share: string) => string): RegExp =>
  new RegExp(
    sentence('§')
      .replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
      .replace('§', String.raw`([^·\n]+)`),
  );

/** Waits for the dataset in the service and on the page; by then the list of uploads is folded. */
async function isReady(page: Page, baseUrl: string): Promise<void> {
  const isThere = async () =>
    (await (await fetch(`${baseUrl}/datasets?status=ready`)).text()).includes('"relief"');
  await eventually('the dataset is ready', isThere, 120);
  await page.getByRole('link', { name: 'relief', exact: true }).waitFor();
}

/** Digest of the file of the only dataset, as the service serves it. */
async function digestOfOnly(baseUrl: string): Promise<string> {
  const { data, total }: { data: readonly { id: string }[]; total: number } = Object(
    await (await fetch(`${baseUrl}/datasets`)).json(),
  );
  assert.equal(total, 1);
  const answer = await fetch(`${baseUrl}/datasets/${data[0]?.id}/download`);
  return createHash('sha256')
    .update(await answer.bytes())
    .digest('hex');
}

/** Forwards a request once it has received all of it, and breaks the connection of a larger one. */
async function openCollectingProxy(serviceUrl: string, maxBytes: number) {
  const server = createServer((incoming, answer) => {
    void (async () => {
      if (Number(incoming.headers['content-length'] ?? 0) > maxBytes) {
        incoming.socket.destroy();
        return;
      }
      const body = await buffer(incoming);
      const { method, url, headers } = incoming;
      const passed = request(serviceUrl + url, { method, headers }, (from) => {
        if (answer.destroyed) return; // the page has disconnected meanwhile
        answer.writeHead(from.statusCode ?? 502, from.headers);
        pipeline(from, answer, ignore);
      });
      passed.on('error', () => answer.destroy()).end(body);
    })().catch(() => answer.destroy());
  });
  const port = await listenOn(server);
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

for (const setting of settingsOf(1)) {
  const { language, width, gpu } = setting;
  const { upload } = wordsOf[language];
  describe(titleOf('a hydrologist sends a large file over a bad line', setting), async () => {
    const browser = await sharedBrowser({ gpu });
    const service = await clearedService();
    const proxy = await closeAfterTests(openCuttingProxy(service.baseUrl));
    const options = { baseUrl: proxy.baseUrl, language, width, expected, given: [name] };
    const first = await closeAfterTests(visit(browser, options));
    const context = first.page.context();
    let { page, check } = first;
    before(async () => {
      await clear(service.baseUrl);
      await page.reload();
    });

    test('says each time that the connection is lost, and goes on by itself', async () => {
      // Each break is prepared before the line is restored: the rest of the file arrives almost at once.
      let cut = proxy.cutAfter(12 * MiB);
      await choose(page, language);
      for (const mebibytes of [9, 8, undefined]) {
        await cut;
        await rowIn(page).getByText(upload.lost).waitFor();
        await check(`interrupted, then by ${mebibytes} MiB`);
        if (mebibytes === undefined) proxy.slowTo(4 * MiB);
        else cut = proxy.cutAfter(mebibytes * MiB);
        proxy.mend();
      }
      await rowIn(page).getByText(upload.lost).waitFor({ state: 'detached' });
    });

    test('another tab leaves it alone', async () => {
      const other = await context.newPage();
      await other.goto(proxy.baseUrl);
      await other.getByRole('heading', { level: 1 }).waitFor();
      await other.waitForTimeout(1000);
      assert.equal(await other.locator('.tray').count(), 0);
      await other.close();
    });

    test('a tab that was closed has left its upload to the next one', async () => {
      await proxy.cutAfter(4 * MiB);
      await page.close();
      proxy.mend();
      ({ page, check } = await visit(browser, { ...options, within: context }));
      await rowIn(page).getByText(patternOf(upload.interrupted)).waitFor();
      await check('left by a closed tab');
      if (language === 'en') await takePicture(page, 'upload-interrupted');
    });

    test('another file does not continue it', async () => {
      await page.locator('input[data-goes-on]').setInputFiles(changed);
      await rowIn(page).getByText(upload.otherFile).waitFor();
      await check('another file');
    });

    test('goes on where it was, at the speed of the line, and is the same byte for byte', async () => {
      const before = proxy.sentBytes();
      // Both ways continue the upload: the button in the list, and choosing the file again.
      if (width > 400) await page.locator('input[data-goes-on]').setInputFiles(file);
      else await choose(page, language);
      await rowIn(page).getByText(patternOf(upload.resumed)).waitFor();
      const speed = patternOf(upload.speed);
      const shown = await eventually('a speed', async () => speed.exec(await rowIn(page).innerText())?.[1]);
      assert.ok(parseFloat(shown.replace(',', '.')) < 20 && /[MМ]/.test(shown), shown);
      proxy.slowTo(Infinity);
      await isReady(page, service.baseUrl);
      await check('ready');
      const sent = proxy.sentBytes() - before;
      assert.ok(sent < bytes.length - 30 * MiB, `${sent} of ${bytes.length} bytes went again`);
      assert.equal(await digestOfOnly(service.baseUrl), digest);
      assert.equal(await page.evaluate(`localStorage.getItem('steppe-uploads')`), '{}');
    });
  });
}

describe('a large file on its way', async () => {
  const browser = await sharedBrowser();
  const service = await clearedService();
  const proxy = await closeAfterTests(openCuttingProxy(service.baseUrl));
  const { upload } = wordsOf.en;
  const options = { baseUrl: proxy.baseUrl, language: 'en', expected } as const;
  before(async () => await clear(service.baseUrl));

  test('leaves a line on which nothing moves any more, and goes on by another', async () => {
    const { page, check, close } = await visit(browser, {
      ...options,
      before: async (opened) => await opened.clock.install(),
    });
    const frozen = proxy.freezeAfter(30 * MiB);
    await choose(page, 'en');
    await frozen;
    await page.clock.fastForward(16_000);
    await rowIn(page).getByText(upload.lost).waitFor();
    await page.clock.fastForward(60_000);
    await isReady(page, service.baseUrl);
    await check('ready');
    assert.equal(await digestOfOnly(service.baseUrl), digest);
    await close();
  });

  test('arrives through a proxy that collects whole requests, over a line that breaks before they are whole', async () => {
    await clear(service.baseUrl);
    await using collecting = await openCollectingProxy(service.baseUrl, 34 * MiB);
    const { page, close } = await visit(browser, { ...options, baseUrl: collecting.baseUrl });
    await choose(page, 'en');
    await isReady(page, service.baseUrl);
    assert.equal(await digestOfOnly(service.baseUrl), digest);
    await close();
  });

  test('leaves nothing when it is cancelled, also where the service hears of that later', async () => {
    await clear(service.baseUrl);
    const { page, close } = await visit(browser, options);
    proxy.slowTo(6 * MiB);
    const cut = proxy.cutAfter(20 * MiB);
    await choose(page, 'en');
    await cut;
    const kept = `Object.values(JSON.parse(localStorage.getItem('steppe-uploads')))[0].id`;
    const id = await page.evaluate<string>(kept);
    assert.equal((await fetch(`${service.baseUrl}/uploads/${id}`)).status, 200);
    await rowIn(page).getByRole('button', { name: wordsOf.en.shell.cancel }).click();
    await page.locator('.tray-head').click(); // the list is folded, because nothing is left to do
    await rowIn(page).getByText(upload.cancelled).waitFor();
    proxy.mend();
    await eventually('it is given up', async () => {
      return (await fetch(`${service.baseUrl}/uploads/${id}`)).status === 404;
    });
    await close();
  });
});
