import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { settingsOf, titleOf, visit } from '../../../../../test/support/browser/browser.ts';
import { eventually } from '../../../../../test/support/processes.ts';
import { createSigner } from '../../../../../test/support/landscape/signing.ts';
import { sharedBrowser, sharedRuns } from '../../../../../test/console/shared.ts';
import { en, kk, ru } from '../../../../../test/console/landscape-words.ts';

const { baseUrl, runs } = await sharedRuns();
const browser = await sharedBrowser();
const allWords = { en, ru, kk };
const dossierPath = `${baseUrl}/landscape/runs/${runs.first.id}/dossier`;
/** Reads the inventory that a page in this language signs, once it is ready. */
async function inventoryIn(language: string): Promise<Buffer> {
  for (;;) {
    const answer = await fetch(`${dossierPath}/inventory.json?lang=${language}`);
    const bytes = Buffer.from(await answer.arrayBuffer());
    if (answer.status === 200) return bytes;
    assert.equal(answer.status, 202, bytes.toString());
  }
}
const fileOf = (buffer: Buffer) => ({
  name: 'manifest.p7s',
  mimeType: 'application/pkcs7-signature',
  buffer,
});

describe('the dossier of a run on its page', () => {
  // Each story has its own name, because its signature replaces the previous one.
  for (const [index, setting] of settingsOf(1).entries()) {
    test(titleOf('has the rasters that are chosen, and is signed', setting), async () => {
      const signer = createSigner('ec', `АХМЕТОВА АЙГУЛЬ ${index}`);
      const { page, check, close } = await visit(browser, {
        ...setting,
        baseUrl: `${baseUrl}/#/landscape/runs/${runs.first.id}`,
        expected: /status of (?:422|503)/,
        given: ['CN'],
      });
      const text = allWords[setting.language].dossier;
      await page.locator('summary').filter({ hasText: text.title }).click();
      await page.getByText(text.lead).waitFor();
      const link = page.locator('a[href*="/dossier.zip"]');
      await link.waitFor();
      const small = await sizeShown();
      const command = page.locator('code', { hasText: './steppe verify' });
      assert.doesNotMatch((await command.textContent()) ?? '', /--recompute/, 'it would ask for inputs');
      for (const name of [text.parts.cogs, text.parts.inputs]) await page.getByLabel(name).first().check();
      await eventually('the address', async () => /with=cogs(?:,|%2C)inputs/.test(page.url()));
      await eventually('the file with rasters', async () =>
        /with=cogs,inputs&/.test(decodeURIComponent((await link.getAttribute('href')) ?? '')),
      );
      const large = await sizeShown();
      assert.match((await command.textContent()) ?? '', /--recompute$/);
      assert.notEqual(large, small);
      const head = await fetch(`${dossierPath}.zip?with=cogs,inputs`, { method: 'HEAD' });
      assert.ok(Number(head.headers.get('content-length')) > 0);

      const input = page.locator('details[open] input[type=file]');
      await input.setInputFiles(fileOf(signer.sign(Buffer.from('something else'))));
      await page.getByRole('alert').filter({ hasText: text.signature.failed }).waitFor();
      await check('a signature that was refused');
      await input.setInputFiles(fileOf(signer.sign(await inventoryIn(setting.language))));
      await page.getByText(`CN=АХМЕТОВА АЙГУЛЬ ${index}`).first().waitFor();
      await page.getByText(text.signature.states.right).first().waitFor();
      assert.equal(await page.getByRole('alert').filter({ hasText: text.signature.failed }).count(), 0);
      await check('a dossier that is signed');

      await page.reload();
      await page.getByText(`CN=АХМЕТОВА АЙГУЛЬ ${index}`).first().waitFor();
      // The page repeats a request to a busy service.
      const busy = { status: 503, headers: { 'retry-after': '1' }, body: '{"error":"busy"}' };
      await page.route('**/dossier/inventory*', async (route) => await route.fulfill(busy), { times: 2 });
      const saved = page.waitForEvent('download');
      await page.getByRole('button', { name: `↓ ${text.inventoryFile}` }).click();
      assert.equal((await saved).suggestedFilename(), 'inventory.json');
      await close();

      async function sizeShown(): Promise<string> {
        return (await link.textContent()) ?? '';
      }
    });
  }
});
