import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SaxesParser } from 'saxes';
import { nodeOf } from '../../../test/support/landscape/graph.ts';
import { checkSld } from '../../../test/support/maps/styles.ts';
import { legendSld } from './results.ts';

test('the legend of numbers is a ramp over their range, after a transparent -9999', () => {
  const { type, entries } = colorMapOf(legendSld(nodeOf('14')));
  assert.equal(type, 'ramp');
  assert.deepEqual(
    entries.map(({ quantity, opacity, label }) => [quantity, opacity, label]),
    [
      ['-9999', '0', 'No data'],
      ['0', undefined, '0 t/ha/yr'],
      ['8.4', undefined, '8.4 t/ha/yr'],
      ['16.8', undefined, '16.8 t/ha/yr'],
      ['25.2', undefined, '25.2 t/ha/yr'],
      ['33.6', undefined, '33.6 t/ha/yr'],
    ],
  );
});

test('labels and titles can hold what XML gives a meaning to', async () => {
  const node = nodeOf('05');
  const label = `a < b & "c" > d`;
  const sld = legendSld({
    ...node,
    output: { ...node.output, title: label },
    legend: { kind: 'values', entries: [{ value: 1, color: '#123456', label }] },
  });
  await checkSld(Buffer.from(sld));
  assert.equal(colorMapOf(sld).entries.at(-1)?.['label'], label);
});

/** Returns the attributes of the ColorMap and its entries, unescaped. */
function colorMapOf(sld: string): { type: string | undefined; entries: Record<string, string>[] } {
  const elements: { name: string; attributes: Record<string, string> }[] = [];
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => elements.push({ name, attributes: { ...attributes } }));
  parser.write(sld).close();
  return {
    type: elements.find(({ name }) => name === 'ColorMap')?.attributes['type'],
    entries: elements.filter(({ name }) => name === 'ColorMapEntry').map(({ attributes }) => attributes),
  };
}
