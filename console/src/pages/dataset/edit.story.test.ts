import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { visit } from '../../../../test/support/browser/browser.ts';
import { createClient } from '../../../../test/support/client.ts';
import { projectRoot } from '../../../../test/support/project.ts';
import { sharedBrowser, sharedService } from '../../../../test/console/shared.ts';

const service = await sharedService();
const { baseUrl } = service;
const client = createClient(baseUrl);
const category = await client.createCategory('relief');
const table = await readFile(join(projectRoot, 'examples/population-by-region.geojson'));
const id = await client.upload(category, 'vector_with_kato', new File([table], 'population.geojson'));
const group = await post<{ id: string }>('/dataset-groups', 'POST', { code: 'readers', name: 'Readers' });
await post(`/datasets/${id}`, 'PATCH', {
  dg_id: group.id,
  description: 'two\r\nlines\u00a0',
  start_date: '2000-01-01',
});

async function post<T>(path: string, method: string, body: unknown): Promise<T> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${baseUrl}${path}`, { method, headers, body: JSON.stringify(body) });
  assert.ok(answer.ok, await answer.clone().text());
  return JSON.parse(await answer.text());
}

async function stored() {
  const answer = await fetch(`${baseUrl}/datasets/${id}`);
  const { name, dg_id, description, start_date, category_id }: Record<string, unknown> = JSON.parse(
    await answer.text(),
  );
  return { name, dg_id, description, start_date, category_id };
}

/** Bodies that the page has sent. */
function sentBy(page: Page): readonly string[] {
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET') sent.push(`${request.method()} ${request.postData() ?? ''}`);
  });
  return sent;
}

describe('editing a dataset', async () => {
  const browser = await sharedBrowser();
  const open = async () => {
    const visited = await visit(browser, {
      baseUrl: `${baseUrl}/#/datasets/${id}`,
      language: 'en',
      expected: /status of 503/,
    });
    const dialog = visited.page.getByRole('dialog');
    return { ...visited, dialog, save: dialog.getByRole('button', { name: visited.words.dataset.save }) };
  };

  for (const path of ['dataset-groups', 'categories'])
    test(`a dataset stays where it is when ${path} cannot be read`, async () => {
      const before = await stored();
      const { page, words, dialog, save, check, close } = await open();
      const sent = sentBy(page);
      await page.route(`**/${path}*`, async (route) => await route.fulfill({ status: 503, body: '{}' }));
      await page.getByRole('button', { name: words.dataset.edit, exact: true }).click();
      await dialog.getByText(words.dataset.choicesFailed).waitFor();
      await check('choices failed');
      await dialog.getByLabel(words.dataset.name).fill(`people ${path}`);
      await save.click();
      await dialog.waitFor({ state: 'detached' });
      assert.deepEqual(sent, [`PATCH {"name":"people ${path}"}`]);
      assert.deepEqual(await stored(), { ...before, name: `people ${path}` });
      await close();
    });

  test('nothing can be saved while choices are loading, and a failed request for them can be repeated', async () => {
    const before = await stored();
    const { page, words, dialog, save, close } = await open();
    const sent = sentBy(page);
    const held = Promise.withResolvers<void>();
    await page.route('**/dataset-groups*', async (route) => {
      await held.promise;
      await route.fulfill({ status: 503, body: '{}' });
    });
    await page.getByRole('button', { name: words.dataset.edit, exact: true }).click();
    await dialog.getByText(words.failure.loading).waitFor();
    assert.ok(await save.isDisabled());
    await dialog.getByLabel(words.dataset.name).press('Enter');
    held.resolve();
    await dialog.getByText(words.dataset.choicesFailed).waitFor();
    await page.unroute('**/dataset-groups*');
    await dialog.getByRole('button', { name: words.failure.again }).click();
    assert.equal(await dialog.getByLabel(words.dataset.group).inputValue(), group.id);
    await save.click();
    await dialog.waitFor({ state: 'detached' });
    assert.deepEqual([sent, await stored()], [[], before]);
    await close();
  });

  test('a field that is emptied is cleared, and nothing else is sent', async () => {
    const before = await stored();
    const { page, words, dialog, save, close } = await open();
    const sent = sentBy(page);
    await page.getByRole('button', { name: words.dataset.edit, exact: true }).click();
    await dialog.getByLabel(words.dataset.group).selectOption('');
    await dialog.getByLabel(words.dataset.from).fill('');
    await save.click();
    await dialog.waitFor({ state: 'detached' });
    assert.deepEqual(sent, ['PATCH {"start_date":null,"dg_id":null}']);
    assert.deepEqual(await stored(), { ...before, start_date: null, dg_id: null });
    await close();
  });

  test('another description that a category gets meanwhile stays when it is renamed', async () => {
    const { page, words, dialog, save, close } = await open();
    await page.goto(`${baseUrl}/#/catalogue`);
    await page.getByRole('button', { name: `${words.dataset.edit}: relief` }).click();
    await post(`/categories/${category}`, 'PUT', {
      code: 'relief',
      name: 'relief',
      description: 'by somebody',
    });
    await dialog.getByLabel(words.dataset.name, { exact: true }).fill('Relief');
    await save.click();
    await page.getByText('by somebody').waitFor();
    await page.getByRole('link', { name: 'Relief' }).waitFor();
    await close();
  });
});
