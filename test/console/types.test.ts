import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeTypes } from '../../scripts/console/types.ts';
import { readProjectFile } from '../support/project.ts';

const withoutLayout = (text: string): string => text.replaceAll(/[\s|;(),]+/g, '').replaceAll('"', "'");

test('the console has the types of the service’s answers as they are', () => {
  for (const [file, types] of Object.entries(describeTypes())) {
    const stored = readProjectFile(`console/src/service/${file}`);
    assert.equal(withoutLayout(stored), withoutLayout(types), 'run npm run console-types');
  }
});
