import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { programsOf } from './programs.ts';
import { qgisFiles } from './qgis-files.ts';
import { baseOf, type Subject } from './subject.ts';

const base = 'https://maps.example/steppe';
const id = '7b0f9c52-3c1e-4f0a-9d55-1f6f4d1b2a10';
const at = `${base}/datasets/${id}`;
const service: Subject = { kind: 'service', id: '', name: 'All', base, hasTokens: true, maps: [] };
const raster: Subject = {
  ...service,
  kind: 'dataset',
  id,
  name: 'Soils <1987> & "more"',
  type: 'raster',
  maps: [{ name: 'Soils <1987> & "more"', address: at }],
};
const subjects: readonly Subject[] = [
  service,
  raster,
  { ...raster, type: 'vector', maps: [] },
  { ...raster, type: 'vector_with_kato', maps: [] },
  { ...raster, kind: 'group', type: undefined },
  { ...raster, kind: 'run', type: undefined },
];

describe('the programs that can be connected', () => {
  test('are those that can do something with it', () => {
    const keys = subjects.map((subject) =>
      programsOf(subject)
        .map(({ key }) => key)
        .join(' '),
    );
    assert.deepEqual(keys, [
      'qgis arcgis python r catalogues assistants',
      'qgis arcgis python r web catalogues',
      'qgis arcgis python r web catalogues',
      'qgis arcgis python r web catalogues',
      'qgis arcgis web',
      'qgis python r',
    ]);
  });

  test('have whole addresses of the service, and no token in any of them', () => {
    for (const subject of subjects)
      for (const { addresses, files, snippet } of programsOf(subject)) {
        const texts = [...addresses.map(({ url }) => url), ...files.map(({ text }) => text), snippet ?? ''];
        for (const url of texts.flatMap((text) => text.match(/https?:[^\s"'`<>]+/g) ?? []))
          assert.ok(/^https:\/\/maps\.example\/steppe|^https%3A/.test(url), url);
        assert.doesNotMatch(texts.join('\n'), /[?&](?:access_)?token=|undefined/i);
      }
  });

  test('ask for a token only where the service does', () => {
    const [open, closed] = [false, true].map((hasTokens) =>
      subjects.map((subject) => JSON.stringify(programsOf({ ...subject, hasTokens }))).join('\n'),
    );
    assert.doesNotMatch(open ?? '', /token/i);
    assert.match(closed ?? '', /STEPPE_TOKEN/);
  });
});

test('files of QGIS are XML whatever a map is called', () => {
  const [layers, xyz] = qgisFiles(raster);
  assert.match(layers?.text ?? '', /name="Soils &lt;1987&gt; &amp; &quot;more&quot;"/);
  assert.match(layers?.text ?? '', /url=https%3A%2F%2Fmaps\.example%2Fsteppe%2Fdatasets%2F[^&]+%7Bz%7D/);
  assert.match(xyz?.text ?? '', /url="https:\/\/maps\.example\/steppe\/datasets\/[^"]+\{y\}\.png"/);
});

test('the address of the service is that of the page without its state', () => {
  assert.deepEqual(
    [
      'http://localhost:8080/#/connect?x=1',
      'https://maps.example/steppe/#/',
      'https://maps.example/steppe/index.html',
    ].map(baseOf),
    ['http://localhost:8080', base, base],
  );
});
