import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { settingsOf, titleOf, visit } from '../../../../test/support/browser/browser.ts';
import { eventually } from '../../../../test/support/processes.ts';
import { closeAfterTests } from '../../../../test/support/for-tests.ts';
import { createClient } from '../../../../test/support/client.ts';
import { clear, clearedService, sharedBrowser } from '../../../../test/console/shared.ts';
import { en, kk, ru } from '../../../../test/console/landscape-words.ts';

const landscapeWords = { en, ru, kk };
/** Uploads and maps of the demonstration: three files, 13 inputs, and the results of a run over them. */
const [uploads, maps] = [16, 19] as const;

interface Listed {
  readonly id: string;
  readonly name: string;
}

for (const setting of settingsOf(2)) {
  const { language, width, gpu } = setting;
  describe(titleOf('a newcomer sees what this is before there is own data', setting), async () => {
    const browser = await sharedBrowser({ gpu });
    const service = await clearedService();
    const { page, words, check } = await closeAfterTests(
      visit(browser, {
        baseUrl: service.baseUrl,
        language,
        width,
        expected: /status of 503/,
        given: ['Not now.'],
      }),
    );
    const { welcome } = words;
    const { results } = landscapeWords[language];
    const load = page.getByRole('button', { name: welcome.load });
    before(async () => {
      await clear(service.baseUrl);
      await page.reload();
    });

    const list = async (
      query: string,
    ): Promise<{ readonly data: readonly Listed[]; readonly total: number }> =>
      Object(await (await fetch(`${service.baseUrl}/datasets?${query}`)).json());

    test('one click loads the demonstration, goes on where it was refused, and shows the zoning on the map', async () => {
      await page.getByText(welcome.sources).click();
      await page.getByText('CC BY 4.0').waitFor();
      await check('first visit');
      await page.route(
        '**/landscape/runs',
        async (route) => await route.fulfill({ status: 503, json: { error: 'Not now.' } }),
        { times: 1 },
      );
      await load.click();
      const tray = page.getByRole('complementary', { name: words.upload.title });
      await tray.getByText(welcome.steps.uploading(0, uploads)).waitFor();
      await check('demonstration on its way');
      await page.goto(`${service.baseUrl}/#/catalogue`);
      const halted = page.getByRole('alert').filter({ hasText: welcome.halted });
      await halted.getByText('Not now.').waitFor();
      await check('demonstration that was refused a run');
      await page.goto(`${service.baseUrl}/#/`);
      await halted.getByRole('button', { name: words.failure.again }).click();
      await tray.getByText(/^\D+ \d+\s%$/).waitFor();
      await page.waitForURL(/#\/map\?l=/, { timeout: 60_000 });
      const [zoning] = /[0-9a-f-]{36}/.exec(page.url()) ?? [];
      const found: unknown = await (await fetch(`${service.baseUrl}/landscape/results`)).json();
      const last = [...Object(found)].find(({ node }: { readonly node: string }) => node === '34');
      assert.equal(zoning, last.latest.id);
      await page.locator('.map-legend .invented').first().waitFor();
      await check('map of the demonstration');
    });

    test('its table has values over the years that it says', async () => {
      const { data } = await list('file_type=vector_with_kato');
      const series = await fetch(`${service.baseUrl}/datasets/${data[0]?.id}/series`);
      const { dates }: { dates: readonly unknown[] } = Object(await series.json());
      assert.equal(dates.length, 24);
    });

    test('the results say how much land each zone has, how to read it, and what it stems from', async () => {
      await page.goto(`${service.baseUrl}/#/landscape/results?node=34`);
      const card = page.getByRole('article').filter({ has: page.getByRole('heading', { name: /^34 / }) });
      const areas = card.locator('.areas');
      await areas.waitFor();
      const cells = await areas.locator('td:nth-child(2)').allTextContents();
      const hectares = cells.map((cell) => Number(cell.replaceAll(/\D/g, '')));
      const [zoning] = (await list('q=zoning')).data;
      const answer = await fetch(`${service.baseUrl}/datasets/${zoning?.id}/statistics`);
      const { area_ha: area }: { readonly area_ha: number } = Object(await answer.json());
      const sum = hectares.reduce((all, each) => all + each, 0);
      assert.ok(hectares.length >= 13 && Math.abs(sum - area) < 10, `${sum} of ${area} ha`);
      await card.locator('img').waitFor();
      assert.match(await card.locator('.invented').innerText(), /, .+, .+/);
      const inputs = card.locator('.lineage tr');
      await inputs.nth(13).waitFor();
      assert.match(await inputs.nth(1).innerText(), /\.tif[\s\S]*[0-9a-f]{64}/);
      await card.getByRole('link', { name: results.toRun }).waitFor();
      await check('results');
      await card.getByText(results.lineage).click();
      await eventually('the address', async () => !page.url().includes('node='));
    });

    test('all of it is deleted at once by name, and nothing else', async () => {
      const own = await addOwn(service.baseUrl, welcome.relief);
      await page.goto(`${service.baseUrl}/#/datasets`);
      if (width < 860) await page.getByText(words.datasets.categories).first().click();
      await page.getByRole('button', { name: welcome.remove.open }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText(welcome.remove.uploads(uploads)).waitFor();
      await dialog.getByText(welcome.remove.outputs(maps)).waitFor();
      await dialog.getByText(`${welcome.relief} (${welcome.example})`).waitFor();
      await check('question');
      await dialog.getByRole('button', { name: welcome.remove.action }).click();
      await dialog.waitFor({ state: 'detached' });
      assert.deepEqual(
        (await list('page_size=100')).data.map(({ id }) => id),
        [own],
        'what a person has put into the category of the demonstration stays',
      );
      await check('deleted');
      await page.goto(`${service.baseUrl}/#/landscape/results`);
      await page.getByRole('link', { name: results.toInputs }).waitFor();
    });
  });
}

/** Uploads a user's file with the name of a file of the demonstration into its category. Returns its id. */
async function addOwn(baseUrl: string, name: string): Promise<string> {
  const client = createClient(baseUrl);
  const { body } = await client.json<readonly { id: string; code: string }[]>('/categories');
  const category = body.find(({ code }) => code === 'demonstration');
  const form = new FormData();
  form.set('file_type', 'vector');
  form.set('category_id', category?.id ?? '');
  form.set('name', `${name} (example)`);
  form.set('meta', '{"demonstration":"mine"}');
  form.set('file', new File(['{"type":"FeatureCollection","features":[]}'], 'own.geojson'));
  const answer = await fetch(`${baseUrl}/datasets`, { method: 'POST', body: form });
  assert.equal(answer.status, 201);
  const { id }: { readonly id: string } = Object(await answer.json());
  return id;
}
