import assert from 'node:assert/strict';
import { compileSound } from '../../../src/maps/styles/compiled-styles.ts';
import { decodeSld } from '../../../src/maps/styles/sld.ts';
import { compileStyle } from '../../../common/maps/style/sld-compile.ts';
import { Problem } from '../../../src/lib/errors.ts';

export const longestMessage = 400;

/**
 * Checks and compiles a style like an upload, but without a thread.
 * @throws {Problem} `invalid` on `file`
 */
export const checkSld = async (bytes: Buffer) =>
  await compileSound(async (text) => compileStyle(text), decodeSld(bytes));

/** Asserts that a file is refused as a style, with this sentence. */
export async function refuseStyle(content: string | Buffer, sentence: RegExp): Promise<void> {
  await assert.rejects(checkSld(Buffer.from(content)), (error) => {
    assert.ok(error instanceof Problem, String(error));
    const message = String(error.fields?.['file']);
    assertReadable(message);
    assert.match(message, sentence);
    return true;
  });
}

/** Asserts that a message is one short line. */
export function assertReadable(message: string): void {
  assert.ok(message.length <= longestMessage && message.isWellFormed(), message);
  assert.doesNotMatch(message, /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
}

/** A style with `inner` inside of its root. */
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
