import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { maxSldBytes } from '../../src/maps/styles/sld.ts';
import { MiB } from '../../src/lib/units.ts';
import { send } from '../support/datasets.ts';
import { closeAfterTests } from '../support/for-tests.ts';
import { memoryInUse } from '../support/memory.ts';
import { openStyleTarget } from '../support/maps/style-target.ts';
import { style, utf16 } from '../support/maps/styles.ts';

const target = await closeAfterTests(openStyleTarget());

const million = 1_000_000;
/** Repeats `piece` to the largest allowed size of a style. */
const filled = (piece: string): string => piece.repeat(Math.floor((maxSldBytes - 200) / piece.length));

function laughs(count: number): string {
  const entities = Array.from({ length: count }, (_, n) => `<!ENTITY a${n + 1} "${`&a${n};`.repeat(10)}">`);
  return style(`&a${count};`, `<!DOCTYPE x [<!ENTITY a0 "ha">${entities.join('')}]>`);
}

const doctype = /^must not have a DOCTYPE/;
const refused: Readonly<Record<string, readonly [() => string | Buffer, RegExp]>> = {
  'a billion laughs': [() => laughs(9), doctype],
  'a billion laughs in UTF-16': [() => utf16(`\ufeff${laughs(9)}`, 'be'), doctype],
  'quadratic blow-up': [
    () => style('&a;'.repeat(100_000), `<!DOCTYPE x [<!ENTITY a "${'a'.repeat(100_000)}">]>`),
    doctype,
  ],
  'entities that hold each other': [
    () => style('&a;', '<!DOCTYPE x [<!ENTITY a "&b;"><!ENTITY b "&a;">]>'),
    doctype,
  ],
  'a DOCTYPE of 5 MB of quotes': [() => `<!DOCTYPE x [${filled('""')}]><x/>`, doctype],
  'a million levels': [() => style('<a>'.repeat(million)), /deeper than 256 elements/],
  'a million attributes': [
    () => `<StyledLayerDescriptor ${'a="" '.repeat(million)}/>`,
    /an element with more than 1024 attributes/,
  ],
  '1025 attributes': [
    () => `<StyledLayerDescriptor ${Array.from({ length: 1025 }, (_, n) => `a${n}=""`).join(' ')}/>`,
    /an element with more than 1024 attributes/,
  ],
  '5 MB of <': [() => filled('<'), /line 1, column 2: disallowed character/],
  'a root with a name of 1 MB': [() => `<${'a'.repeat(million)}/>`, /not a{100}…$/],
  'an end tag with a name of 1 MB': [() => `<StyledLayerDescriptor></${'a'.repeat(million)}>`, /line 1, /],
  'an attribute with a name of 1 MB, twice': [
    () => `<StyledLayerDescriptor ${`${'a'.repeat(million)}="" `.repeat(2)}/>`,
    /duplicate attribute: a+…$/,
  ],
  'a prefix of 1 MB': [() => `<${'a'.repeat(million)}:b/>`, /not a{100}…$/],
  'an entity with a name of 5 MB': [
    () => style(`&${filled('a')};`),
    /line 1, column \d+: undefined entity; write & /,
  ],
  'an entity of 5 MB of line breaks': [() => style(`&${filled('\r')}`), /is not well-formed XML: line \d+, /],
  'a character reference of 5 MB of digits': [
    () => style(`&#${filled('9')};`),
    /malformed character entity; XML has/,
  ],
  'an XML declaration of 5 MB': [
    () => `<?xml version="1.0"${filled(' ')}?><a/>`,
    /XML declaration that is too long/,
  ],
  '5 MB of blanks': [() => filled(' '), /contains nothing but white space/],
  '5 MB of NUL': [() => filled('\0'), /^is not /],
  '5 MB that are open in the end': [() => `<StyledLayerDescriptor><!--${filled('-a')}`, /line 1, /],
};

const taken: Readonly<Record<string, () => string | Buffer>> = {
  'a million siblings': () => style('<a/>'.repeat(million)),
  'one attribute of 5 MB': () => `<StyledLayerDescriptor a="${filled('a')}"/>`,
  'an attribute of a million entities': () => `<StyledLayerDescriptor a="${filled('&lt;')}"/>`,
  'an attribute of 5 MB of line breaks': () => `<StyledLayerDescriptor a="${filled('\r')}"/>`,
  'a comment of 5 MB': () => style(`<!--${filled('a')}-->`),
  'a comment of 5 MB of dashes': () => style(`<!--${filled('-a')}-->`),
  'a comment of 5 MB of line breaks': () => style(`<!--${filled('\r')}-->`),
  'a CDATA section of 5 MB of brackets': () => style(`<![CDATA[${filled(']a')}]]>`),
  'an instruction of 5 MB of question marks': () => style(`<?a b${filled('?a')}?>`),
  'a comment of 4 MB in UTF-16': () => utf16(`\ufeff${style(`<!--${'-a'.repeat(million)}-->`)}`, 'le'),
  'text of a million character references': () => style('&#65;'.repeat(million)),
  'text that looks like entities': () => style('<![CDATA[&a0;&a1;<!ENTITY a "b">]]>&amp;a0;'.repeat(1000)),
  '256 levels': () => style('<a>'.repeat(255) + '</a>'.repeat(255)),
  '1024 attributes': () =>
    `<StyledLayerDescriptor ${Array.from({ length: 1024 }, (_, n) => `a${n}=""`).join(' ')}/>`,
};

/** More than a style and its parsing take; links between its characters would take several times that. */
const maxGrowthBytes = 32 * MiB;

const before = memoryInUse().heap;

/** Does `work`; fails if the memory in use meanwhile exceeds that at the start by more than `maxGrowthBytes`. */
async function withinMemory(work: () => Promise<void>): Promise<void> {
  let highest = before;
  const done = new AbortController();
  async function watch(): Promise<void> {
    while (!done.signal.aborted) {
      highest = Math.max(highest, memoryInUse().heap);
      await pause(200);
    }
  }
  const watched = watch();
  await work().finally(() => done.abort());
  await watched;
  assert.ok(highest - before < maxGrowthBytes, `${Math.round((highest - before) / MiB)} MiB more`);
}

describe('a style that is a bomb', () => {
  for (const [name, [make, wanted]] of Object.entries(refused)) {
    it(`${name}: refused within memory`, async () => {
      const content = make();
      await withinMemory(async () => await target.refused(content, wanted));
    });
  }

  for (const [name, make] of Object.entries(taken)) {
    it(`${name}: taken within memory`, async () => {
      const content = make();
      assert.ok(Buffer.byteLength(content) <= maxSldBytes);
      await withinMemory(async () =>
        assert.deepEqual(await target.send(content), { status: 200, message: '' }),
      );
    });
  }

  it('lets others through while it is read', async () => {
    const content = style('<a/>'.repeat(million));
    const answered = new AbortController();
    const bomb = target.send(content).finally(() => answered.abort());
    let served = 0;
    while (!answered.signal.aborted) {
      assert.equal((await send(target.app, '/healthz')).status, 200);
      if (!answered.signal.aborted) served += 1;
    }
    assert.equal((await bomb).status, 200);
    assert.ok(served >= 3, `${served} answers meanwhile`);
  });
});
