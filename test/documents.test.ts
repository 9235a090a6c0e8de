import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { access, glob } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { z } from 'zod';
import { projectRoot, readProjectFile, settingNames } from './support/project.ts';

const find = async (pattern: string): Promise<string[]> =>
  (await Array.fromAsync(glob(pattern, { cwd: projectRoot }))).toSorted();
const exists = async (path: string): Promise<boolean> =>
  await access(join(projectRoot, path)).then(
    () => true,
    () => false,
  );

const documents = await find('{*.md,{docs,examples,seeds,test}/**/*.md}');
const ownPath = /`((?:src|console\/src|test|bench|scripts|docs|examples|seeds)\/[^`\s]+)`/g;
const Package = z.object({ scripts: z.record(z.string(), z.string()) });

test('the table of settings names every variable of the configuration, and no other', () => {
  const [, table = ''] = readProjectFile('docs/operations.md').split('\n| Variable | Default | Meaning |\n');
  const rows = table.split('\n\n', 1)[0]?.matchAll(/^\| ((?:`[A-Z_]+`(?:, )?)+) \|/gm) ?? [];
  const told = [...rows].flatMap(([, names = '']) => names.replaceAll('`', '').split(', '));
  const known = settingNames();
  assert.ok(known.length > 15, 'the variables were found');
  assert.deepEqual(told.toSorted(), known.toSorted());
});

test('every command that a document names is there, and runs with any Node that set-up takes', async () => {
  const { scripts } = Package.parse(JSON.parse(readProjectFile('package.json')));
  const help = await promisify(execFile)(process.execPath, ['src/main.ts', 'help'], { cwd: projectRoot });
  const commands = [...help.stdout.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name);
  for (const document of documents) {
    const text = readProjectFile(document);
    for (const [line, name = ''] of text.matchAll(/\bnpm run ([a-z:-]+)/g)) {
      assert.ok(name in scripts, `${document}: ${line}`);
    }
    for (const [line, name = ''] of text.matchAll(/\.\/steppe ([a-z]+)/g)) {
      assert.ok(name === 'help' || commands.includes(name), `${document}: ${line}`);
    }
    assert.doesNotMatch(text, /\bnode (?:scripts|src|--test)/, document);
  }
});

test('every file that a document names is there', async () => {
  for (const document of documents) {
    const text = readProjectFile(document);
    for (const [, link = ''] of text.matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)) {
      assert.ok(await exists(join(dirname(document), link)), `${document}: ${link}`);
    }
    // A README of fixtures names paths in other repositories.
    const paths = document.startsWith('test/') ? [] : text.matchAll(ownPath);
    for (const [, path = ''] of paths) {
      assert.ok((await find(path.replace(/\/$/, ''))).length > 0, `${document}: ${path}`);
    }
  }
});

test('no document names a commit of the project, which may leave its history', () => {
  for (const document of documents) {
    assert.doesNotMatch(readProjectFile(document), /\b(?:at )?commit `?[0-9a-f]{7}\b/i, document);
  }
});

test('data has a README beside or above it that says its source and licence', async () => {
  const data = await find('{examples,seeds,test/fixtures}/**/*.{tif,geojson,geojsonl,gpkg,zip,sld,gz,csv}');
  assert.ok(data.length > 100);
  for (const folder of new Set(data.map((path) => dirname(path)))) {
    const above = ['.', '..', '../..', '../../..', '../../../..'].map((path) =>
      join(folder, path, 'README.md'),
    );
    const readme = (await Promise.all(above.map(exists))).indexOf(true);
    const text = readProjectFile(above[readme] ?? assert.fail(`${folder} has no README`));
    assert.match(text, /licen[cs]e|CC0/i, folder);
    assert.match(text, /source|repository|made for this project|own data/i, folder);
  }
});

test('whatever was copied under terms has its notice', () => {
  const notices = readProjectFile('THIRD-PARTY-NOTICES.md');
  const repositories = [...notices.matchAll(/\[([\w.-]+\/[\w.-]+)\]\(https:\/\/github\.com\//g)].map(
    ([, name = '']) => name,
  );
  assert.ok(repositories.length > 20);
  for (const name of ['MIT License', 'BSD 3-Clause License', 'BSD 2-Clause License', 'MIT-CMU License']) {
    assert.match(
      notices,
      new RegExp(`\n## ${name}\n[^#]*\n\`\`\`\n[^#]*(?:hereby granted|are permitted)`),
      name,
    );
  }
  for (const document of documents.filter((path) => /^(?:examples|seeds|test\/fixtures)\//.test(path))) {
    const rows = readProjectFile(document)
      .split('\n')
      .filter((line) => /^\|.*\b(?:MIT|BSD|Apache|CC.BY)\b/.test(line));
    for (const row of rows) {
      const isKnown = repositories.some((name) => row.includes(name)) || row.includes('the same, `');
      assert.ok(isKnown, `${document}: ${row}`);
    }
  }
});
