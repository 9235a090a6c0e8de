import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { charsetNamed } from './charset.ts';
import { chooseCharset } from './choose.ts';
import { createEvidence } from './fit.ts';

/** The bytes of a text in a single-byte charset. */
function encode(text: string, name: string): Uint8Array {
  const charset = charsetNamed(name);
  assert.ok(charset !== undefined);
  const bytes = new Map(
    Array.from({ length: 256 }, (_, b) => [charset.decode(Uint8Array.of(b)), b] as const),
  );
  return Uint8Array.from(text, (letter) => bytes.get(letter) ?? assert.fail(`${letter} is not in ${name}`));
}

/** Where a text is in a field that it does not fill, or fills to the last byte. */
const padded = ({ length }: Uint8Array) => ({ begin: 0, end: length, room: length + 1 });
const full = ({ length }: Uint8Array) => ({ begin: 0, end: length, room: length });

function choose(
  texts: readonly Uint8Array[],
  says: { cpg?: string; cst?: string; languageByte?: number } = {},
) {
  const evidence = createEvidence();
  texts.forEach((text) => evidence.add(text, padded(text)));
  const { cpg, cst, languageByte = 0 } = says;
  const { charset, from } = chooseCharset(cpg, cst, languageByte, evidence.finish());
  return `${charset.name} by ${from}`;
}

const russian = ['Акмолинская область', 'Есильский район', 'г. Степногорск', 'Щучинск'];
const kazakh = ['Ақмола облысы', 'Түркістан қаласы', 'Өскемен', 'Ұлытау', 'Жәнібек ауданы'];

describe('The charset', () => {
  const utf8 = russian.map((text) => Buffer.from(text));
  const cp1251 = russian.map((text) => encode(text, 'windows-1251'));

  test('is what the .cpg says, else the .cst, else the language byte', () => {
    assert.equal(choose(cp1251, { cpg: '1251', cst: 'CP866', languageByte: 0x65 }), 'windows-1251 by cpg');
    assert.equal(choose(cp1251, { cpg: 'junk', cst: '1251', languageByte: 0x65 }), 'windows-1251 by cst');
    assert.equal(choose(cp1251, { languageByte: 0xc9 }), 'windows-1251 by dbf');
  });

  test('is not UTF-8, whatever is said, when the bytes are none', () => {
    assert.equal(choose(cp1251, { cpg: 'UTF-8', languageByte: 0xc9 }), 'windows-1251 by dbf');
    assert.equal(choose(cp1251, { cpg: 'UTF-8' }), 'windows-1251 by guess');
  });

  test('is UTF-8 when nothing is said and all bytes are', () => {
    assert.equal(choose(utf8), 'UTF-8 by strict UTF-8');
    assert.equal(choose(utf8, { languageByte: 0x57 }), 'UTF-8 by strict UTF-8');
    assert.equal(choose([Buffer.from('ASCII')]), 'UTF-8 by strict UTF-8');
    assert.equal(choose([...utf8, ...cp1251]).endsWith('guess'), true);
  });

  test('is UTF-8 also when a text that fills its field is cut inside a letter', () => {
    const evidence = createEvidence();
    const cut = Buffer.from('область').subarray(0, 13);
    evidence.add(cut, full(cut));
    assert.equal(evidence.finish().isUtf8, true);
    const inside = createEvidence();
    inside.add(cut, padded(cut));
    assert.equal(inside.finish().isUtf8, false);
  });

  test('is guessed by the letters, small and capital', () => {
    for (const name of ['windows-1251', 'CP866', 'ISO-8859-5']) {
      assert.equal(choose(russian.map((text) => encode(text, name))), `${name} by guess`);
      const capitals = russian.map((text) => encode(text.toUpperCase(), name));
      assert.equal(choose(capitals), `${name} by guess`, 'capitals');
      assert.equal(choose([encode('Семей', name)]), `${name} by guess`, 'one word');
    }
    assert.equal(choose(kazakh.map((text) => encode(text, 'KZ-1048'))), 'KZ-1048 by guess');
  });

  test('is Western when the language byte is no more than "ANSI" and letters stand among Latin ones', () => {
    const french = ["Le château d'eau", 'Genève', 'Besançon'].map((text) => encode(text, 'windows-1252'));
    assert.equal(choose(french, { languageByte: 0x57 }), 'windows-1252 by guess');
    assert.equal(choose(cp1251, { languageByte: 0x57 }), 'windows-1251 by guess');
  });
});
