import assert from 'node:assert/strict';
import { cp, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { closeAfterTests, temporaryFolder } from './support/for-tests.ts';
import { documentLines, paste } from './support/tools/paste.ts';
import { projectRoot } from './support/project.ts';
import { startService } from './support/service.ts';
import { isLongTier } from './support/tier.ts';

/** `NAME=value … npm start`, and the lines for a second terminal. */
const [start, tokens = ''] = documentLines('docs/commands.md', 'sh', 'Access');
const [, firstUpload = ''] = documentLines('README.md', 'sh', 'Start');
const [firstMinute] = documentLines('docs/tutorial.md', 'sh', 'The first minute');
const [zoning] = documentLines('docs/tutorial.md', 'sh', 'A zoning');
const [describing] = documentLines('docs/connect.md', 'sh', 'Catalogues');
const [signing] = documentLines('docs/judging.md', 'sh', 'How to defend a result');
const [trial] = /openssl req [^`]+/.exec(await readFile(join(projectRoot, 'docs/judging.md'), 'utf8')) ?? [
  '',
];

const settings = [...start.matchAll(/(?<name>[A-Z_]+)=(?<value>\S+)/g)].map(
  ({ groups = {} }) => [groups['name'] ?? '', groups['value'] ?? ''] as const,
);

/** Creates a folder that looks like that of the project to a user in a terminal. */
async function openFolder(): Promise<string> {
  const folder = await temporaryFolder();
  await cp(join(projectRoot, 'examples'), join(folder, 'examples'), { recursive: true });
  await symlink(join(projectRoot, 'steppe'), join(folder, 'steppe'));
  return folder;
}

// Another test pastes the lines of the first minute to an open service in every run.
for (const { name, env, before } of [
  { name: 'that is open', env: {}, before: '' },
  { name: 'that requires tokens', env: Object.fromEntries(settings), before: tokens },
].filter(({ before }) => isLongTier || before !== '')) {
  test(`the lines of the documents do what they say on a service ${name}`, async () => {
    const service = await closeAfterTests(startService({ env }));
    const { port } = new URL(service.baseUrl);
    const place = {
      shell: 'bash',
      folder: await openFolder(),
      baseUrl: `http://127.0.0.1:${port}`,
      env: { DATA_DIR: service.dataDir },
    } as const;
    const shown = await paste(
      [before, firstUpload, describing.replace('datasets/ID/', 'datasets/$DATASET/'), firstMinute].join('\n'),
      place,
    );
    assert.match(shown, /"topic_category":"geoscientificInformation"/);
    assert.match(shown, /"kato_code":"110000000","start_date":"2023-12-31"/, shown);
    assert.doesNotMatch(shown, /"error"|"errors"|curl: \(/);
    assert.match(await readFile(join(place.folder, 'maps/rayony.geojson'), 'utf8'), /"Кокшетау"/);
    if (before !== '') assert.match(shown, /Field team/);
    if (!isLongTier) return;
    const all = before.replace('catalog:write', 'catalog:write,landscape:run');
    const signed = await paste(
      [all, `${zoning.trimEnd()} &&`, `${trial} 2> /dev/null`, signing].join('\n'),
      place,
    );
    assert.match(
      signed,
      /^The signature covers every member of this file, by a certificate that you trust/m,
      signed.slice(-4000),
    );
    assert.equal(signed.match(/^\d\d  the same, bit for bit$/gm)?.length, 19, signed);
  });
}
