import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '../../lib/errors.ts';
import { checkSld } from '../../../test/support/maps/styles.ts';

const root = 'StyledLayerDescriptor';

const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');
const accepted: Readonly<Record<string, Buffer>> = {
  'any prefix': Buffer.from(`<sld:${root} xmlns:sld="http://www.opengis.net/sld"/>`),
  'undeclared prefixes': Buffer.from(`<sld:${root}><ogc:Filter a:b="c"/></sld:${root}>`),
  'a UTF-8 byte-order mark': Buffer.from(`\uFEFF<${root}/>`),
  'UTF-16 with a byte-order mark': utf16(`\uFEFF<?xml version="1.0" encoding="UTF-16"?><${root}/>`),
  'big-endian UTF-16': utf16(`\uFEFF<${root}/>`).swap16(),
  'UTF-16 without a byte-order mark': utf16(`<?xml version="1.0" encoding="utf-16"?><${root}/>`),
  'windows-1251 when declared': Buffer.from(
    `<?xml version='1.0' encoding='windows-1251'?><${root}><Name>\xCF\xEE\xEB\xE5</Name></${root}>`,
    'latin1',
  ),
};
for (const [name, bytes] of Object.entries(accepted)) {
  test(`${name}: accepted`, async () => {
    await checkSld(bytes);
  });
}

/** In addition to those of test/hostile/styles-other-files.test.ts. */
const refused: Readonly<Record<string, readonly [Buffer | string, RegExp]>> = {
  'a longer name with the root in it': [`<${root}s/>`, /not StyledLayerDescriptors/],
  'an unknown encoding': [`<?xml version="1.0" encoding="UTF-7"?><${root}/>`, /unknown encoding UTF-7/],
  'UTF-16 that is only declared': [`<?xml version="1.0" encoding="UTF-16"?><${root}/>`, /but is in another/],
  'a million levels': [`<${root}>${'<a>'.repeat(1_000_000)}`, /deeper than 256/],
  'a million attributes': [`<${root} ${'a="" '.repeat(1_000_000)}/>`, /attributes/],
};
for (const [name, [bytes, message]] of Object.entries(refused)) {
  test(`${name}: refused on \`file\``, async () => {
    await assert.rejects(checkSld(Buffer.from(bytes)), (error) => {
      assert.ok(error instanceof Problem);
      assert.match(String(error.fields?.['file']), message);
      return true;
    });
  });
}
