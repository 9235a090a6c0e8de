import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { settingsOf, titleOf, visit } from '../support/browser/browser.ts';
import { closeAfterTests } from '../support/for-tests.ts';
import { runSteppe, startService } from '../support/service.ts';
import { sharedBrowser } from './shared.ts';

const service = await closeAfterTests(startService({ env: { AUTH_MODE: 'token' } }));
const { dataDir, baseUrl } = service;
const reader = await createToken('data:read');
const editor = await createToken('data:read,data:write,catalog:write,landscape:run');

async function createToken(scopes: string): Promise<string> {
  const { code, stdout, output } = await runSteppe(
    ['token', 'create', '--name', 'console', '--scopes', scopes],
    { dataDir },
  );
  assert.equal(code, 0, output);
  return stdout.trim();
}

for (const setting of settingsOf(2)) {
  const { language, width, gpu } = setting;
  describe(titleOf('the page asks for a token and offers what it allows', setting), async () => {
    const browser = await sharedBrowser({ gpu });
    const { page, words, check } = await closeAfterTests(
      visit(browser, { baseUrl, language, width, expected: /status of 401/ }),
    );
    const { failure, shell, token, welcome } = words;
    const dialog = page.getByRole('dialog', { name: token.title });

    async function give(text: string): Promise<void> {
      await dialog.getByLabel(token.field).fill(text);
      await dialog.getByRole('button', { name: token.use }).click();
    }

    test('without one the page says why nothing is shown, and a token can be entered later', async () => {
      await dialog.getByRole('button', { name: shell.cancel }).click();
      await page.getByRole('heading', { name: failure.title }).waitFor();
      await check('no token');
      // The lists of categories and of groups have failed as well, each with its own message.
      await page.getByRole('main').getByRole('button', { name: failure.again }).last().click();
      await dialog.waitFor();
    });

    test('a wrong token is refused with a sentence', async () => {
      await dialog.waitFor();
      await check('token dialog');
      await give('wrong');
      await dialog.getByText(token.wrong).waitFor();
      await check('token refused');
    });

    test('one that may only read goes on where it was, and offers no uploads', async () => {
      await give(reader);
      await page.getByText(welcome.noRight).waitFor();
      assert.equal(await page.getByRole('button', { name: welcome.load }).count(), 0);
      await check('reader');
    });

    test('one that may write offers uploads, and appears in no address', async () => {
      await page.evaluate('sessionStorage.clear()');
      await page.reload();
      await give(editor);
      await page.getByRole('button', { name: welcome.load }).waitFor();
      assert.ok(!page.url().includes(editor));
      assert.equal(await page.evaluate<number>('localStorage.length'), 1);
      await check('editor');
    });
  });
}
