import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readProjectFile } from '../support/project.ts';
import { sourceFiles, sourceFilesOf } from '../support/source-tree.ts';
import { slices } from './order.ts';

const document = readProjectFile('ARCHITECTURE.md');
const known = new Set([...sourceFiles, ...sourceFilesOf('common')]);

/** Returns the text of a section, up to the next heading of its level. */
function section(title: string): string {
  const [, text] = document.split(`\n## ${title}\n`);
  assert.ok(text !== undefined, `ARCHITECTURE.md has a section ${title}`);
  return text.split('\n## ', 1)[0] ?? '';
}

test('each journey has a picture that names files of the tree', () => {
  const pictures = [...section('Journeys').matchAll(/^### (?<title>[^\n]+)\n\n```\n(?<picture>[^`]+)```/gm)];
  const journeys = [
    'A request',
    'A file',
    'A range of a COG',
    'A table by KATO',
    'A run',
    'A tile of a run',
    'A file in pieces',
    'A run over many workers',
  ];
  for (const title of journeys) {
    const picture = pictures.find(({ groups }) => groups?.['title'] === title)?.groups?.['picture'];
    const named = [...(picture ?? '').matchAll(/[\w/-]+\.ts\b/g)].map(([path]) =>
      path.startsWith('common/') ? path : `src/${path}`,
    );
    assert.ok(named.length >= 5, `${title} names ${named.length} files`);
    assert.deepEqual(
      named.filter((path) => !known.has(path)),
      [],
      title,
    );
  }
});

test('each question leads to a file that is there and to a name that the file exports', () => {
  const rows = [
    ...section('Index of questions').matchAll(/^\| [^|]+\? \| `(?<file>[^`]+)` \| `(?<name>\w+)` \|$/gm),
  ];
  assert.ok(rows.length >= 15, `${rows.length} questions`);
  for (const { groups: { file = '', name = '' } = {} } of rows) {
    assert.ok(known.has(file), file);
    assert.match(
      readProjectFile(file),
      new RegExp(`^export (?:async )?(?:function|const|class) ${name}\\b`, 'm'),
    );
  }
});

test('the table of the slices has them in their order', () => {
  const [table = ''] = section('The order of the slices').split('\n\nWithin ');
  const named = [...table.matchAll(/`(?:src\/)?(?<slice>common|[a-z-]+(?:\.ts)?)\/?`/g)].flatMap(
    ({ groups }) => groups?.['slice'] ?? [],
  );
  const inOrder = named.filter(
    (name) => (slices.includes(name) && table.includes(`src/${name}`)) || name === 'common',
  );
  assert.deepEqual([...new Set(inOrder)], slices);
});

test('the glossary defines each term once, in order', () => {
  const terms = [...section('Glossary').matchAll(/^\| (?<term>[a-z]+) \| \S/gm)].map(([, term = '']) => term);
  assert.ok(terms.length >= 20);
  assert.deepEqual(terms, [...new Set(terms)].toSorted());
});
