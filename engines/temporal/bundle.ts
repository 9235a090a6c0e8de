/** Bundles the workflow into one JavaScript file, once during set-up: `node engines/temporal/bundle.ts`. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { workflowSources } from '../../scripts/setup/engine-package.mjs';

export const workflowBundlePath = pathOf('node_modules/.steppe-workflow.cjs');

/** Returns a digest of the workflow and of its SDK, the same on every machine. */
export function workflowDigest(): string {
  const hash = createHash('sha256');
  for (const source of workflowSources) hash.update(readFileSync(source)).update('\n');
  return hash.digest('hex').slice(0, 12);
}

async function makeBundle(): Promise<void> {
  const { bundleWorkflowCode } = await import('@temporalio/worker');
  const { code } = await bundleWorkflowCode({ workflowsPath: pathOf('workflow.ts') });
  await writeFile(workflowBundlePath, code);
}

function pathOf(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await makeBundle();
