import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { Problem } from '../../lib/errors.ts';
import { checkSld, maxSldBytes } from './sld.ts';

const folder = new URL('../../../test/fixtures/sld/', import.meta.url);
const broken: readonly string[] = [
  'lol_classic.sld',
  'unclosed-element.sld',
  'html_error_page.sld',
  'xxe_file.sld',
];
const root = 'StyledLayerDescriptor';

const files = (await readdir(folder)).filter((name) => name.endsWith('.sld'));
for (const name of files.filter((file) => !broken.includes(file))) {
  test(`${name} is accepted`, async () => {
    await checkSld(await readFile(new URL(name, folder)));
  });
}
for (const name of broken) {
  test(`${name} is refused`, async () => {
    await assert.rejects(checkSld(await readFile(new URL(name, folder))), Problem);
  });
}

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

const refused: Readonly<Record<string, readonly [Buffer | string, RegExp]>> = {
  'no bytes': ['', /empty/],
  'more than 5 MiB': [Buffer.alloc(maxSldBytes + 1, ' '), /5 MiB/],
  'another root, which it names': [
    '<kml xmlns="http://www.opengis.net/kml/2.2"/>',
    /StyledLayerDescriptor, not kml/,
  ],
  'a longer name with the root in it': [`<${root}s/>`, /not StyledLayerDescriptors/],
  'an HTML page, whose root it names': ['<!DOCTYPE html><html></html>', /HTML page .*html/],
  'a DOCTYPE before the right root': [`<!DOCTYPE ${root} [<!ENTITY a "b">]><${root}/>`, /DOCTYPE/],
  'an entity that XML does not have': [`<${root}>&nbsp;</${root}>`, /not well-formed/],
  'an end that does not fit': [`<${root}><a></${root}>`, /not well-formed/],
  'an element left open': [`<${root}><a>`, /not well-formed/],
  'two roots': [`<${root}/><${root}/>`, /not well-formed/],
  'text that is not XML': ['{"type":"FeatureCollection"}', /JSON/],
  'bytes that are not UTF-8': [Buffer.from([...Buffer.from(`<${root}>`), 0xc0, 0xe0]), /not valid utf-8/],
  'an unknown encoding': [`<?xml version="1.0" encoding="UTF-7"?><${root}/>`, /UTF-7, an unknown encoding/],
  'UTF-16 that is only declared': [`<?xml version="1.0" encoding="UTF-16"?><${root}/>`, /but is not/],
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
