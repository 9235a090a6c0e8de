import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { decodeSld } from '../../src/maps/styles/sld.ts';
import { openCanary } from '../support/hostile/canary.ts';
import { checkSld, refuseStyle, style, utf16, utf32 } from '../support/maps/styles.ts';
import { closeAfterTests } from '../support/for-tests.ts';

const canary = await closeAfterTests(openCanary());
/** Addresses of the secret file and of the port that counts connections. */
const places = { file: pathToFileURL(canary.csvPath).href, http: canary.url };
type Places = typeof places;

const root = 'StyledLayerDescriptor';
const entity = ({ file }: Places) => style('&x;', `<!DOCTYPE ${root} [<!ENTITY x SYSTEM "${file}">]>`);
const declared = (encoding: string, rest = style('')) =>
  `<?xml version="1.0" encoding="${encoding}"?>${rest}`;

const withDoctype: Readonly<Record<string, (places: Places) => string | Buffer>> = {
  'an entity of a file': entity,
  'an entity of an address': ({ http }) => entity({ file: http, http }),
  'an entity in an attribute': ({ http }) =>
    `<!DOCTYPE r [<!ENTITY x SYSTEM "${http}">]><${root} version="&x;"/>`,
  'a parameter entity': ({ http }) =>
    style('', `<!DOCTYPE r [<!ENTITY % p SYSTEM "${http}/p.dtd"> %p; %all;]>`),
  'a file sent out through parameter entities': ({ file, http }) =>
    style('&out;', `<!DOCTYPE r [<!ENTITY % f SYSTEM "${file}"><!ENTITY % d SYSTEM "${http}/d"> %d;]>`),
  'an external DTD': ({ http }) => style('', `<!DOCTYPE ${root} SYSTEM "${http}/x.dtd">`),
  'a public external DTD': ({ http }) => style('', `<!DOCTYPE ${root} PUBLIC "-//OGC//SLD" '${http}/x.dtd'>`),
  'an unparsed entity and its notation': ({ http }) =>
    style('', `<!DOCTYPE r [<!NOTATION n SYSTEM "${http}/n"><!ENTITY u SYSTEM "${http}/u" NDATA n>]>`),
  'an internal subset alone': () => style('&a;', `<!DOCTYPE ${root} [<!ENTITY a "harmless">]>`),
  'an empty subset': () => style('', `<!DOCTYPE ${root} []>`),
  'no subset at all': () => style('', `<!DOCTYPE ${root}>`),
  'default attributes': () => style('', `<!DOCTYPE ${root} [<!ATTLIST ${root} version CDATA "2">]>`),
  'brackets and quotes in its subset': () =>
    style('', `<!DOCTYPE r [<!-- ]> ' --><?p ]> "?><!ENTITY a "]>">]>`),
  'a DOCTYPE behind comments, instructions and blanks': (places) =>
    `<?xml version="1.0" standalone="yes"?>\r\n<!-- <a> -->\t<?a <!DOCTYPE ?>\n${entity(places)}`,
  'a DOCTYPE behind 100 KB of comments': (places) => `${'<!-- x -->\n'.repeat(9000)}${entity(places)}`,
  'a DOCTYPE in XML 1.1': (places) => `<?xml version="1.1"?>${entity(places)}`,
  'a byte-order mark': (places) => `\ufeff${entity(places)}`,
  'ISO-8859-1': (places) => declared('ISO-8859-1', entity(places)),
  'windows-1251': (places) => declared('windows-1251', entity(places)),
  'UTF-16LE with a mark': (places) => utf16(`\ufeff${entity(places)}`, 'le'),
  'UTF-16BE with a mark': (places) => utf16(`\ufeff${entity(places)}`, 'be'),
  'UTF-16LE without a mark': (places) => utf16(declared('UTF-16', entity(places)), 'le'),
  'UTF-16BE without a mark': (places) => utf16(declared('UTF-16', entity(places)), 'be'),
  'UTF-16 that says to be UTF-8': (places) => utf16(`\ufeff${declared('UTF-8', entity(places))}`, 'le'),
  'UTF-8 with a mark that says to be UTF-16': (places) => `\ufeff${declared('UTF-16', entity(places))}`,
};

/** A DOCTYPE that another parser might find there. */
const hidden: Readonly<Record<string, readonly [(places: Places) => string | Buffer, RegExp]>> = {
  'UTF-7, declared': [() => declared('UTF-7', '+ADwAIQ-DOCTYPE x+AD4-'), /unknown encoding UTF-7/],
  'UTF-7, not declared': [() => '+ADw-?xml version="1.0"?+AD4-+ADwAIQ-DOCTYPE x+AD4-', /begins with "\+ADw/],
  'UTF-7 with a mark': [() => '+/v8-+ADw-x/+AD4-', /UTF-7/],
  'UTF-7, declared behind the mark of UTF-8': [() => `\ufeff${declared('UTF-7')}`, /UTF-7/],
  'UTF-7, declared in UTF-16': [() => utf16(`\ufeff${declared('UTF-7')}`, 'be'), /UTF-7/],
  'EBCDIC that declares itself': [
    () => Buffer.from([0x4c, 0x6f, 0xa7, 0x94, 0x93, 0x40, 0xa5, 0x85, 0x99]),
    /EBCDIC/,
  ],
  'EBCDIC behind an ASCII declaration': [
    () => declared('cp037', '\x4c\x5aDOCTYPE'),
    /unknown encoding cp037/,
  ],
  'UTF-32LE with a mark': [(places) => utf32(`\ufeff${entity(places)}`, 'le'), /UTF-32/],
  'UTF-32BE with a mark': [(places) => utf32(`\ufeff${entity(places)}`, 'be'), /UTF-32/],
  'UTF-32LE without a mark': [(places) => utf32(entity(places), 'le'), /UTF-32/],
  'UTF-32BE without a mark': [(places) => utf32(entity(places), 'be'), /UTF-32/],
  'UTF-16 that is none': [() => declared('UTF-16'), /declares the encoding UTF-16, but is in another/],
  'an encoding that writes < in other bytes': [() => declared('hz-gb-2312'), /unknown encoding/],
  'an encoding beyond the place where it is looked for': [
    () => `<?xml version="1.0"${' '.repeat(2000)}encoding="UTF-7"?>${style('')}`,
    /XML declaration that is too long/,
  ],
  'an encoding with a name of control characters': [
    () => declared('\u0001\u001b[2J\u202e\u0000'),
    /unknown encoding/,
  ],
  'an encoding with a name of 900 letters': [() => declared('x'.repeat(900)), /unknown encoding/],
  'a DOCTYPE inside of the root': [
    () => style('<!DOCTYPE x>'),
    /line 1, column \d+: inappropriately located/,
  ],
  'a DOCTYPE in small letters': [() => style('', '<!doctype x>'), /line 1, column 9: /],
  'a DOCTYPE that does not end': [
    () => `<!DOCTYPE x [ <!ENTITY a "${'b'.repeat(100_000)}`,
    /not well-formed/,
  ],
};

const harmless: Readonly<Record<string, (places: Places) => string>> = {
  'an xml-stylesheet of an address': ({ http }) =>
    style('', `<?xml-stylesheet type="text/xsl" href="${http}/a.xsl"?>`),
  XInclude: ({ file, http }) =>
    style(
      `<x:include xmlns:x="http://www.w3.org/2001/XInclude" href="${file}" parse="text"/>` +
        `<x:include xmlns:x="http://www.w3.org/2001/XInclude" href="${http}"/>`,
    ),
  'a schema location': ({ http }) =>
    `<${root} xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="a ${http}/a.xsd"/>`,
  'a picture of an address': ({ http }) =>
    style(`<OnlineResource xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="${http}/a.svg"/>`),
  'a DOCTYPE in a comment and in CDATA': ({ file }) =>
    style(`<!-- <!DOCTYPE x SYSTEM "${file}"> --><![CDATA[<!DOCTYPE x SYSTEM "${file}">]]>`),
  'standalone="no"': () => `<?xml version='1.0' encoding='utf-8' standalone='no'?>${style('')}`,
  'XML 1.1': () => `<?xml version="1.1"?>${style('&#1;')}`,
  'windows-1251 by its name alone': () => declared('windows-1251'),
};

describe('a style that points elsewhere', () => {
  for (const [name, make] of Object.entries(withDoctype)) {
    it(`DOCTYPE, ${name}: refused, with the advice to remove it`, async () => {
      await refuseStyle(make(places), /^must not have a DOCTYPE .*: remove it/);
    });
  }

  for (const [name, [make, wanted]] of Object.entries(hidden)) {
    it(`${name}: refused`, async () => {
      await refuseStyle(make(places), wanted);
    });
  }

  for (const [name, make] of Object.entries(harmless)) {
    it(`${name}: taken as it came`, async () => {
      const content = make(places);
      assert.equal(decodeSld(Buffer.from(content)), content);
      await checkSld(Buffer.from(content));
    });
  }

  it('leaves the canary alone', () => assert.equal(canary.connections(), 0));
});
