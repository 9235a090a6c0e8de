import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { settingsOf, titleOf, visit } from '../../../../test/support/browser/browser.ts';
import { closeAfterTests } from '../../../../test/support/for-tests.ts';
import { leaves } from '../../../../test/support/landscape/landscape.ts';
import { eventually } from '../../../../test/support/processes.ts';
import { sharedBrowser, sharedRuns } from '../../../../test/console/shared.ts';
import { en, kk, ru } from '../../../../test/console/landscape-words.ts';

const allWords = { en, ru, kk };
const { baseUrl, landscape, runs } = await sharedRuns();

interface Record {
  readonly name: string | null;
  readonly note: string | null;
  readonly state: string;
  readonly basis: string | null;
}

async function recordOf(id: string): Promise<Record> {
  const answer = await fetch(`${baseUrl}/landscape/runs/${id}/record`);
  const { name, note, state, basis }: Record = JSON.parse(await answer.text());
  return { name, note, state, basis };
}

async function putRecord(id: string, record: Partial<Record>): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify(record);
  const answer = await fetch(`${baseUrl}/landscape/runs/${id}/record`, { method: 'PUT', headers, body });
  assert.equal(answer.status, 200, await answer.text());
}

interface GraphTitles {
  readonly slots: readonly { readonly group: string; readonly title: string }[];
  readonly nodes: readonly { readonly code: string; readonly title: string }[];
  readonly params: readonly { readonly name: string; readonly title: string }[];
}

async function graphIn(language: string): Promise<GraphTitles> {
  const headers = { 'accept-language': language };
  return JSON.parse(await (await fetch(`${baseUrl}/landscape/graph`, { headers })).text());
}

/** Describes a run as half computed, with further members, until it is released. */
async function holdHalfWay(page: Page, id: string, more: () => object = () => ({})): Promise<() => void> {
  const run = await landscape.read(id);
  const nodes = run.nodes.map((node) =>
    node.status === 'succeeded' ? { ...node, status: 'running', progress: 0.425, outputs: null } : node,
  );
  const json = { ...run, status: 'running', finished_at: null, nodes };
  let isHeld = true;
  await page.route(`**/landscape/runs/${id}`, async (route) => {
    const isRead = route.request().method() === 'GET';
    await (isHeld && isRead ? route.fulfill({ json: { ...json, ...more() } }) : route.continue());
  });
  return () => void (isHeld = false);
}

for (const setting of settingsOf(0)) {
  const { language, width, gpu } = setting;
  const { inputs, runs: text } = allWords[language];
  describe(titleOf('a land planner follows runs and keeps their record', setting), async () => {
    const browser = await sharedBrowser({ gpu });
    const graph = await graphIn(language);
    const { page, words, check } = await closeAfterTests(
      // Chromium logs each refused request.
      visit(browser, {
        given: ['from elsewhere'],
        baseUrl,
        language,
        width,
        expected: /status of (409|412)/,
      }),
    );
    const slot = (leaf: string) => graph.slots.find(({ group }) => group === `landscape-in-${leaf}`)?.title;
    const nodeName = (code: string) => `${code} ${graph.nodes.find((node) => node.code === code)?.title}`;
    const threshold = graph.params.find(({ name }) => name === 'v1_min_s_e3')?.title;
    const dialog = page.getByRole('dialog');
    const panel = page.getByRole('region', { name: nodeName('33') });
    const open = async (path: string): Promise<void> => {
      await page.goto('about:blank');
      await page.goto(`${baseUrl}/#/landscape/runs${path}`);
    };
    before(async () => {
      for (const { id } of Object.values(runs)) await putRecord(id, {});
    });

    test('the history shows how runs have ended, and leads to each', async () => {
      await open('');
      await page.getByText(text.counts.computed(19)).first().waitFor();
      const { total }: { total: number } = JSON.parse(
        await (await fetch(`${baseUrl}/landscape/runs`)).text(),
      );
      await page.getByText(text.list.count(total), { exact: true }).waitFor();
      const row = ({ id }: { readonly id: string }) =>
        page.getByRole('row').filter({ has: page.locator(`a[href$="${id}"]`) });
      for (const run of [runs.withoutInputs, runs.unfit])
        await row(run).getByText(text.statuses.failed).waitFor();
      await row(runs.first).getByText(text.statuses.succeeded).first().waitFor();
      // The name is a time; runs of one day have nearly equal times.
      await row(runs.first).getByText(text.list.usual).waitFor();
      await row(runs.strict).getByText(`${threshold}: 5`).waitFor();
      await check('history');
      await page.locator(`a[href$="${runs.strict.id}"]`).click();
      await page.waitForURL(`**/#/landscape/runs/${runs.strict.id}`);
      await page.getByText(text.counts.reused(17)).first().waitFor();
    });

    test('a node says why it was computed, what it reads and what it has made', async () => {
      if (width > 900) await page.getByRole('button', { name: nodeName('33') }).click();
      else await page.getByRole('link', { name: nodeName('33'), exact: true }).click();
      await page.waitForURL(/[?&]node=33/);
      await panel.getByText(text.why.params).waitFor();
      await panel.getByText(`${threshold}: 4 → 5`).waitFor();
      await panel.getByText(text.panel.before).first().waitFor();
      const onMap = await panel.getByRole('link', { name: text.panel.onMap }).getAttribute('href');
      const output = runs.strict.nodes.find(({ node_code: code }) => code === '33')?.outputs?.[0];
      assert.equal(onMap, `#/map?l=${output?.dataset_id}`);
      await check('node');
    });

    test('the graph and the list say the same, and the address has which of them is shown', async () => {
      await page.getByRole('link', { name: text.view.list }).click();
      await page.waitForURL(/as=list/);
      const computed = page.getByRole('row').filter({ hasText: text.states.computed });
      await computed.first().waitFor();
      assert.equal(await computed.count(), 2);
      await check('list');
      await page.getByRole('link', { name: text.view.graph }).click();
      await page.waitForURL(/as=graph/);
      const graphView = page.getByRole('group', { name: text.view.graphLabel });
      await graphView.waitFor();
      assert.equal(await graphView.getByRole('button').count(), leaves.length + 19);
      assert.equal(await graphView.getByRole('button', { name: text.states.computed }).count(), 2);
      await check('graph');
    });

    test('arrow keys move along the edges, and the address follows', async () => {
      await page.getByRole('button', { name: nodeName('33') }).focus();
      await page.keyboard.press('ArrowRight');
      await page.waitForURL(/node=34/);
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('ArrowLeft');
      await page.waitForURL(/node=31/);
      const focused = page.locator('button:focus');
      assert.equal(await focused.getAttribute('data-key'), '31');
      await page.keyboard.press('Escape');
      await page.waitForURL((url) => !url.hash.includes('node='));
    });

    test('a run leads to one like it, to its zoning and to the files behind that', async () => {
      const again = await page.getByRole('link', { name: text.again }).getAttribute('href');
      assert.equal(again, '#/landscape?v1_min_s_e3=5');
      const zoning = runs.strict.nodes.find(({ node_code: code }) => code === '34')?.outputs?.[0];
      const onMap = page.getByRole('link', { name: text.zoningOnMap });
      assert.equal(await onMap.getAttribute('href'), `#/map?l=${zoning?.dataset_id}`);
      await page.getByText(text.lineage.title).click();
      const digests = page.locator('.digest');
      await digests.first().waitFor();
      assert.equal(await digests.count(), leaves.length);
      assert.match(await digests.first().innerText(), /^[0-9a-f]{64}$/);
      await check('lineage');
      await page.getByText(text.gaps.title).click();
      const { inputs }: { inputs: readonly { group: string; missing_ha: number }[] } = Object(
        await (await fetch(`${baseUrl}/landscape/runs/${runs.strict.id}/gaps`)).json(),
      );
      const holed = inputs.filter(({ missing_ha: missing }) => missing > 0);
      assert.ok(holed.length > 0);
      const table = page.getByRole('table').filter({ hasText: text.gaps.alone });
      await table.waitFor();
      assert.equal(await table.getByRole('row').count(), 1 + holed.length);
      await check('gaps');
    });

    test('a failure leads to the slot to blame', async () => {
      await open(`/${runs.unfit.id}?as=graph`);
      const mend = page.getByRole('link', { name: text.failed.toSlot(slot('ndvi') ?? '') });
      assert.equal(await mend.getAttribute('href'), '#/landscape?slot=landscape-in-ndvi');
      await page.getByRole('button', { name: `${text.view.blamed} ${slot('ndvi')}` }).waitFor();
      await page.getByRole('link', { name: text.failed.toNode(nodeName('04')) }).click();
      const failed = page.getByRole('region', { name: nodeName('04') });
      await failed.getByText(text.states.failed).waitFor();
      await check('failed');
      await mend.click();
      const details = page.getByRole('button', { name: `${inputs.more}: ${slot('ndvi')}` });
      await eventually('the slot', async () => (await details.getAttribute('aria-expanded')) === 'true');
      const row = page.locator('[data-slot="landscape-in-ndvi"]');
      await eventually('the focus', async () => (await row.locator('button:focus').count()) === 1);
      await open(`/${runs.withoutInputs.id}`);
      const notice = page.getByRole('alert').filter({ hasText: text.failed.title });
      await notice.getByRole('link', { name: slot('dem') ?? '', exact: true }).waitFor();
      assert.equal(await notice.getByRole('listitem').count(), leaves.length);
    });

    test('while a run is computed, what is known of it is shown and no more', async () => {
      const id = runs.first.id;
      const release = await holdHalfWay(page, id);
      await open(`/${id}?as=list`);
      const progress = page.getByRole('region', { name: text.phases.title });
      await progress.getByText(text.phases.share(42)).waitFor();
      await progress.getByRole('progressbar', { name: text.phases.compute }).waitFor();
      assert.equal(await page.getByRole('cell', { name: text.states.running, exact: true }).count(), 19);
      await check('running');
      await page.getByRole('button', { name: text.cancel.action }).click();
      await dialog.getByText(text.cancel.text).waitFor();
      await check('cancel');
      // The run has ended: the service refuses to cancel it.
      await dialog.getByRole('button', { name: text.cancel.action }).click();
      await page.getByText(text.cancel.ended).waitFor();
      release();
      await page.getByText(text.counts.computed(19)).waitFor();
    });

    test('a run over several workers says how many blocks are computed, and that it waits for the engine', async () => {
      const id = runs.first.id;
      let since: string | null = '2026-03-01T10:00:00.000Z';
      const release = await holdHalfWay(page, id, () => ({
        blocks: { done: 12, total: 49, engine_away_since: since },
      }));
      await open(`/${id}?as=list`);
      const progress = page.getByRole('region', { name: text.phases.title });
      await progress.getByText(text.phases.blocks(12, 49)).waitFor();
      await progress.getByRole('status').getByText(text.phases.away).waitFor();
      await check('engine away');
      since = null;
      await progress.getByText(text.phases.away).waitFor({ state: 'detached' });
      await progress.getByText(text.phases.blocks(12, 49)).waitFor();
      release();
      await page.getByText(text.counts.computed(19)).waitFor();
    });

    test('a run that waits says for what, and can be cancelled', async () => {
      const running = await landscape.start({ from_stage: 0 });
      const waiting = await landscape.start();
      await open(`/${waiting.id}`);
      await page.getByRole('button', { name: text.cancel.action }).click();
      await dialog.getByRole('button', { name: text.cancel.keep }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByText(text.queue.before(1)).waitFor();
      await page.getByRole('button', { name: text.cancel.action }).click();
      await dialog.getByRole('button', { name: text.cancel.action }).click();
      await page.getByRole('heading', { name: text.failed.cancelled }).waitFor();
      assert.equal((await landscape.read(waiting.id)).error, 'cancelled');
      await landscape.cancel(running.id);
    });

    test('a record that another person has changed meanwhile is shown, and nothing of it is lost', async () => {
      const id = runs.strict.id;
      await open(`/${id}`);
      await page.getByRole('button', { name: text.record.edit }).click();
      await dialog.getByLabel(text.record.name, { exact: true }).fill('Вариант Б');
      await check('record');
      await putRecord(id, { name: 'A', note: 'from elsewhere', state: 'proposed' });
      await dialog.getByRole('button', { name: words.dataset.save }).click();
      await dialog.getByText(text.record.conflict).waitFor();
      await dialog.getByText('from elsewhere').waitFor();
      await check('conflict');
      await dialog.getByRole('button', { name: words.dataset.save }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('heading', { level: 1, name: 'Вариант Б' }).waitFor();
      const theirs = { note: 'from elsewhere', state: 'proposed', basis: null };
      assert.deepEqual(await recordOf(id), { name: 'Вариант Б', ...theirs });
    });

    test('to adopt a run asks, and keeps its maps from being deleted', async () => {
      const id = runs.strict.id;
      await page.getByRole('button', { name: text.record.edit }).click();
      await dialog.getByRole('combobox', { name: text.record.state }).selectOption('adopted');
      await dialog.getByLabel(text.record.basis, { exact: true }).fill('№ 16/8');
      await dialog.getByRole('button', { name: words.dataset.save }).click();
      await dialog.getByText(text.record.adoptText).waitFor();
      assert.equal(await dialog.getByRole('button', { name: words.dataset.save }).count(), 0);
      await check('adopt');
      assert.equal((await recordOf(id)).state, 'proposed');
      await dialog.getByRole('button', { name: text.record.adopt }).click();
      await dialog.waitFor({ state: 'detached' });
      await eventually('the record', async () => (await recordOf(id)).state === 'adopted');
      await page.getByText(text.record.history).click();
      const newest = page.locator('.history > li').first();
      await newest.getByText(text.record.states.adopted).waitFor();
      await newest.getByText('№ 16/8').waitFor();
      await check('history of the record');
      const output = runs.strict.nodes.at(-1)?.outputs?.[0]?.dataset_id;
      await page.goto(`${baseUrl}/#/datasets/${output}`);
      await page.getByRole('button', { name: words.dataset.remove }).click();
      await dialog.getByRole('button', { name: words.dataset.remove }).click();
      const refusal = dialog.getByRole('alert').filter({ hasText: words.selection.unchanged(1) });
      await refusal.waitFor();
      assert.ok((await refusal.innerText()).length > words.selection.unchanged(1).length + 10);
      await putRecord(id, { state: 'withdrawn' });
    });
  });
}
