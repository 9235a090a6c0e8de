import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { closeAfterTests } from '../../support/for-tests.ts';
import { createLandscapeClient } from '../../support/landscape/landscape.ts';
import { installNodeTool } from '../../support/tools/node-tools.ts';
import { projectRoot } from '../../support/project.ts';
import { installPythonTools } from '../../support/tools/python-tools.ts';
import { startService } from '../../support/service.ts';

const run = promisify(execFile);
const sdk = installNodeTool('@modelcontextprotocol/sdk', '1.32.2');
const python = installPythonTools({ name: 'mcp', packages: ['mcp==2.3.0'] });
const { baseUrl } = await closeAfterTests(startService({ env: { MCP: 'on' } }));
const client = createLandscapeClient(baseUrl);
await client.fillAll();
await client.run();
const rasters = (await client.json<{ total: number }>('/datasets?file_type=raster&status=ready')).body.total;
const env = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' };

for (const way of ['http', 'stdio']) {
  test(`the official SDK finds, explains, weighs and plans over ${way}`, async () => {
    const args = [join(import.meta.dirname, 'sdk-program.mjs'), sdk, way, baseUrl];
    const { stdout } = await run(process.execPath, args, { cwd: projectRoot, env });
    const { tools, sentence, ...seen } = JSON.parse(stdout);
    assert.equal(tools.length, 10);
    assert.match(sentence, /[а-я]/);
    assert.deepEqual(seen, { server: 'steppe', found: rasters, unit: 'ha', nodes: 19, refused: true });
  });
}

test('the Python SDK, which asks for a newer version first, agrees on one that both have', async () => {
  const { stdout } = await run(
    join(python, 'python'),
    [join(import.meta.dirname, 'python-program.py'), baseUrl],
    { env },
  );
  const { version, tools, found } = JSON.parse(stdout);
  assert.deepEqual([version, tools.length, found], ['2025-11-25', 10, rasters]);
});
