import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import type { X509Certificate } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { conclusionOf, recompute, type Recomputed } from '../landscape/dossier/verification/recompute.ts';
import { bytesOf, type FileBytes } from '../landscape/dossier/read-archive.ts';
import { readCertificates } from '../landscape/dossier/trust.ts';
import { type Outcome, type Verified, verifyDossier } from '../landscape/dossier/verification/verify.ts';
import { codeOf } from '../lib/error-facts.ts';
import { dossierFailures, dossierWords } from '../messages/runs/english.ts';
import { usageMistakes } from '../messages/service/english.ts';
import { openEngines } from '../runtime/engines.ts';
import { type CommandContext, defineCommand } from './command.ts';
import { UsageError } from './options.ts';

const usage = `Usage: ./steppe verify FILE [--trust CERTIFICATE] [--recompute]

Examines every byte of a dossier (GET /landscape/runs/{id}/dossier.zip), names each member that was changed, added, renamed or is
missing, and reports what its signature covers. Needs neither a database nor a network.

  --trust CERTIFICATE   a file with certificates, in PEM or DER, of signers or of their issuers: the name in a signature is trusted
                        if one of them vouches for it
  --recompute           computes all outputs from the inputs of the dossier again, and compares them bit for bit; it takes a
                        download with inputs, and room for them and the outputs in the folder for temporary files

Ends with  0  signed completely, by a certificate that you trust
           1  changed, not matching its signature, or with an output that differs
           3  consistent but not signed: nothing shows who made it
           4  signed in part
           5  not checked completely: an unknown algorithm, an expired certificate, a newer form, a file that was packed again
           6  signed completely, but nothing shows whose key it is: give --trust`;

const statuses: Readonly<Record<Outcome, number>> = {
  holds: 0,
  does_not_hold: 1,
  not_signed: 3,
  not_covered: 4,
  not_checked: 5,
  not_vouched: 6,
};
const mostFaults = 20;

/** Verifies a dossier and prints the result. The exit code reports how much was proved. */
export const verify = defineCommand({
  name: 'verify',
  summary: 'examine a dossier of a run, and its signature',
  usage,
  isQuiet: true,
  options: { recompute: { type: 'boolean' }, trust: { type: 'string' } },
  maxArguments: 1,
  async run(context) {
    const [path] = context.positionals;
    if (path === undefined) throw new UsageError(usageMistakes.noDossier);
    const { trust, recompute: isAgain = false } = context.values;
    const trusted = trust === undefined ? undefined : await certificatesIn(trust);
    await using opened = await open(path).catch((cause: unknown) => {
      throw new Error(dossierFailures.noFile(path, codeOf(cause) ?? ''), { cause });
    });
    const file = await bytesOf(opened);
    const verified = await verifyDossier(file, { signal: context.shutdown, trusted });
    say(reportLines(verified));
    const status = statuses[verified.outcome];
    if (!isAgain || verified.outcome === 'does_not_hold' || verified.manifest === undefined) return status;
    return (await computeAgain(context, verified, file)) ? status : statuses.does_not_hold;
  },
});

async function certificatesIn(path: string): Promise<readonly X509Certificate[]> {
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw new Error(dossierFailures.noFile(path, codeOf(cause) ?? ''), { cause });
  });
  const certificates = readCertificates(bytes);
  if (certificates === undefined) throw new Error(dossierFailures.noCertificate(path));
  return certificates;
}

/** Computes all outputs again and prints which are equal. Returns true if none differs. */
async function computeAgain(
  { config, log, shutdown: signal }: CommandContext,
  verified: Verified,
  file: FileBytes,
): Promise<boolean> {
  const engines = await openEngines(config, log);
  const { workerConcurrency: computeWorkers, landscapeMaxPixels: maxPixels } = config;
  const scratch = await mkdtemp(join(tmpdir(), 'steppe-verify-'));
  try {
    const onOutput = (output: Recomputed) => say([lineOf(output)]);
    const work = { verified, file, scratch, signal, onOutput };
    const outputs = await recompute({ engines, computeWorkers, maxPixels }, work);
    const known = outputs.filter(({ expected }) => expected !== null);
    const differing = known.filter(({ sha256, expected }) => sha256 !== expected);
    const { version, proj } = engines.geo;
    say(conclusionOf(verified.manifest, { known, differing, here: `${version}, PROJ ${proj}` }));
    return differing.length === 0;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

function reportLines(verified: Verified): readonly string[] {
  const { faults, unchecked, manifest, manifestSha256, contents, members, over, signers } = verified;
  if (faults.length > 0)
    return [
      ...faults.slice(0, mostFaults),
      ...(faults.length > mostFaults ? [dossierWords.moreFaults(faults.length - mostFaults)] : []),
      dossierWords.doesNotHold,
    ];
  if (manifest === undefined) return [...unchecked, dossierWords.notChecked];
  const makers = manifest.nodes.map(({ made_by: { steppe, gdal, proj } }) =>
    [steppe && `Steppe ${steppe}`, gdal, proj && `PROJ ${proj}`].filter((each) => each !== null).join(', '),
  );
  return [
    dossierWords.fits(members.size, manifest.run.id),
    dossierWords.manifest(manifestSha256 ?? ''),
    dossierWords.made([...new Set(makers)].filter((each) => each !== '')),
    ...(contents?.left_out ?? []).map(({ member, because }) => dossierWords.leftOut(member, because)),
    ...signers.filter(({ state }) => state !== 'not_checked').flatMap(linesOfSigner),
    ...(over === 'earlier manifest' ? [dossierWords.earlier] : []),
    ...unchecked,
    ...conclusion(verified),
  ];
}

function linesOfSigner({ signer, fingerprint = '' }: Verified['signers'][number]): readonly string[] {
  const { subject, issuer, serial, valid_from: from, valid_to: to, signed_at: at } = signer;
  return [
    dossierWords.signer({ subject: subject ?? '', serial, from: from ?? '', to: to ?? '', fingerprint }),
    dossierWords.issued(issuer, at),
  ];
}

function conclusion({ outcome, over, uncovered }: Verified): readonly string[] {
  const left = uncovered.length === 0 ? [] : [dossierWords.notCovered(foldersOf(uncovered))];
  switch (outcome) {
    case 'holds':
      return [dossierWords.holds];
    case 'not_vouched':
      return [dossierWords.notVouched];
    case 'not_signed':
      return [dossierWords.notSigned];
    case 'not_covered':
      return left;
    case 'not_checked':
      return [...left, ...(over === undefined ? [dossierWords.notSigned] : []), dossierWords.notChecked];
    case 'does_not_hold':
      return [dossierWords.doesNotHold];
    default:
      return outcome satisfies never;
  }
}

/** Returns the names with files of a folder replaced by the folder. */
function foldersOf(names: readonly string[]): readonly string[] {
  return [...new Set(names.map((name) => name.slice(0, name.indexOf('/') + 1) || name))];
}

function lineOf({ code, sha256, expected }: Recomputed): string {
  if (expected === null) return dossierWords.unknown(code, sha256);
  return sha256 === expected ? dossierWords.same(code) : dossierWords.differs(code, sha256);
}

function say(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
}
