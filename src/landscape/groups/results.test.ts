import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SaxesParser } from 'saxes';
import { compileSld } from '../../maps/style/sld-compile.ts';
import { nodeOf } from '../../../test/support/graph.ts';
import { nodes } from '../graph/graph.ts';
import { legendSld } from './results.ts';

test('every legend is a Styled Layer Descriptor that an upload would be accepted as', () => {
  assert.equal(nodes.length, 19);
  for (const node of nodes) compileSld(legendSld(node));
});

test('the legend of classes has each of them by its value, after a transparent 0', () => {
  const { type, entries } = colorMapOf(legendSld(nodeOf('05')));
  assert.equal(type, 'values');
  assert.deepEqual(entries, [
    { color: '#000000', quantity: '0', opacity: '0', label: 'No data' },
    { color: '#f0f0f0', quantity: '1', label: 'Allocable' },
    { color: '#4292c6', quantity: '2', label: 'Water' },
    { color: '#cb181d', quantity: '3', label: 'Built-up' },
    { color: '#c6dbef', quantity: '4', label: 'Snow and ice' },
  ]);
});

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

test('ramps span the ranges of the design', () => {
  const spans = nodes
    .filter(({ legend }) => legend.kind === 'ramp')
    .map(({ code, legend: { entries } }) => [code, entries.at(0)?.value, entries.at(-1)?.value]);
  assert.deepEqual(spans, [
    ['01', 0, 60],
    ['02', 0, 960],
    ['03', 0, 1],
    ['04', 0, 100],
    ['11', 1, 2],
    ['12', 1, 2],
    ['13', 1, 2],
    ['14', 0, 33.6],
  ]);
});

test('labels and titles can hold what XML gives a meaning to', () => {
  const node = nodeOf('05');
  const label = `a < b & "c" > d`;
  const sld = legendSld({
    ...node,
    output: { ...node.output, title: label },
    legend: { kind: 'values', entries: [{ value: 1, color: '#123456', label }] },
  });
  compileSld(sld);
  assert.equal(colorMapOf(sld).entries.at(-1)?.['label'], label);
});

/** Attributes of the ColorMap and its entries, unescaped. */
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
