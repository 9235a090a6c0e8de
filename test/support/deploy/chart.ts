import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildGoProgram, type GoProgram, goProgramPath } from '../tools/go-programs.ts';
import { projectRoot } from '../project.ts';
import { installPythonTools } from '../tools/python-tools.ts';

const run = promisify(execFile);
const chart = join(projectRoot, 'deploy/chart');
const helm: GoProgram = { name: 'helm', version: '3.22.0', source: 'helm.sh/helm/v3/cmd/helm', goMinor: 26 };
/** The oldest Kubernetes that Chart.yaml allows, and a recent one. */
export const kubernetesVersions = ['1.27.0', '1.37.0'] as const;
type KubernetesVersion = (typeof kubernetesVersions)[number];

/** A manifest that the chart renders. */
export interface Manifest {
  readonly kind: string;
  readonly text: string;
}

/** Installs helm and the validators of Kubernetes and Compose unless they are installed; later they need no internet. */
export async function openChartTools() {
  await buildGoProgram(helm, (what) => console.log(what));
  const python = installPythonTools({
    name: 'validators',
    packages: ['kubernetes-validate==1.37.0', 'check-jsonschema==0.39.0'],
  });
  const program = goProgramPath(helm);
  return {
    /**
     * @param settings in the form of `--set`
     * @throws {Error} with the message of helm
     */
    async lint(settings: readonly string[], version: KubernetesVersion): Promise<void> {
      await run(program, ['lint', '--strict', '--quiet', ...options(settings, version), chart]);
    },
    /**
     * Renders the chart.
     * @throws {Error} with the message of helm
     */
    async render(
      settings: readonly string[],
      version: KubernetesVersion = '1.37.0',
    ): Promise<readonly Manifest[]> {
      const { stdout } = await run(program, ['template', ...options(settings, version), 'field', chart]);
      return stdout
        .split(/^---$/m)
        .map((text) => ({ text, kind: /^kind: (?<kind>\w+)$/m.exec(text)?.groups?.['kind'] ?? '' }))
        .filter(({ kind }) => kind !== '');
    },
    /**
     * Validates manifests against the strict schemas of a Kubernetes version, which allow no unknown property.
     * @throws {Error} with the findings
     */
    async validate(manifests: readonly Manifest[], version: KubernetesVersion): Promise<void> {
      const text = manifests.map((each) => each.text).join('---\n');
      await withFile(text, (path) => {
        prove(join(python, 'kubernetes-validate'), ['--strict', '-k', version, path]);
      });
    },
    /**
     * Validates a file against the schema of Compose.
     * @throws {Error} with the findings
     */
    validateCompose(path: string): void {
      const schema = ['--builtin-schema', 'vendor.compose-spec'];
      prove(join(python, 'check-jsonschema'), [...schema, join(projectRoot, path)]);
    },
  };
}

function options(settings: readonly string[], version: KubernetesVersion): readonly string[] {
  return ['--kube-version', version, ...settings.flatMap((setting) => ['--set', setting])];
}

/**
 * Runs a validator.
 * @throws {Error} with its findings, which it also prints
 */
function prove(validator: string, args: readonly string[]): void {
  const { status, stdout } = spawnSync(validator, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stdout);
}

async function withFile(text: string, use: (path: string) => void): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'steppe-chart-'));
  try {
    const path = join(folder, 'manifests.yaml');
    await writeFile(path, text);
    use(path);
  } finally {
    await rm(folder, { recursive: true });
  }
}
