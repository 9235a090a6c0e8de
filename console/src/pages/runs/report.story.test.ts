import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { HtmlValidate } from 'html-validate';
import type { DatasetAreas } from '../../../../src/areas/areas-schema.ts';
import { formatHectares } from '../../../../common/formats/hectares.ts';
import type { Run } from '../../../../test/acceptance/support/landscape.ts';
import { findBarriers, settingsOf, titleOf, visit } from '../../../../test/support/browser/browser.ts';
import { temporaryFolder } from '../../../../test/support/for-tests.ts';
import { hostileMarkup } from '../../../../test/support/hostile/hostile-texts.ts';
import { golden } from '../../../../test/support/landscape/landscape.ts';
import { eventually } from '../../../../test/support/processes.ts';
import { isLongTier } from '../../../../test/support/tier.ts';
import { sharedBrowser, sharedRuns } from '../../../../test/console/shared.ts';
import { en, kk, ru } from '../../../../test/console/landscape-words.ts';

const { baseUrl, landscape, runs } = await sharedRuns();
const folder = await temporaryFolder();
const browser = await sharedBrowser();
const allWords = { en, ru, kk };
const validator = new HtmlValidate({ root: true, extends: ['html-validate:standard'] });
const languages = ['en', 'ru', 'kk'] as const;
/** For what is equal in each language, one language is enough. */
const told = isLongTier ? languages : (['kk'] as const);
type Language = (typeof languages)[number];

const pathOf = ({ id }: Pick<Run, 'id'>, query: string) =>
  `${baseUrl}/landscape/runs/${id}/report.html?${query}`;

/** Repeats the request until the report is made. */
async function reportOf(run: Pick<Run, 'id'>, query = 'lang=en', headers: Record<string, string> = {}) {
  for (;;) {
    const answer = await fetch(pathOf(run, query), { headers });
    const text = await answer.text();
    if (answer.status === 200) return { headers: answer.headers, text };
    assert.equal(answer.status, 202, text);
    assert.equal(answer.headers.get('retry-after'), '1');
  }
}

async function ask<T>(path: string, init: RequestInit = {}): Promise<T> {
  const answer = await fetch(baseUrl + path, init);
  const text = await answer.text();
  assert.ok(answer.ok, text);
  return JSON.parse(text);
}

async function putRecord({ id }: Run, record: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  await ask(`/landscape/runs/${id}/record`, { method: 'PUT', headers, body: JSON.stringify(record) });
}

const outputOf = ({ nodes }: Run, code: string): string =>
  nodes.find(({ node_code: each }) => each === code)?.outputs?.[0]?.dataset_id ?? '';

async function assertValid(text: string): Promise<void> {
  const { results } = await validator.validateString(text);
  assert.deepEqual(
    results.flatMap(({ messages }) => messages.map(({ line, message }) => `${line}: ${message}`)),
    [],
  );
}

/** Opens a report as a recipient of the file: the page may request nothing. */
async function open(text: string, width: number, media: 'screen' | 'print' = 'screen') {
  const path = join(folder, `report-${width}-${media}.html`);
  await writeFile(path, text);
  const context = await browser.newContext({ viewport: { width, height: 800 } });
  const page = await context.newPage();
  const faults: string[] = [];
  const address = pathToFileURL(path).href;
  page.on('request', (request) => {
    const url = request.url();
    if (url !== address && !url.startsWith('data:')) faults.push(`request: ${url}`);
  });
  page.on('console', (message) => faults.push(message.text()));
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('dialog', (dialog) => faults.push(`dialog: ${dialog.message()}`));
  await page.emulateMedia({ media });
  await page.goto(address);
  return { page, faults, close: async () => await context.close() };
}

const first = await reportOf(runs.first);

describe('the report on a run', () => {
  test('is one page of HTML that allows itself nothing, with an ETag that changes with what it says', async () => {
    const { headers, text } = first;
    assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
    assert.match(headers.get('content-security-policy') ?? '', /^sandbox;/);
    assert.match(
      text,
      /http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; img-src data:; style-src &#39;sha256-/,
    );
    const etag = headers.get('etag') ?? '';
    assert.match(etag, /^"[\da-f]{32}(?:-gzip-\w+)?"$/);
    const again = await fetch(pathOf(runs.first, 'lang=en'), { headers: { 'if-none-match': etag } });
    assert.equal(again.status, 304);
    assert.equal((await reportOf(runs.first)).text, text);
    await putRecord(runs.first, { name: 'Variant A' });
    const named = await reportOf(runs.first);
    assert.notEqual(named.headers.get('etag'), etag);
    assert.match(named.text, /<h1><bdi class="said">Variant A<\/bdi><\/h1>/);
    await putRecord(runs.first, {});
  });

  test('is in the language of the query, else of the client', async () => {
    for (const [query, wanted] of [
      ['lang=kk', 'kk'],
      ['', 'ru'],
    ] as const) {
      const { headers, text } = await reportOf(runs.first, query, { 'accept-language': 'ru-KZ' });
      assert.equal(headers.get('content-language'), wanted);
      assert.match(text, new RegExp(`^<!doctype html>\\s*<html lang="${wanted}">`));
    }
  });

  test('is 409 before the run has ended, and 404 of one that has failed', async () => {
    assert.equal((await fetch(pathOf(runs.withoutInputs, ''))).status, 404);
    const waiting = await landscape.start({ params: { v1_min_s_e12: 1 } });
    const { status } = await fetch(pathOf(waiting, 'wait=0'));
    await landscape.finished(waiting.id);
    assert.ok([409, 202, 200].includes(status), String(status));
  });
});

describe('figures of the report', async () => {
  for (const language of told) {
    test(`are those of the service (${language})`, async () => await compareFigures(language));
  }
});

async function compareFigures(language: Language): Promise<void> {
  const { text } = await reportOf(runs.first, `lang=${language}`);
  const { page, faults, close } = await open(text, 1280);
  const shown = await page.evaluate<string>('document.body.innerText');
  const balance = await ask<{ chosen_by_order: { sentence: string } }>(
    `/landscape/runs/${runs.first.id}/balance?wait=60&lang=${language}`,
  );
  assert.equal(
    shown.split(balance.chosen_by_order.sentence).length,
    4,
    'in brief, under the map, and by itself',
  );
  const areas = await ask<DatasetAreas>(`/datasets/${outputOf(runs.first, '34')}/areas?by=all&wait=60`);
  const sums = ({ classes, no_data_ha: none }: DatasetAreas['raster']) => {
    const of = (zone: number) =>
      Object.entries(classes).reduce(
        (sum, [code, ha]) => (Math.floor(Number(code) / 10) === zone ? sum + ha : sum),
        0,
      );
    return [of(1), of(2), of(3), of(4), none];
  };
  const rows = await page.evaluate<string[][]>(
    '[...document.querySelectorAll("#areas ~ .scroll tbody tr")].map((row) => [...row.cells].map((cell) => cell.innerText.trim()))',
  );
  const wanted = areas.rows.filter((row) => row.area_ha > row.outside_raster_ha);
  assert.ok(wanted.length > 1);
  for (const row of wanted) {
    const found = rows.find(([name = '']) => name.endsWith(row.kato));
    assert.deepEqual(
      found?.slice(1),
      [...sums(row), row.outside_raster_ha, row.area_ha].map((ha) => formatHectares(ha, language)),
      row.name,
    );
  }
  for (const [code, ha] of Object.entries(areas.raster.classes))
    assert.ok(shown.includes(formatHectares(ha, language)), `class ${code}`);
  assert.deepEqual(faults, []);
  await close();
}

describe('the report as a file', () => {
  const views = [
    [360, 'screen', 'kk'],
    [1280, 'screen', 'ru'],
    [794, 'print', 'en'],
  ] as const;
  for (const [width, media, language] of isLongTier ? views : views.slice(0, 1)) {
    test(`asks for nothing, hides nothing from screen readers and fits (${width} px, ${media})`, async () => {
      const { page, faults, close } = await open(
        (await reportOf(runs.first, `lang=${language}`)).text,
        width,
        media,
      );
      assert.deepEqual(await findBarriers(page), []);
      assert.equal(await page.evaluate('Math.max(0, document.documentElement.scrollWidth - innerWidth)'), 0);
      const sizes = await page.evaluate<number[]>('[...document.images].map((image) => image.naturalWidth)');
      assert.equal(sizes.length, 7);
      const bars = await page.evaluate<number[]>(`[...document.querySelectorAll('.map')].map((map) =>
        Math.abs(map.querySelector('.scale').getBoundingClientRect().width - map.querySelector('img').getBoundingClientRect().width))`);
      assert.ok(
        bars.every((difference) => difference < 1),
        `scale bars: ${String(bars)}`,
      );
      assert.ok(
        sizes.every((size) => size >= 500),
        String(sizes),
      );
      assert.deepEqual(faults, []);
      await close();
    });
  }
});

describe('the page', () => {
  for (const setting of settingsOf(1)) {
    test(titleOf('has the report of a run to save, in three languages', setting), async () => {
      const at = `${baseUrl}/#/landscape/runs/${runs.first.id}`;
      const { page, check, close } = await visit(browser, { ...setting, baseUrl: at });
      const { report } = allWords[setting.language].runs;
      await page.locator('summary').filter({ hasText: report.title }).click();
      await page.getByText(report.text).waitFor();
      const saved = page.waitForEvent('download');
      await page.getByRole('button', { name: '↓ Русский' }).click();
      const file = await saved;
      assert.match(file.suggestedFilename(), /\(ru\)\.html$/);
      assert.match(await readFile(await file.path(), 'utf8'), /^<!doctype html>\s*<html lang="ru">/);
      await check('report of a run');
      const { atlas } = allWords[setting.language].runs;
      await page.locator('summary').filter({ hasText: atlas.title }).click();
      const { rows } = await ask<DatasetAreas>(
        `/datasets/${outputOf(runs.first, '34')}/areas?by=region&wait=60`,
      );
      const reached = rows.filter((row) => row.area_ha > row.outside_raster_ha).map(({ kato }) => kato);
      const offered = page.getByRole('combobox', { name: atlas.region }).locator('option');
      await offered.nth(1).waitFor({ state: 'attached' });
      const options = await offered.all();
      const values = await Promise.all(options.map(async (option) => await option.getAttribute('value')));
      assert.ok(reached.length > 0 && reached.length < rows.length);
      assert.deepEqual(values, ['', ...reached]);
      await check('atlas of a run');
      await close();
    });
  }
});

/** A style of the zoning with hostile labels. */
const hostileStyle = () => {
  const escaped = (text: string) =>
    text.replaceAll(/[^\x20-\x7e]|[&<>"]/g, (each) => (each < ' ' ? ' ' : `&#${each.charCodeAt(0)};`));
  const entries = hostileMarkup
    .slice(0, 13)
    .map(
      (text, index) =>
        `<ColorMapEntry color="#${index}${index % 10}8800" quantity="${11 + index}" label="${escaped(text)}"/>`,
    );
  return `<StyledLayerDescriptor version="1.0.0"><NamedLayer><Name>x</Name><UserStyle><FeatureTypeStyle><Rule><RasterSymbolizer><ColorMap type="values">${entries.join('')}</ColorMap></RasterSymbolizer></Rule></FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`;
};

/** Makes a run whose record, input and style are as hostile as users can make them. */
async function makeHostileRun(): Promise<Run> {
  const all = hostileMarkup.join(' ').toWellFormed().replaceAll('\0', '');
  const categories = await ask<{ id: string }[]>('/categories');
  const form = new FormData();
  form.append('file', await golden('ndvi'), `"><script>alert(1)<.script>'&.tif`);
  const fields = { file_type: 'raster', name: all.slice(0, 200), category_id: categories[0]?.id ?? '' };
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  const { id } = await ask<{ id: string }>('/datasets', { method: 'POST', body: form });
  await eventually('the input', async () => (await landscape.status(id)).status === 'ready');
  const run = await landscape.run({ overrides: { 'landscape-in-ndvi': id }, params: { v1_min_s_e3: 2 } });
  await putRecord(run, { name: all.slice(0, 200), note: all, basis: hostileMarkup.slice(0, 5).join('\n') });
  const sld = new FormData();
  sld.append('file', new File([hostileStyle()], 'hostile.sld'));
  await ask(`/datasets/${outputOf(run, '34')}/sld`, { method: 'POST', body: sld });
  return run;
}

/** Lists elements of a report that would run or load something. */
const suspicious = (own: string) => `[...document.querySelectorAll('*')].flatMap((element) => [
  ...(/^(?:html|head|meta|title|style|body|header|main|nav|section|h[1-3]|p|ol|ul|li|dl|dt|dd|div|span|strong|b|small|a|bdi|br|code|figure|figcaption|img|svg|rect|path|table|caption|thead|tbody|tfoot|tr|th|td)$/.test(element.localName)
    ? [] : [element.localName]),
  ...[...element.attributes].map(({ name }) => name).filter((name) => /^on|^style$|srcdoc|^formaction$/.test(name)),
  ...(element.localName === 'img' && !element.src.startsWith('data:image/png;base64,') ? [element.src] : []),
  ...(element.localName === 'a' && !['#', '${own}/#/'].some((start) => element.getAttribute('href').startsWith(start)) ? [element.getAttribute('href')] : []),
  ...(element.localName === 'meta' && element.httpEquiv !== '' && element.httpEquiv !== 'Content-Security-Policy' ? ['meta'] : []),
])`;

describe('hostile names, notes, files and styles', async () => {
  const run = await makeHostileRun();
  for (const language of told) {
    test(`reach no markup of the report (${language})`, async () => {
      const { text } = await reportOf(run, `lang=${language}`);
      await assertValid(text);
      const { page, faults, close } = await open(text, 1280);
      assert.deepEqual(await page.evaluate(suspicious(baseUrl)), []);
      const shown = await page.evaluate<string>('document.body.innerText');
      for (const each of ['<script>alert(1)</script>', '<base href="https://evil.test/">', '&lt;script&gt;'])
        assert.ok(shown.includes(each), each);
      assert.match(shown, /%22><script>alert\(1\)<\.script>'&\.tif/);
      assert.deepEqual(await findBarriers(page), []);
      assert.deepEqual(faults, []);
      await close();
    });
  }

  test('and zones that were given instead of computed are said to be so', async () => {
    const pinned = await landscape.run({
      overrides: { 'landscape-33-use-zone': outputOf(runs.first, '33') },
    });
    const { text } = await reportOf(pinned, 'lang=ru');
    const { page, close } = await open(text, 1280);
    const why = await page.evaluate<string[]>(
      '[...document.querySelectorAll(".why")].map((each) => each.innerText)',
    );
    assert.ok(why.length >= 2 && why.every((each) => each.includes('закреплён растр')), why.join('|'));
    await close();
  });
});
