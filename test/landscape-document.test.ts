import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { describeLandscape } from '../scripts/landscape/document.ts';
import { drawLandscape } from '../scripts/landscape/drawing.ts';
import { exampleNode } from '../scripts/landscape/example.ts';
import { openData } from '../scripts/landscape/open-data.ts';
import { nodes } from '../src/landscape/graph/graph.ts';
import { leaves } from '../src/landscape/model/leaves.ts';
import { copyProject } from './support/tools/clones.ts';
import { temporaryFolder } from './support/for-tests.ts';
import { readProjectFile } from './support/project.ts';

const copy = await temporaryFolder();

test('the page and its drawing are what `npm run docs` writes', () => {
  assert.equal(readProjectFile('docs/landscape.md'), describeLandscape());
  assert.equal(readProjectFile('docs/landscape.svg'), drawLandscape());
});

test('every slot says where its data is to be had, and nothing else does', () => {
  assert.deepEqual(Object.keys(openData).toSorted(), leaves.map(({ key }) => key).toSorted());
  for (const data of Object.values(openData)) assert.ok(data.length > 0);
});

test('every node says its formula and its source, and is drawn', () => {
  const drawing = drawLandscape();
  for (const { code, formula, source } of nodes) {
    assert.match(formula, /\.$/, code);
    assert.match(source, /\.$/, code);
    assert.ok(drawing.includes(`>${code}</text>`), code);
  }
});

test('the links of the page lead to its headings', () => {
  const page = describeLandscape();
  const anchors = Array.from(page.matchAll(/^#+ (.+)$/gm), ([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
  const links = Array.from(page.matchAll(/\]\(#([^)]+)\)/g), ([, anchor]) => anchor);
  assert.ok(links.length > 100);
  for (const link of links) assert.ok(link !== undefined && anchors.includes(link), link);
});

test('a new node is one file and one line: the example of the page', async () => {
  assert.ok(!nodes.some(({ code }) => code === '06'), 'the example has a code of its own');
  await copyProject(copy, ['common', 'src', 'scripts', 'package.json']);
  const graph = join(copy, 'src/landscape/graph');
  await writeFile(join(graph, 'kernels', exampleNode.file), exampleNode.text);
  await appendFile(join(graph, 'nodes.ts'), exampleNode.line);
  await writeFile(
    join(copy, 'ask.ts'),
    `import { describeLandscape } from './scripts/landscape/document.ts';
import { nodeByCode, nodes } from './src/landscape/graph/graph.ts';
import { legendSld } from './src/landscape/groups/results.ts';
const node = nodeByCode('06');
const output = new Float32Array(2);
const rasters = { precipitation: Float32Array.of(300, -9999), pet: Float32Array.of(900, 900), '06': output };
node.evaluate({ floats: ({ key }) => rasters[key] }, {});
console.log(JSON.stringify({
  codes: nodes.map(({ code }) => code).slice(4, 7),
  group: node.output.group,
  values: [...output],
  hasLegend: legendSld(node).includes('500 mm/yr'),
  isDescribed: describeLandscape().includes('#### 06 Climatic water balance, mm/yr'),
}));`,
  );
  const { stdout } = await promisify(execFile)(process.execPath, ['ask.ts'], { cwd: copy });
  assert.deepEqual(JSON.parse(stdout), {
    codes: ['05', '06', '11'],
    group: 'landscape-06-water-balance',
    values: [-600, -9999],
    hasLegend: true,
    isDescribed: true,
  });
});
