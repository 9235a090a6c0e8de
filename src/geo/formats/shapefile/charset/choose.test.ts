import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { charsetNamed } from '../../../../../common/charset/charset.ts';
import { chooseCharset, createEvidence, fits } from './choose.ts';

/** Encodes a text in a single-byte charset. */
function encode(text: string, name: string): Uint8Array {
  const charset = charsetNamed(name);
  assert.ok(charset !== undefined);
  const bytes = new Map(
    Array.from({ length: 256 }, (_, b) => [charset.decode(Uint8Array.of(b)), b] as const),
  );
  return Uint8Array.from(text, (letter) => bytes.get(letter) ?? assert.fail(`${letter} is not in ${name}`));
}

/** Place of a text in a field that it does not fill, or fills to the last byte. */
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

  test('is Western without any statement where its letters stand among Latin ones', () => {
    const algeria = ['Béjaïa', 'Aïn Témouchent', 'Médéa'].map((text) => encode(text, 'windows-1252'));
    assert.equal(choose(algeria), 'windows-1252 by guess');
    assert.doesNotMatch(choose([encode('№A-12', 'windows-1251')]), /1252/);
    const mixed = ['Солтүстiк Қазақстан', 'Жамбыл', 'PM2,5 (мкг)'].map((text) => encode(text, 'KZ-1048'));
    assert.match(choose(mixed), /^(?:KZ-1048|windows-1251) by guess$/);
  });
});

const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index));

/** Names of countries in a language, from the platform: typical attribute texts. */
function countries(language: string): readonly string[] {
  const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });
  return letters
    .flatMap((first) => letters.map((second) => names.of(first + second)))
    .filter((name) => name !== undefined);
}

/** Encodes texts in a charset, except those that are ASCII or cannot be encoded. */
function written(texts: readonly string[], name: string): readonly Uint8Array[] {
  const charset = charsetNamed(name) ?? assert.fail(name);
  const bytesOf = new Map<string, readonly number[]>();
  const learn = (...bytes: readonly number[]) => {
    const letter = charset.decode(Uint8Array.from(bytes));
    if (letter.length === 1 && letter !== '\ufffd' && !bytesOf.has(letter)) bytesOf.set(letter, bytes);
  };
  for (let byte = 0; byte < 256; byte += 1) learn(byte);
  if (/^(?:GBK|BIG5|CP9)/.test(name))
    for (let lead = 0x81; lead < 255; lead += 1)
      for (let trail = 0x40; trail < 255; trail += 1) learn(lead, trail);
  return texts.flatMap((text) => {
    const bytes = Array.from(text.normalize('NFC'), (letter) => bytesOf.get(letter));
    if (bytes.includes(undefined)) return [];
    const all = Uint8Array.from(bytes.flatMap((some) => some ?? []));
    return all.some((byte) => byte >= 0x80) ? [all] : [];
  });
}

const rounds = 6;

/** Returns for many subsets of the texts whether the declared charset is accepted. */
function answers(texts: readonly Uint8Array[], declared: string, each: number): readonly boolean[] {
  const charset = charsetNamed(declared) ?? assert.fail(declared);
  assert.ok(texts.length > 5, declared);
  return Array.from({ length: Math.min(rounds, texts.length) }, (_, round) => {
    const evidence = createEvidence();
    for (let index = 0; index < each; index += 1) {
      const text = texts[(round * 7 + index * 13) % texts.length] ?? assert.fail('no text');
      evidence.add(text, { begin: 0, end: text.length, room: text.length + 1 });
    }
    return fits(charset, evidence.finish());
  });
}

const trueCharsets = `
  de windows-1252, fr windows-1252, fr ISO-8859-1, sv ISO-8859-15, is windows-1252, pt windows-1252, fr CP850, de CP437,
  pl windows-1250, cs windows-1250, hu windows-1250, pl ISO-8859-2, cs CP852, hr windows-1250, ro windows-1250,
  tr windows-1254, az windows-1254, lt windows-1257, lv windows-1257, et windows-1257, el windows-1253, el ISO-8859-7,
  he windows-1255, ar windows-1256, fa windows-1256, ar ISO-8859-6, th windows-874, zh GBK, zh-TW BIG5, ja CP932, ko CP949,
  ru windows-1251, ru CP866, ru KOI8-R, ru ISO-8859-5, ru x-mac-cyrillic, ru KZ-1048, uk windows-1251, uk KOI8-U,
  be windows-1251, bg windows-1251, sr windows-1251, mk windows-1251, sr ISO-8859-5, kk KZ-1048, kk PT154, ky PT154`;

test('a charset that is declared rightly is believed, whatever the language and however few the texts', () => {
  for (const [, language = '', charset = ''] of trueCharsets.matchAll(/([^,\s]+) ([^,\s]+)/g)) {
    const texts = countries(language);
    const capitals = texts.map((text) => text.toLocaleUpperCase(language));
    for (const each of [1, 5, 100])
      for (const some of [texts, capitals])
        assert.deepEqual(
          answers(written(some, charset), charset, each).filter((believed) => !believed),
          [],
          `${language} in ${charset}, ${each} at a time`,
        );
  }
});

const lies = `
  windows-1251 windows-1252, windows-1251 ISO-8859-1, windows-1251 CP866, windows-1251 ISO-8859-5, windows-1251 CP437,
  windows-1251 windows-1250, CP866 windows-1251, CP866 windows-1252, CP866 CP850, ISO-8859-5 windows-1251`;

test('a charset in which Russian makes no sense is not believed, from a few words on', () => {
  for (const [, charset = '', declared = ''] of lies.matchAll(/([^,\s]+) ([^,\s]+)/g)) {
    const texts = written(countries('ru'), charset);
    for (const each of [5, 100]) {
      const found = answers(texts, declared, each);
      assert.deepEqual(
        found.filter((believed) => believed),
        [],
        `${charset} as ${declared}, ${each} at a time`,
      );
    }
  }
});

test('Kazakh letters of KZ-1048 are not believed to be those of windows-1251', () => {
  const texts = written(countries('kk'), 'KZ-1048');
  assert.ok(answers(texts, 'windows-1251', 100).every((believed) => !believed));
});

test('UTF-8 wins over any charset of single bytes, even when there is one letter alone', () => {
  for (const text of ['é', '45°', 'Ә', 'Алматы', 'Ürümqi', '№ 1']) {
    const bytes = Buffer.from(text);
    for (const name of ['windows-1251', 'windows-1252', 'CP866', 'ISO-8859-1']) {
      const evidence = createEvidence();
      evidence.add(bytes, { begin: 0, end: bytes.length, room: 60 });
      assert.equal(
        fits(charsetNamed(name) ?? assert.fail(name), evidence.finish()),
        false,
        `${text} as ${name}`,
      );
    }
  }
});
