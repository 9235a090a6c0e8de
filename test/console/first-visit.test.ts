import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { settingsOf, titleOf, visit } from '../support/browser.ts';
import { closeAfterTests } from '../support/for-tests.ts';
import { clear, clearedService, sharedBrowser } from './shared.ts';

const examples = ['relief', 'districts', 'population'] as const;

for (const setting of settingsOf(2)) {
  const { language, width, gpu } = setting;
  describe(titleOf('a newcomer sees what this is before there is own data', setting), async () => {
    const browser = await sharedBrowser({ gpu });
    const service = await clearedService();
    const { page, words, check } = await closeAfterTests(
      visit(browser, { baseUrl: service.baseUrl, language, width }),
    );
    const { selection, welcome } = words;
    const load = page.getByRole('button', { name: welcome.load });
    before(async () => {
      await clear(service.baseUrl);
      await page.reload();
    });

    test('one click loads the demonstration and shows it on the map', async () => {
      await page.getByText(welcome.sources).click();
      await page.getByText('CC BY 4.0').waitFor();
      await check('first visit');
      await load.click();
      await page.waitForURL(/#\/map\?l=/, { timeout: 60_000 });
    });

    test('its table has values over the years that it says', async () => {
      const answer = await fetch(`${service.baseUrl}/datasets?file_type=vector_with_kato`);
      const { data }: { data: readonly { id: string }[] } = Object(await answer.json());
      const series = await fetch(`${service.baseUrl}/datasets/${data[0]?.id}/series`);
      const { dates }: { dates: readonly unknown[] } = Object(await series.json());
      assert.equal(dates.length, 24);
    });

    test('all of it is deleted with one selection, and can be loaded once more', async () => {
      await page.goto(`${service.baseUrl}/#/datasets`);
      for (const name of examples)
        await page.getByLabel(`${selection.select}: ${welcome[name]} (${welcome.example})`).check();
      await page.getByRole('button', { name: selection.remove }).click();
      await page.getByRole('dialog').getByRole('button', { name: selection.remove }).click();
      await load.click();
      await page.waitForURL(/#\/map\?l=/, { timeout: 60_000 });
    });
  });
}
