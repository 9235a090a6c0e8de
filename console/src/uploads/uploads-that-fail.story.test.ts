import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { visit } from '../../../test/support/browser/browser.ts';
import { closeAfterTests, temporaryFolder } from '../../../test/support/for-tests.ts';
import { eventually } from '../../../test/support/processes.ts';
import { projectRoot } from '../../../test/support/project.ts';
import { clear, clearedService, sharedBrowser } from '../../../test/console/shared.ts';

const example = join(projectRoot, 'examples/zhabay-dem.tif');
const folder = join(await temporaryFolder(), 'maps');
await mkdir(folder);

describe('uploads that cannot go on', async () => {
  const service = await clearedService();
  const browser = await sharedBrowser();
  const { page, words, check } = await closeAfterTests(
    visit(browser, {
      baseUrl: service.baseUrl,
      language: 'en',
      expected: /status of 403|ERR_CONNECTION_RESET/,
    }),
  );
  const { upload } = words;
  const tray = page.getByRole('complementary', { name: upload.title });
  const rowOf = (name: string) => tray.getByRole('listitem').filter({ hasText: name });
  before(async () => {
    await clear(service.baseUrl);
    await page.reload();
  });

  test('a user who may not add a category reads whom to ask, and can try again', async () => {
    await page.getByRole('heading', { level: 1, name: words.welcome.title }).waitFor();
    await page.route('**/categories', async (route) => {
      if (route.request().method() === 'POST') await route.fulfill({ status: 403, body: '{}' });
      else await route.fulfill({ json: [] });
    });
    await page.locator('input[type=file]').setInputFiles(example);
    await rowOf('zhabay-dem.tif').getByText(upload.noCategory).waitFor();
    await check('no category');
    await page.unroute('**/categories');
    await rowOf('zhabay-dem.tif').getByRole('button', { name: upload.retry }).click();
    await page.getByRole('link', { name: 'zhabay-dem' }).waitFor();
  });

  test('the tray folds itself when nothing in it runs or needs anybody', async () => {
    await page.getByRole('button', { name: upload.title, expanded: false }).waitFor();
  });

  test('a folder that was dropped is refused, and holds up no file beside it', async () => {
    const debug = await page.context().newCDPSession(page);
    const at = { x: 400, y: 400, data: { items: [], files: [folder, example], dragOperationsMask: 1 } };
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await debug.send('Input.dispatchDragEvent', { type, ...at });
    await rowOf('maps').getByText(upload.unreadable).waitFor();
    await rowOf('zhabay-dem.tif').getByText(upload.double).waitFor();
    const box = await tray.boundingBox();
    assert.ok(box !== null && box.height <= 140, `${box?.height} pixels of the screen are covered`);
    await check('a folder');
    await page.getByRole('link', { name: words.shell.map }).click();
    await page.getByRole('button', { name: upload.title, expanded: false }).waitFor();
    await eventually(
      'the title of the map',
      async () => (await page.title()) === `${words.shell.map} · Steppe`,
    );
  });

  test('an upload whose answer was lost makes one dataset when it is tried again, and shows how far it is', async () => {
    await clear(service.baseUrl);
    await page.goto(`${service.baseUrl}/#/`);
    await page.reload();
    await page.getByRole('heading', { level: 1, name: words.welcome.title }).waitFor();
    let answers = 0;
    const debug = await page.context().newCDPSession(page);
    debug.on('Fetch.requestPaused', ({ requestId, request }) => {
      answers += request.method === 'POST' ? 1 : 0;
      const isLost = request.method === 'POST' && answers === 1;
      void (isLost
        ? debug.send('Fetch.failRequest', { requestId, errorReason: 'ConnectionReset' })
        : debug.send('Fetch.continueResponse', { requestId }));
    });
    await debug.send('Fetch.enable', {
      patterns: [{ urlPattern: '*/datasets', requestStage: 'Response' }],
    });
    await page.route('**/status', async (route) => {
      const { id } = Object(await (await route.fetch()).json());
      const json = { id, status: 'processing', parse_error: null, progress: 0.427 };
      await route.fulfill({ json });
    });
    await page.locator('input[type=file]').first().setInputFiles(example);
    await rowOf('zhabay-dem.tif').getByRole('button', { name: upload.retry }).click();
    await rowOf('zhabay-dem.tif').getByText(`${words.statuses.processing}, 42\u00a0%`).waitFor();
    await check('an upload in work');
    await page.unrouteAll();
    await debug.detach();
    await page.getByRole('button', { name: upload.title, expanded: false }).waitFor();
    const listed = await fetch(`${service.baseUrl}/datasets?q=zhabay`);
    assert.deepEqual([answers, Object(await listed.json()).total], [2, 1]);
  });
});
