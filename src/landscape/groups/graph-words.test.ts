import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { nodes } from '../graph/graph.ts';
import { leaves } from '../model/leaves.ts';
import type { LandscapeGraph } from './graph-schema.ts';
import { describeGraph } from './graph-answer.ts';
import { graphWordsIn } from './graph-words.ts';

const sentences = (text: string) => text.split(/(?<=\.)\s+(?=\P{Ll})/u);

/** Returns every text of the graph in a language, by its path. */
function textsOf(language: 'en' | 'ru' | 'kk'): ReadonlyMap<string, string> {
  const graph = describeGraph(language).catalogue;
  return new Map([...flatten('', graphWordsIn(language)), ...flatten('/catalogue', withoutCodes(graph))]);
}

function flatten(place: string, value: unknown): (readonly [place: string, text: string])[] {
  if (typeof value === 'string') return [[place, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => flatten(`${place}/${name}`, inner));
}

/** Paths of texts that contain only names or symbols. */
const nameless = /^\/slots\/land-cover\/source$|^\/units\/percent$/;

for (const [language, letters] of [
  ['ru', /^[а-яё]$/iu],
  ['kk', /^[а-яёәғқңөұүһі]$/iu],
] as const) {
  describe(`the graph in ${language}`, () => {
    const texts = textsOf(language);

    test('has a text wherever English has one, and no other', () => {
      const expected = [...textsOf('en').keys()];
      assert.deepEqual([...texts.keys()].toSorted(), expected.toSorted());
      for (const [place, text] of texts) {
        if (!nameless.test(place)) assert.match(text, /\p{Script=Cyrillic}/u, place);
      }
    });

    test('is written in the letters of the language, and no word mixes scripts', () => {
      for (const [place, text] of texts) {
        for (const letter of text.match(/\p{Script=Cyrillic}/gu) ?? []) assert.match(letter, letters, place);
        assert.doesNotMatch(
          text,
          /\p{Script=Latin}\p{Script=Cyrillic}|\p{Script=Cyrillic}\p{Script=Latin}/u,
          place,
        );
      }
    });

    test('has a title and a label for nothing twice in the same map', () => {
      const graph = describeGraph(language);
      const titles = [...graph.slots, ...graph.nodes].map(({ title }) => title);
      assert.equal(new Set(titles).size, titles.length);
      for (const { classes, group } of graph.slots) assertDifferent(group, classes ?? []);
      for (const { legend, group } of graph.nodes) assertDifferent(group, legend.entries);
    });
  });
}

test('a node is read in two sentences, in each language', () => {
  for (const language of ['en', 'ru', 'kk'] as const) {
    for (const { code, reading } of describeGraph(language).nodes) {
      assert.equal(sentences(reading).length, 2, `${language} ${code}: ${reading}`);
    }
  }
});

test('numbers of a ramp are written as the language writes them, with its unit', () => {
  const labelsOf = (language: 'en' | 'ru' | 'kk', code: string) =>
    describeGraph(language)
      .nodes.find((node) => node.code === code)
      ?.legend.entries.map(({ label }) => label);
  assert.deepEqual(labelsOf('en', '14')?.slice(0, 2), ['0 t/ha/yr', '8.4 t/ha/yr']);
  assert.deepEqual(labelsOf('ru', '14')?.slice(0, 2), ['0 т/га/год', '8,4 т/га/год']);
  assert.deepEqual(labelsOf('kk', '14')?.slice(0, 2), ['0 т/га/жыл', '8,4 т/га/жыл']);
  assert.deepEqual(labelsOf('ru', '03'), ['0', '0,25', '0,5', '0,75', '1']);
  assert.deepEqual(labelsOf('kk', '01')?.at(-1), '60 %');
});

test('the English words are those that stand in the graph', () => {
  const { slots, nodes: described, sectors } = describeGraph('en');
  assert.deepEqual(
    slots.map(({ title, unit }) => [title, unit]),
    leaves.map(({ title, unit }) => [title, unit]),
  );
  assert.deepEqual(
    described.map(({ title, unit, legend }) => [title, unit, legend]),
    nodes.map(({ output, legend }) => [output.title, output.unit, legend]),
  );
  assert.deepEqual(
    sectors.map(({ title }) => title),
    ['Irrigation', 'Snow retention', 'Crop', 'Pasture', 'Tourism'],
  );
});

/** Returns names and descriptions by code. */
function withoutCodes({ category, groups = [] }: Partial<NonNullable<LandscapeGraph['catalogue']>> = {}) {
  return [category, ...groups].map((each) => ({ name: each?.name, description: each?.description }));
}

function assertDifferent(group: string, entries: readonly { readonly label: string }[]): void {
  const labels = entries.map(({ label }) => label);
  assert.equal(new Set(labels).size, labels.length, group);
}
