import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTokenText, tokenIdOf } from './tokens.ts';

test('a token is one word that says what it is, and holds its id', () => {
  const { id, text } = createTokenText();
  assert.match(text, /^steppe_[0-9a-f]{16}_[0-9A-Za-z]{49}$/);
  assert.equal(text.slice(7, 23), id);
  assert.equal(tokenIdOf(text), id);
});

test('no two tokens share their id or a long part of their secret', () => {
  const tokens = Array.from({ length: 1000 }, createTokenText);
  assert.equal(new Set(tokens.map(({ id }) => id)).size, 1000);
  assert.equal(new Set(tokens.map(({ text }) => text.slice(24, 36))).size, 1000);
});

test('a mistyped token is told by itself', () => {
  const { text } = createTokenText();
  for (let index = 0; index < text.length; index += 1) {
    const other = text[index] === '0' ? '1' : '0';
    assert.equal(
      tokenIdOf(text.slice(0, index) + other + text.slice(index + 1)),
      undefined,
      `letter ${index}`,
    );
  }
  for (const wrong of [
    '',
    'steppe_',
    ` ${text}`,
    `${text} `,
    `${text}\n`,
    text.slice(1),
    text.toUpperCase(),
  ]) {
    assert.equal(tokenIdOf(wrong), undefined, JSON.stringify(wrong));
  }
});
