// The package of the workflow engine, which set-up does not install: `npm run services -- --install` and the image do.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withSetupLock } from './lock.mjs';
import { installPackages, node24 } from './modules.mjs';
import { root, run, step } from './step.mjs';

const folder = join(root, 'engines', 'temporal');
/** Written after a successful installation; contains the digest of its inputs. */
const stamp = join(folder, 'node_modules', '.steppe-installed');
const releases = join(folder, 'node_modules', '@temporalio', 'core-bridge', 'releases');

export const workflowSources = [
  join(folder, 'package-lock.json'),
  join(folder, 'workflow.ts'),
  join(root, 'src', 'landscape', 'spread', 'pass-workflow.ts'),
];

function wanted() {
  const hash = createHash('sha256');
  for (const path of workflowSources) hash.update(readFileSync(path)).update('\n');
  return `${hash.digest('hex')} ${process.platform}-${process.arch}`;
}

export function enginePackageIsInstalled() {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted();
}

/** Installs the package, removes native code of other platforms, and bundles the workflow. */
export async function installEnginePackage() {
  await withSetupLock(join(root, '.setup.lock'), async (lock) => {
    if (enginePackageIsInstalled()) return;
    await step('workflow engine (the package of Temporal)', async () => {
      const context = { lock };
      await installPackages(folder, context);
      const own = { x64: 'x86_64', arm64: 'aarch64' }[process.arch];
      for (const target of readdirSync(releases)) {
        if (target !== `${own}-unknown-linux-gnu`) rmSync(join(releases, target), { recursive: true });
      }
      const remedy = 'The lines above are those of the bundler.';
      await run(node24, [join(folder, 'bundle.ts')], { remedy, context });
      writeFileSync(stamp, wanted());
    });
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await installEnginePackage();
