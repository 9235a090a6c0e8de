import assert from 'node:assert/strict';
import { insertGroup, sendForm } from './datasets.ts';
import { startTestApp } from './app.ts';

const longestMessage = 400;

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
    assert.ok(message.length <= longestMessage && message.isWellFormed(), message);
    assert.doesNotMatch(message, /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
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
    /** Sends a style; a refusal is a short sentence in one line, else the message is empty. */
    send,
    [Symbol.asyncDispose]: async () => await app.close(),
  };
}

/** A style with this inside of its root. */
export function style(inner: string, prolog = ''): string {
  return `${prolog}<StyledLayerDescriptor version="1.0.0">${inner}</StyledLayerDescriptor>`;
}

export function utf16(text: string, order: 'le' | 'be'): Buffer {
  const bytes = Buffer.from(text, 'utf16le');
  return order === 'le' ? bytes : bytes.swap16();
}

export function utf32(text: string, order: 'le' | 'be'): Buffer {
  const bytes = Buffer.concat(
    Array.from(text, (character) => {
      const bytesOfOne = Buffer.alloc(4);
      bytesOfOne.writeUInt32LE(character.codePointAt(0) ?? 0);
      return bytesOfOne;
    }),
  );
  return order === 'le' ? bytes : bytes.swap32();
}
