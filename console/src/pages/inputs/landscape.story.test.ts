import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { formatShare } from '../../../../common/formats/shares.ts';
import type { LandscapeGraph } from '../../../../src/landscape/groups/graph-schema.ts';
import { inputFindings } from '../../../../src/messages/runs/english.ts';
import { translate } from '../../../../src/messages/languages/translate.ts';
import type { GroupFreshness } from '../../../../src/catalogue/cadence-schema.ts';
import type { LandscapeWatch } from '../../../../src/landscape/watch/watch-schema.ts';
import type { LandscapeGaps } from '../../../../src/landscape/gaps/gaps-schema.ts';
import { settingsOf, titleOf, visit } from '../../../../test/support/browser/browser.ts';
import { closeAfterTests, temporaryFolder } from '../../../../test/support/for-tests.ts';
import { createLandscapeClient, golden, leaves } from '../../../../test/support/landscape/landscape.ts';
import { insertPendingDatasets } from '../../../../test/support/geo/rasters.ts';
import { connectTo } from '../../../../test/support/service-database.ts';
import { startService } from '../../../../test/support/service.ts';
import { eventually } from '../../../../test/support/processes.ts';
import { sharedBrowser } from '../../../../test/console/shared.ts';
import { en, kk, ru } from '../../../../test/console/landscape-words.ts';

const wordsOf = { en, kk, ru };
const folder = await temporaryFolder();
const noTiff = join(folder, 'relief.tif');
await writeFile(noTiff, 'GIF89a');
const photograph = join(folder, 'camp.jpg');
await writeFile(photograph, new Uint8Array([0xff, 0xd8, 0xff, 0xe0]));
const [dem, undated] = [join(folder, 'dem.tif'), join(folder, 'undated.tif')];
for (const path of [dem, undated]) await writeFile(path, await (await golden('dem')).bytes());

/** Drags a file over a place and drops it there; calls `over` in between. */
async function drop(page: Page, selector: string, path: string, over: () => Promise<void>): Promise<void> {
  const [bytes, name] = [(await readFile(path)).toString('base64'), path.split('/').at(-1)];
  const dataTransfer = await page.evaluateHandle(`(() => {
    const bytes = Uint8Array.from(atob('${bytes}'), (character) => character.charCodeAt(0));
    const transfer = new DataTransfer();
    transfer.items.add(new File([bytes], '${name}'));
    return transfer;
  })()`);
  const place = page.locator(selector);
  for (const type of ['dragenter', 'dragover']) await place.dispatchEvent(type, { dataTransfer });
  await over();
  await place.dispatchEvent('drop', { dataTransfer });
}

for (const setting of settingsOf(0)) {
  const { language, width, gpu } = setting;
  describe(titleOf('a land planner knows what a run will do', setting), async () => {
    const words = wordsOf[language].inputs;
    const browser = await sharedBrowser({ gpu });
    // A service of its own, because runs depend on the earlier content of the slots.
    const service = await closeAfterTests(startService());
    const { baseUrl } = service;
    const landscape = createLandscapeClient(baseUrl);
    /** Number of pixels of one element that another element covers. */
    const covered = async (page: Page, one: string, other: string) =>
      await page.evaluate<number>(`(() => {
        const [a, b] = ${JSON.stringify([one, other])}.map((each) => document.querySelector(each).getBoundingClientRect());
        const [wide, high] = [Math.min(a.right, b.right) - Math.max(a.left, b.left), Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)];
        return wide > 0 && high > 0 ? Math.round(wide * high) : 0;
      })()`);
    const open = async (at: string, prepare?: (page: Page) => Promise<void>) =>
      await closeAfterTests(
        visit(browser, {
          given: ['the last line is missing'],
          baseUrl: `${baseUrl}/#/landscape${at}`,
          language,
          width,
          expected: /status of 503/,
          ...(prepare === undefined ? {} : { before: prepare }),
        }),
      );
    const {
      page,
      words: { upload: texts, shell, catalogue },
      check,
    } = await open('');
    const headers = { 'accept-language': language };
    const { body: graph } = await landscape.json<LandscapeGraph>('/landscape/graph', { headers });
    const titleOfSlot = (group: string) => graph.slots.find((slot) => slot.group === group)?.title ?? '';
    const paramTitle = (name: string) => graph.params.find((param) => param.name === name)?.title ?? '';
    const elevation = titleOfSlot('landscape-in-dem');
    const row = page.locator('[data-slot=landscape-in-dem]');
    const plan = page.getByRole('region', { name: words.plan });
    const run = page.getByRole('button', { name: words.run, exact: true });
    const threshold = page.getByRole('combobox', { name: paramTitle('v1_min_s_e3') });
    test('of many missing inputs the plan says how many, and covers nothing that is set beside it', async () => {
      await plan.getByText(words.manyMissing(13)).waitFor();
      assert.equal(await covered(page, '.plan-panel', '.zones'), 0);
      await plan.getByRole('button', { name: words.toFirstMissing }).click();
      assert.equal(
        await page.evaluate<string>('document.activeElement.getAttribute("aria-label")'),
        `${words.upload}: ${elevation}`,
      );
      const others = leaves.filter((leaf) => leaf !== 'dem');
      await Promise.all(others.map(async (leaf) => await landscape.fill(leaf, await golden(leaf))));
      await page.reload();
    });

    test('what is missing is named, and no run can be started', async () => {
      await page.getByRole('heading', { name: words.someReady(12, 13) }).waitFor();
      await plan.getByText(words.missing).waitFor();
      await plan.getByText(words.offMissing).waitFor();
      assert.equal(await run.isDisabled(), true);
      await plan.getByRole('button', { name: elevation }).click();
      assert.equal(
        await page.evaluate<string>('document.activeElement.getAttribute("aria-label")'),
        `${words.upload}: ${elevation}`,
      );
      await check('missing');
    });

    test('a file of another format stays here, and one that is dropped on its row fills the slot', async () => {
      await row.locator('input[type=file]').setInputFiles(noTiff);
      const tray = page.getByRole('complementary', { name: texts.title });
      await tray.getByText(texts.notTiff).waitFor();
      await drop(page, '[data-slot=landscape-in-dem]', photograph, async () => {});
      await tray.getByText(texts.notForSlot(elevation)).waitFor();
      if (width > 980) assert.equal(await covered(page, '.tray', '.slots'), 0);
      await tray.getByRole('button', { name: `${texts.dismiss}: camp.jpg` }).click();
      await drop(page, '[data-slot=landscape-in-dem]', dem, async () => {
        await page.getByText(words.drop).waitFor();
      });
      await page.getByRole('heading', { name: words.allReady(13) }).waitFor();
      await row.getByRole('link', { name: 'dem' }).waitFor();
      await plan.getByText(words.summary(19, 0)).waitFor();
      const { body: gaps } = await landscape.json<LandscapeGaps>('/landscape/gaps', { method: 'POST' });
      const share = gaps.without_zone_ha / gaps.grid_ha;
      const holes = share > 0 ? words.holes(formatShare(share, language)) : words.noHoles;
      await plan.getByText(holes).waitFor();
      await page.route(
        '**/landscape/gaps',
        async (route) => await route.fulfill({ status: 503, body: '{"error":"busy"}' }),
        { times: 1 },
      );
      await page.reload();
      await plan.getByText(words.holesUnknown).waitFor();
      await plan.getByRole('button', { name: words.estimateAgain }).click();
      await plan.getByText(holes).waitFor();
      await check('full');
    });

    test('an input tells what it is, and a period decides which upload a run takes', async () => {
      await row.getByRole('button', { name: `${words.more}: ${elevation}` }).click();
      const { quantity = '', source = '' } = graph.slots[0] ?? {};
      await row.getByText(quantity).waitFor();
      await row.getByText(source).waitFor();
      await row.getByRole('button', { name: `${words.setPeriod}: dem` }).click();
      const dialog = page.getByRole('dialog');
      await dialog.locator('input[name=start_date]').fill('2021-01-01');
      await dialog.locator('input[name=end_date]').fill('2021-12-31');
      await check('period');
      await dialog.getByRole('button').first().click();
      await row.getByText('2021', { exact: true }).first().waitFor();
      await row.locator('input[type=file]').setInputFiles(undated);
      await row.getByText(words.passedOver('undated', 'dem')).waitFor();
      await row.getByText(words.notTaken.later).waitFor();
    });

    test('a pin stands in the address, and goes with it', async () => {
      const choice = page.getByLabel(`${words.take}: ${elevation}`);
      await choice.selectOption({ label: `undated, ${words.noPeriod}` });
      await page.waitForURL(/pin=landscape-in-dem%3A[0-9a-f-]{36}/);
      await row.getByText(words.pinned, { exact: true }).waitFor();
      await row.getByText(words.otherwise('dem')).waitFor();
      await choice.selectOption({ label: words.freshest });
      await page.waitForURL((url) => url.hash === '#/landscape');
    });

    test('a file that others have sent is named while it is in work, and followed to its end', async () => {
      const pet = page.locator('[data-slot=landscape-in-pet]');
      const database = await connectTo(service);
      const [id = ''] = await insertPendingDatasets(database, 1);
      await database.query(
        `update datasets set name = 'pet-2030', end_date = '2030-12-31', status = 'processing',
           dg_id = (select id from dataset_groups where code = 'landscape-in-pet') where id = $1`,
        [id],
      );
      await page.reload();
      await pet.getByText(words.inWork('pet-2030')).waitFor();
      await database.query(
        `update datasets set status = 'failed', parse_error = 'ошибка № 7' where id = $1`,
        [id],
      );
      await database.end();
      await pet.getByText(words.failed('pet-2030')).waitFor();
      await pet.getByText('ошибка № 7').waitFor();
      await check('failed');
    });

    test('a run that is refused says why, and one that is taken is opened', async () => {
      const refuse = { status: 503, body: '{"error":"not now"}' };
      await page.route('**/landscape/runs', async (route) => await route.fulfill(refuse), { times: 1 });
      await run.click();
      await plan.getByRole('alert').getByText('not now').waitFor();
      await run.click();
      await page.waitForURL(/#\/landscape\/runs\/[0-9a-f-]{36}$/);
      const { status } = await landscape.finished(page.url().slice(-36));
      assert.equal(status, 'succeeded');
    });

    test('a changed threshold is seen in the table of zones and in the plan, with reasons', async () => {
      await page.goto(`${baseUrl}/#/landscape`);
      await plan.getByText(words.summary(0, 19)).waitFor();
      const strict = page.getByRole('row').nth(2).getByRole('cell').nth(2);
      assert.equal(await strict.textContent(), 'V1');
      await threshold.selectOption('5');
      assert.match((await strict.textContent()) ?? '', /^V2/);
      await plan.getByText(words.summary(2, 17)).waitFor();
      await plan.getByText(words.changed(paramTitle('v1_min_s_e3'), '4', '5')).waitFor();
      await plan.getByText(words.because1('33')).waitFor();
      await plan.getByText(words.reasons.same).waitFor();
      await check('plan');
    });

    test('sectors change places by keyboard alone, and the whole choice can be sent as a link', async () => {
      const [first, second] = [1, 2];
      const nameOf = (number: number) =>
        graph.sectors.find((sector) => sector.number === number)?.title ?? '';
      await page.getByRole('button', { name: words.up(nameOf(second)) }).press('Enter');
      await page.waitForURL(/ties=2%2C1%2C3%2C4%2C5/);
      await page.getByText(words.place(nameOf(second), 1, 5)).waitFor({ state: 'attached' });
      const focused = async () =>
        await page.evaluate<string>('document.activeElement.getAttribute("aria-label")');
      await eventually('the focus', async () => (await focused()) === words.down(nameOf(second)));
      await plan.getByText(words.summary(3, 16)).waitFor();
      const other = await open(page.url().split('#/landscape')[1] ?? '');
      await other.page.getByText(words.summary(3, 16)).waitFor();
      const order = other.page.getByRole('list', { name: paramTitle('tie_priority') }).getByRole('listitem');
      assert.deepEqual(
        (await order.allTextContents()).slice(0, 2).map((text) => text.replace(/[▲▼]/g, '')),
        [nameOf(second), nameOf(first)],
      );
      await other.check('a link');
      await other.close();
    });

    test('a token that may not run is told so', async () => {
      const body = { auth: 'token', scopes: ['data:read'], max_upload_bytes: 1, base_map: null };
      const reader = await open('?v1_min_s_e3=9', async (page) => {
        await page.route('**/capabilities', async (route) => await route.fulfill({ json: body }));
      });
      await reader.page.getByText(words.mayNotRun).waitFor();
      await reader.page.getByText(words.misread).waitFor();
      await reader.page.getByText('v1_min_s_e3=9', { exact: true }).waitFor();
      assert.equal(await reader.page.getByRole('button', { name: words.run }).isDisabled(), true);
      assert.equal(
        await reader.page.getByRole('button', { name: new RegExp(`^${words.upload}`) }).count(),
        0,
      );
      assert.equal(await reader.page.getByText(shell.notFound).count(), 0);
      await reader.check('reader');
      await reader.close();
    });

    test('a file that is not what the input is for has no tick, says why, and stops the run or not', async () => {
      const ndvi = page.locator('[data-slot=landscape-in-ndvi]');
      const tick = ndvi.locator('.slot-taken').getByText('✓');
      await page.goto(`${baseUrl}/#/landscape`);
      await tick.waitFor();
      await landscape.fill('ndvi', await golden('ndvi-without-crs'));
      await page.reload();
      await ndvi.getByText(translate(inputFindings.noReferenceSystem, language)).waitFor();
      await page.getByRole('heading', { name: words.someReady(12, 13) }).waitFor();
      await plan.getByText(words.unusable).waitFor();
      await plan.getByText(words.offUnusable).waitFor();
      assert.deepEqual([await run.isDisabled(), await tick.count()], [true, 0]);
      await check('unusable');
      await landscape.fill('ndvi', await golden('ndvi-without-scale'));
      await page.reload();
      await ndvi.getByText(/-a_scale 0\.0001/).waitFor();
      await page.getByRole('heading', { name: words.allReady(13) }).waitFor();
      assert.deepEqual([await run.isDisabled(), await tick.count()], [false, 0]);
      await check('odd');
      const id = await landscape.fill('ndvi', await golden('ndvi'));
      const database = await connectTo(service);
      const ofDataset = 'from raster_statistics where dataset_id = $1';
      const { rows } = await database.query<{ counts: object }>(`select counts ${ofDataset}`, [id]);
      const setCounts = `update raster_statistics set state = $2, counts = $3 where dataset_id = $1`;
      await database.query(setCounts, [id, 'pending', null]);
      await page.reload();
      await ndvi.getByText(translate(inputFindings.beingCounted, language)).waitFor();
      await check('being counted');
      await database.query(setCounts, [id, 'counted', JSON.stringify(rows[0]?.counts)]);
      await database.end();
      await tick.waitFor();
    });

    test('an input says that it is late, and the watch makes a draft of another one', async () => {
      const { watch: text } = wordsOf[language];
      const send = async <T>(path: string, method: string, body: object) =>
        (await landscape.json<T>(path, { method, body: JSON.stringify(body) })).body;
      const { body: slots } = await landscape.json<readonly { group_id: string }[]>('/landscape/slots');
      const cadence = `/dataset-groups/${slots[0]?.group_id}/cadence`;
      const late = await send<GroupFreshness>(cadence, 'PUT', { every: 'P1Y', grace: 'P60D' });
      const days = (Date.parse(late.today) - Date.parse(late.overdue_after ?? '')) / 86_400_000;
      const { body: runs } = await landscape.json<{ data: readonly { id: string }[] }>('/landscape/runs');
      const adopted = runs.data[0]?.id ?? '';
      await send(`/landscape/runs/${adopted}/record`, 'PUT', { state: 'adopted' });
      await page.goto(`${baseUrl}/#/landscape`);
      await page.reload();
      await row.getByText(catalogue.cadence.overdue(days)).waitFor();
      const watch = page.getByRole('region', { name: text.title });
      await watch.getByText(text.states.off).waitFor();
      await watch.getByLabel(text.hold).selectOption('PT0S');
      await watch.getByLabel(text.on).check();
      await watch.getByText(text.states.idle).waitFor();
      await landscape.fill('precipitation', await golden('pet'));
      await watch.getByRole('link', { name: text.compare }).waitFor();
      // Files of an earlier test may have a draft, in which no land has changed.
      const draft = async () => (await landscape.json<LandscapeWatch>('/landscape/watch')).body;
      await eventually('a draft with other land', async () => {
        const { comparison = null } = (await draft()).last ?? {};
        if (comparison === null) return false;
        return (await landscape.json<{ changed_ha: number }>(`${comparison}?by=all`)).body.changed_ha > 0;
      });
      const now = await draft();
      await watch.getByText(text.changed('§', '').split('§')[0] ?? '').waitFor();
      await check('watch');
      await page.goto(`${baseUrl}/#/landscape/runs`);
      const banner = page.getByRole('status').filter({ hasText: text.waitsFor });
      await banner.getByRole('link', { name: now.last?.name ?? '' }).waitFor();
      await check('a draft waits');
      await banner.getByRole('link', { name: text.compare }).click();
      await page.waitForURL(`**/#/landscape/compare/${adopted}/${now.last?.run_id}`);
      await send(`/landscape/runs/${now.last?.run_id}/record`, 'PUT', { state: 'withdrawn' });
      await page.goto(`${baseUrl}/#/landscape/runs`);
      await page.getByRole('row').nth(2).waitFor();
      await eventually('a list without a draft that waits', async () => (await banner.count()) === 0);
    });
  });
}
