import assert from 'node:assert/strict';
import { startTestApp } from '../app.ts';
import { insertGroup, sendForm } from '../datasets.ts';
import { assertReadable, longestMessage } from './styles.ts';

/** An app with a group that takes styles. */
export async function openStyleTarget() {
  const app = await startTestApp();
  const path = `/dataset-groups/${await insertGroup(app.services.db)}/sld`;
  async function send(content: string | Buffer, filename = 'style.sld') {
    const file = new File([Buffer.from(content)], filename);
    const { status, body, text } = await sendForm<{ readonly errors?: { readonly file?: string } }>(
      app,
      path,
      [['file', file]],
    );
    const message = body.errors?.file ?? '';
    assert.equal(message !== '', status === 422, text.slice(0, longestMessage));
    assertReadable(message);
    return { status, message };
  }
  return {
    app,
    /** Such as `/dataset-groups/<uuid>/sld`. */
    path,
    async refused(content: string | Buffer, sentence: RegExp, filename?: string): Promise<void> {
      const { status, message } = await send(content, filename);
      assert.equal(status, 422);
      assert.match(message, sentence);
    },
    /** Sends a style; asserts that a refusal is one short sentence; otherwise the message is empty. */
    send,
    [Symbol.asyncDispose]: async () => await app.close(),
  };
}
