/** `npm run font`: generates the font of drawn maps with `scripts/font.py`. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPythonTools } from '../test/support/tools/python-tools.ts';

const folder = installPythonTools({
  name: 'fonttools',
  packages: ['fonttools==4.68.0', 'brotli==1.2.1'],
});
const { status } = spawnSync(join(folder, 'python'), [fileURLToPath(new URL('font.py', import.meta.url))], {
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
