import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ru } from '../../map/words/ru.ts';
import { visit } from '../../../../test/support/browser/browser.ts';
import { eventually } from '../../../../test/support/processes.ts';
import { sharedBrowser, sharedMaps, sharedService } from '../../../../test/console/shared.ts';

const { baseUrl } = await sharedService();
const ids = await sharedMaps();

describe('a map on paper', async () => {
  const browser = await sharedBrowser({ gpu: false });

  test('is set up beside the map, kept in the address, and fetched as a PDF', async () => {
    const { page, checkFaults, close } = await visit(browser, {
      baseUrl: `${baseUrl}/#/map?l=${ids.raster}`,
      language: 'ru',
    });
    await page.getByRole('button', { name: ru.sheet.open }).click();
    const panel = page.getByRole('region', { name: ru.sheet.title });
    await eventually('the form in sight, with the focus', async () => {
      const box = await panel.boundingBox();
      const focused = await page.evaluate<string>('document.activeElement.id');
      return focused === 'map-sheet' && box !== null && box.y >= 0 && box.y < 400;
    });
    await panel.getByLabel(ru.sheet.paper).selectOption('A3.portrait');
    await panel.getByLabel(ru.sheet.scale).selectOption('100000');
    await eventually('the address', async () => page.url().includes('sheet=A3.portrait.100000.view'));
    const asked = page.waitForRequest((request) => request.url().includes('/sheet.pdf'));
    const saved = page.waitForEvent('download');
    await panel.getByRole('button', { name: ru.sheet.file }).click();
    const { searchParams } = new URL((await asked).url());
    assert.deepEqual(
      ['size', 'orientation', 'scale', 'lang'].map((name) => searchParams.get(name)),
      ['A3', 'portrait', '100000', 'ru'],
    );
    assert.match(searchParams.get('center') ?? '', /^\d+\.\d+,\d+\.\d+$/);
    assert.match((await saved).suggestedFilename(), /\.pdf$/);
    await panel.getByLabel(ru.sheet.what).selectOption('state');
    await panel.getByLabel(ru.sheet.nomenclature).fill('М-42-145');
    await panel.getByLabel(ru.sheet.nomenclature).press('Enter');
    await panel.getByText(ru.sheet.wrongSheet).waitFor();
    await panel.getByLabel(ru.sheet.nomenclature).fill('М-42-47-Б');
    await panel.getByLabel(ru.sheet.nomenclature).press('Enter');
    await panel.getByLabel(ru.sheet.datum).selectOption('sk-42');
    await eventually('the sheet in the address', async () => page.url().includes('.s42.M.42.047.B'));
    await panel.getByText(ru.sheet.annex).click();
    await panel.getByLabel(ru.sheet.body).fill('маслихата');
    await panel.getByText(ru.sheet.incomplete).waitFor();
    assert.equal(await panel.getByRole('button', { name: ru.sheet.file }).count(), 0);
    await panel.getByLabel(ru.sheet.number).fill('12-3');
    await panel.getByLabel(ru.sheet.date).fill('2026-05-05');
    const other = page.waitForRequest((request) => request.url().includes('nomenclature='));
    const savedToo = page.waitForEvent('download');
    await panel.getByRole('button', { name: ru.sheet.file }).click();
    const query = new URL((await other).url()).searchParams;
    assert.deepEqual(
      ['nomenclature', 'datum', 'size', 'decision_body', 'decision_date'].map((name) => query.get(name)),
      ['M-42-047-Б', 'sk-42', null, 'маслихата', '2026-05-05'],
    );
    assert.equal((await savedToo).suggestedFilename(), 'M-42-047-Б.pdf');
    checkFaults('sheet');
    await panel.getByRole('button', { name: ru.close }).click();
    await eventually('the address without it', async () => !page.url().includes('sheet='));
    await close();
  });
});
