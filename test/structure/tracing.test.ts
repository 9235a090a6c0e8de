import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readProjectFile } from '../support/project.ts';
import { sourceFiles } from '../support/source-tree.ts';

const sdk = 'src/tracing/opentelemetry.ts';

/** Files that name one of these modules in an import, also for types. */
const namers = (pattern: RegExp): readonly string[] =>
  sourceFiles.filter((file) => pattern.test(readProjectFile(file)));

test('one file imports OpenTelemetry, and that file is loaded only with import()', () => {
  assert.deepEqual(namers(/['"]@opentelemetry\//), [sdk]);
  assert.deepEqual(namers(/['"][^'"]*\/opentelemetry\.ts['"]/), ['src/runtime/tracing.ts']);
  assert.deepEqual(namers(/\bfrom\s+['"][^'"]*\/opentelemetry\.ts['"]/), []);
});

test('no child program makes spans: it has no network, and its answer is not trusted', () => {
  const children = sourceFiles.filter((file) =>
    /^src\/(?:geo\/(?:child|formats|gdal)|landscape\/compute\/child)\//.test(file),
  );
  assert.ok(children.length > 40);
  assert.deepEqual(
    children.filter((file) => /\/tracing\//.test(readProjectFile(file))),
    [],
  );
});
