import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { hostileMarkup } from '../../../test/support/hostile/hostile-texts.ts';
import { cssString, markup, styleSheet } from './html.ts';

describe('markup of a template', () => {
  for (const text of hostileMarkup) {
    test(`has ${JSON.stringify(text)} as text alone`, () => {
      const written = markup`<p title="${text}">${text}</p>`.toString();
      const [, attribute = '', content = ''] = /^<p title="([^"]*)">([^<]*)<\/p>$/s.exec(written) ?? [];
      assert.notEqual(attribute, '');
      assert.equal(content, attribute);
      assert.doesNotMatch(content, /[<>"']|&(?!(?:amp|lt|gt|quot|#39);)/);
      assert.doesNotMatch(content.replaceAll('\n', ''), /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\u202e]/u);
    });
  }

  test('keeps markup that it has made, joins lists, and writes nothing for what is not there', () => {
    const inner = markup`<b>${'a & b'}</b>`;
    assert.equal(markup`${[inner, '<', 7]}${null}${undefined}${false}`.toString(), '<b>a &amp; b</b>&lt;7');
    assert.equal(markup`<p>${{ toString: () => '<i>' }.toString()}</p>`.toString(), '<p>&lt;i&gt;</p>');
  });

  test('keeps lines', () => assert.equal(markup`${'a\r\nb\rc'}`.toString(), 'a\nb\nc'));
});

test('a style sheet cannot end its element, and a string of CSS cannot end', () => {
  assert.throws(() => styleSheet('</style>'), /end its element/);
  for (const text of hostileMarkup) assert.match(cssString(text), /^"[^"\\<\n]*"$/);
});
