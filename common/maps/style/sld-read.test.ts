import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { propertiesOf, spellingsOf } from './filter-expression.ts';
import { readSld, takenRules } from './sld-read.ts';

const sign = '<PolygonSymbolizer><Fill/></PolygonSymbolizer>';
const rule = (name: string, condition: string) => `<Rule><Name>${name}</Name>${condition}${sign}</Rule>`;
const styleOf = (...layers: readonly string[]) =>
  readSld(
    `<StyledLayerDescriptor><NamedLayer><UserStyle>${layers.map((rules) => `<FeatureTypeStyle>${rules}</FeatureTypeStyle>`).join('')}</UserStyle></NamedLayer></StyledLayerDescriptor>`,
  );
const filter = (inner: string) => `<Filter>${inner}</Filter>`;
const compare = (name: string, literal: string, { property = 'a', attributes = '' } = {}) =>
  `<PropertyIs${name} ${attributes}><PropertyName>${property}</PropertyName><Literal>${literal}</Literal></PropertyIs${name}>`;
const is = (literal: string, property = 'a') => filter(compare('EqualTo', literal, { property }));

describe('Rules', () => {
  const taken = (layers: readonly string[], properties: object, denominator = 1000) =>
    takenRules(styleOf(...layers).rules, { ...properties }, denominator).map(({ title }) => title);

  test('for the rest take what the others of their layer leave, wherever they stand', () => {
    const layer = rule('rest', '<ElseFilter/>') + rule('one', is('1')) + rule('two', is('2'));
    assert.deepEqual(taken([layer], { a: 1 }), ['one']);
    assert.deepEqual(taken([layer], { a: 3 }), ['rest']);
    const other = rule('b', is('1', 'b')) + rule('rest of b', '<ElseFilter/>');
    assert.deepEqual(taken([layer, other], { a: 1 }), ['one', 'rest of b']);
    assert.deepEqual(taken([layer, other], { b: 1 }), ['rest', 'b']);
  });

  test('of other scales neither draw nor take anything from the rest', () => {
    const near = rule('near', `<MaxScaleDenominator>1000</MaxScaleDenominator>${is('1')}`);
    const layer = near + rule('rest', '<ElseFilter/>');
    assert.deepEqual(taken([layer], { a: 1 }, 999), ['near']);
    assert.deepEqual(taken([layer], { a: 1 }, 1000), ['rest']);
  });
});

describe('A filter', () => {
  const truth = (inner: string, value: string) =>
    `<PropertyIsEqualTo><Function name="${inner}</Function><Literal>${value}</Literal></PropertyIsEqualTo>`;
  const a = '<PropertyName>a</PropertyName>';
  const literals = (...texts: readonly string[]) =>
    texts.map((text) => `<Literal>${text}</Literal>`).join('');
  for (const [inner, takes, leaves] of [
    [compare('EqualTo', 'ВОДА', { attributes: 'matchCase="false"' }), ['вода', 'Вода'], ['вод', null]],
    [compare('EqualTo', 'ВОДА', { attributes: 'matchCase="true"' }), ['ВОДА'], ['вода']],
    [
      compare('Like', 'АК%', { attributes: 'matchCase="false" wildCard="%" singleChar="_" escape="!"' }),
      ['актау', 'Акмола'],
      ['такт'],
    ],
    [truth(`in3">${a}${literals('x', '5')}`, 'true'), ['x', 5, '5'], ['y', null]],
    [truth(`in">${a}${literals('x')}`, 'false'), ['y'], ['x']],
    [truth(`isNull">${a}`, 'true'), [null, undefined, ''], [0]],
    [truth(`between">${a}${literals('1', '3')}`, 'true'), [1, 2, '3'], [0, 4]],
    [truth(`greaterThan">${a}${literals('3')}`, 'TRUE'), [4], [3]],
    [`<Function name="lessThan">${a}${literals('3')}</Function>`, [2], [3]],
    [
      `<PropertyIsEqualTo><Function name="strToUpperCase">${a}</Function><Literal>X</Literal></PropertyIsEqualTo>`,
      ['x'],
      ['y'],
    ],
    [
      `<PropertyIsGreaterThan><Add>${a}<Literal>1</Literal></Add><Function name="env"><Literal>n</Literal><Literal>3</Literal></Function></PropertyIsGreaterThan>`,
      [3, '2.5'],
      [2, null],
    ],
    ['<PropertyIsNil><ValueReference>a</ValueReference></PropertyIsNil>', [null], [1]],
    [compare('EqualTo', '2020-01-31T00:00:00Z'), ['2020-01-31', '2020-01-31 00:00:00'], ['2020-01-30']],
    [compare('LessThan', '2020-02-01'), ['2020-01-31T23:59:59Z'], ['2020-02-01T00:00:00Z', null]],
    [compare('EqualTo', '010000000'), ['010000000', 10_000_000], ['10']],
    [compare('EqualTo', '5'), [5, '5', '5.0'], [[5], { a: 5 }]],
  ] as const) {
    test(`takes what it says: ${inner.slice(0, 90)}`, () => {
      const [only] = styleOf(rule('r', filter(inner))).rules;
      const judge = only?.filter;
      assert.ok(judge !== undefined && judge !== 'else');
      for (const value of takes) assert.equal(judge({ a: value }), true, JSON.stringify(value));
      for (const value of leaves) assert.equal(judge({ a: value }), false, JSON.stringify(value));
    });
  }

  test('finds a property as it is written, without quotes, and without what XML puts before it', () => {
    assert.deepEqual(spellingsOf('a'), ['a']);
    assert.deepEqual(spellingsOf('"a ""b"""'), ['"a ""b"""', 'a "b"']);
    assert.deepEqual(spellingsOf('gml:name'), ['gml:name', 'name']);
    assert.deepEqual(spellingsOf('topp:states/topp:name'), ['topp:states/topp:name', 'name']);
    assert.deepEqual(spellingsOf('a/'), ['a/']);
    const judge = styleOf(rule('r', is('1', 'addr:street'))).rules[0]?.filter;
    assert.ok(judge !== undefined && judge !== 'else');
    assert.deepEqual(
      [{ 'addr:street': 1, street: 2 }, { street: 1 }, { 'addr:street': 2, street: 1 }].map(judge),
      [true, true, false],
    );
  });

  test('names the properties that it looks at', () => {
    const inner = `<And>${compare('EqualTo', '1')}<Or>${compare('Like', '1', { property: 'b' })}<Not>${compare('EqualTo', 'c', { property: 'd' })}</Not></Or></And>`;
    const expression = styleOf(rule('r', filter(inner))).rules[0]?.expression;
    assert.ok(expression !== undefined && expression !== 'else');
    assert.deepEqual(propertiesOf(expression), ['a', 'b', 'd']);
  });
});

test('what is not drawn is told with the rules that it is in, by their place and name', () => {
  const label = '<TextSymbolizer/>';
  const { undrawn, undrawnRules } = styleOf(
    `<Rule><Title>towns</Title>${label}${sign}</Rule><Rule>${sign}</Rule>`,
    `<Rule><Name>${'н'.repeat(100)}</Name>${label}<Filter><BBOX/></Filter>${sign}</Rule>`,
  );
  assert.deepEqual(undrawn, ['labels', 'filters']);
  assert.deepEqual(undrawnRules, {
    labels: [
      { number: 1, name: 'towns' },
      { number: 3, name: 'н'.repeat(60) },
    ],
    filters: [{ number: 3, name: 'н'.repeat(60) }],
  });
});
