import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DossierSigner } from '../landscape/dossier/dossier-schema.ts';
import { recompute, type Recomputed } from '../landscape/dossier/recompute.ts';
import { bytesOf } from '../landscape/dossier/read-archive.ts';
import { type Verified, verifyDossier } from '../landscape/dossier/verify.ts';
import { codeOf } from '../lib/error-facts.ts';
import { dossierFailures, dossierWords } from '../messages/dossier.ts';
import { usageMistakes } from '../messages/service.ts';
import { openEngines } from '../runtime/engines.ts';
import { type CommandContext, defineCommand } from './command.ts';
import { UsageError } from './options.ts';

const usage = `Usage: ./steppe verify FILE [--recompute]

Proves every byte of a dossier (GET /landscape/runs/{id}/dossier.zip) and names what was changed, added, renamed or is missing. Needs
neither a database nor a network. Ends with 1 when something is not as it was.

  --recompute   computes all outputs from the inputs of the dossier again, and compares them bit for bit; it takes a download
                with inputs, and room for them and the outputs in the folder for temporary files`;

/** Prints what a dossier proves; 1 when it does not. */
export const verify = defineCommand({
  name: 'verify',
  summary: 'prove a dossier of a run',
  usage,
  isQuiet: true,
  options: { recompute: { type: 'boolean' } },
  maxArguments: 1,
  async run(context) {
    const [path] = context.positionals;
    if (path === undefined) throw new UsageError(usageMistakes.noDossier);
    await using opened = await open(path).catch((cause: unknown) => {
      throw new Error(dossierFailures.noFile(path, codeOf(cause) ?? ''), { cause });
    });
    const file = await bytesOf(opened);
    const verified = await verifyDossier(file, context.shutdown);
    say(linesOf(verified));
    if (verified.faults.length > 0) return 1;
    if (context.values.recompute === true) {
      const scratch = await mkdtemp(join(tmpdir(), 'steppe-verify-'));
      try {
        const work = { verified, file, scratch, onOutput: (output: Recomputed) => say([lineOf(output)]) };
        const outputs = await computeAgain(context, work);
        const differing = outputs.filter(({ sha256, expected }) => expected !== null && sha256 !== expected);
        say([
          differing.length > 0
            ? dossierWords.differing(differing.length)
            : dossierWords.allSame(outputs.length),
        ]);
        if (differing.length > 0) return 1;
      } finally {
        await rm(scratch, { recursive: true, force: true });
      }
    }
    say([dossierWords.proves]);
    return 0;
  },
});

async function computeAgain(
  { config, log, shutdown: signal }: CommandContext,
  work: Omit<Parameters<typeof recompute>[1], 'signal'>,
): Promise<readonly Recomputed[]> {
  const engines = await openEngines(config, log);
  const { workerConcurrency: computeWorkers, landscapeMaxPixels: maxPixels } = config;
  return await recompute({ engines, computeWorkers, maxPixels }, { ...work, signal });
}

function linesOf({
  faults,
  manifest,
  manifestSha256,
  contents,
  members,
  signers,
  isOlderSigned,
}: Verified): string[] {
  if (faults.length > 0 || manifest === undefined) return [...faults];
  const makers = manifest.nodes.map(({ made_by: { steppe, gdal, proj } }) =>
    [steppe && `Steppe ${steppe}`, gdal, proj && `PROJ ${proj}`].filter((each) => each !== null).join(', '),
  );
  return [
    dossierWords.whole(members.size, manifest.run.id),
    dossierWords.manifest(manifestSha256 ?? ''),
    dossierWords.made([...new Set(makers)].filter((each) => each !== '')),
    ...(contents?.left_out ?? []).map(({ member, because }) => dossierWords.leftOut(member, because)),
    ...(signers.length === 0 ? [dossierWords.unsigned] : signers.map(lineOfSigner)),
    ...(isOlderSigned ? [dossierWords.older] : []),
  ];
}

function lineOfSigner({ subject, issuer, serial, digest, signature }: DossierSigner): string {
  const who = dossierWords.signer(subject ?? issuer, serial);
  if (digest === 'right' && signature === 'right') return `${who}: ${dossierWords.signedRight}.`;
  return `${who}: ${digest === 'right' ? dossierWords.digestRight : dossierWords.notVerified}.`;
}

function lineOf({ code, sha256, expected }: Recomputed): string {
  if (expected === null) return dossierWords.unknown(code, sha256);
  return sha256 === expected ? dossierWords.same(code) : dossierWords.differs(code, sha256);
}

function say(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
}
