import assert from 'node:assert/strict';
import { test } from 'node:test';
import { charsetNamed } from './charset.ts';
import { createEvidence, fits } from './fit.ts';

const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index));

/** Names of countries in a language: texts as attributes have them, which the platform brings along. */
function countries(language: string): readonly string[] {
  const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });
  return letters
    .flatMap((first) => letters.map((second) => names.of(first + second)))
    .filter((name) => name !== undefined);
}

/** The bytes of texts in a charset, without those that it cannot write or that are ASCII. */
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

const rounds = 12;

/** Asks many times, each with some of the texts: whether what is declared is believed. */
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
    for (const each of [1, 2, 5, 100])
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
