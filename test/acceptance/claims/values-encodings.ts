import assert from 'node:assert/strict';
import { claim } from '../claim.ts';
import { expectWarning, readReport, readVector, warningsOf } from '../support/geojson.ts';
import { layerFiles, windows1251, zipFileOf } from '../support/shapefile.ts';

const names = ['Акмолинская область', 'Щучинский район', 'Целиноград и окрестности'] as const;
const points = names.map((_, index) => [70 + index, 50] as const);
const utf8 = names.map((name) => Buffer.from(name));
const cp1251 = names.map(windows1251);
const german = [0xe4, 0xf6, 0xfc].map((letter) => Buffer.from([0x4d, letter, 0x6c, 0x6c, 0x65, 0x72]));
/** In cp866 letters from а to п follow those of the alphabet, and those from р on stand apart. */
const cp866 = names.map((name) =>
  Buffer.from(
    [...name].map((letter) => {
      const code = letter.codePointAt(0) ?? 0;
      if (code < 0x80) return code;
      return code < 0x440 ? code - 0x410 + 0x80 : code - 0x440 + 0xe0;
    }),
  ),
);

for (const [what, texts, languageByte, more, declared, used] of [
  ['a .cpg of 1252 over windows-1251', cp1251, 0, { '.cpg': '1252' }, /1252/, 'windows-1251'],
  ['a .cst of 866 over UTF-8', utf8, 0, { '.cst': '866' }, /866/, 'UTF-8'],
  ['a language byte of 866 over windows-1251', cp1251, 0x65, {}, /866/, 'windows-1251'],
] as const) {
  claim(
    ['D9 encodings', ...(used === 'UTF-8' ? ['D9 encodings UTF-8'] : []), 'D9 languages'],
    `${what} is overruled, and the warning names both`,
    async (client) => {
      const files = layerFiles('t', { points, texts, languageByte }, more);
      const { dataset, collection } = await readVector(client, zipFileOf(files));
      assert.deepEqual(
        collection.features[0]?.properties.rows,
        names.map((NAME) => ({ NAME })),
      );
      const { source } = await readReport(client, dataset.id);
      assert.ok(String(source?.['encoding']).includes(used), String(source?.['encoding']));
      const message = await expectWarning(client, dataset.id, 'encoding_overruled', declared);
      assert.ok(message.includes(used), message);
    },
  );
}

for (const [what, texts, languageByte, more] of [
  ['866 in the language byte', cp866, 0x65, {}],
  ['1252 in a .cpg of German', german, 0, { '.cpg': '1252' }],
] as const) {
  claim(['D9 encodings kept'], `${what} that fits the letters is believed`, async (client) => {
    const files = layerFiles('t', { points, texts, languageByte }, more);
    const { dataset } = await readVector(client, zipFileOf(files));
    assert.ok((await warningsOf(client, dataset.id)).every((code) => !code.startsWith('encoding')));
  });
}
