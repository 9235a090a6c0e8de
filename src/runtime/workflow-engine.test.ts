import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadEnginePackage } from './workflow-engine.ts';

test('where the package of the workflow engine is not installed, the line to type is said', async () => {
  await assert.rejects(loadEnginePackage(new URL('nowhere/', import.meta.url)), {
    message: /^WORKFLOW_ENGINE_URL: .+ Type: npm run services -- --install temporal$/,
  });
});
