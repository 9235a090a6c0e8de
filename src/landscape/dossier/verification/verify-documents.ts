import { z } from 'zod';
import { dossierFaults } from '../../../messages/runs/english.ts';
import { zoning } from '../../graph/zoning-inputs.ts';
import type { DossierManifest } from '../manifest-schema.ts';

/** The subject of a document; other releases may name fewer members. */
const Said = z.object({
  run_id: z.string().optional(),
  dataset_id: z.string().optional(),
  digest: z.string().nullish(),
  record: z.object({ run_id: z.string().optional() }).optional(),
});

/** Reads a whole member; undefined if it is missing or too large. */
type Read = (name: string) => Promise<Buffer | undefined>;

/** Returns the faults of documents about another run, or about datasets that are not in the manifest. */
export async function faultsOfDocuments(
  { run, inputs, nodes }: DossierManifest,
  memberNames: Iterable<string>,
  read: Read,
): Promise<readonly string[]> {
  const zones = nodes.find(({ code }) => code === zoning.code)?.output;
  const faults: string[] = [];
  for (const name of memberNames) {
    const bytes = isAboutRun.test(name) ? await read(name) : undefined;
    if (bytes === undefined) continue;
    if (name === 'report.html') {
      if (!bytes.includes(run.id)) faults.push(dossierFaults.otherRun(name));
      continue;
    }
    const said = Said.safeParse(parseJson(bytes.toString('utf8'))).data;
    const runId = said?.run_id ?? said?.record?.run_id;
    if (said === undefined) faults.push(dossierFaults.malformed(name));
    else if (runId !== undefined && runId !== run.id) faults.push(dossierFaults.otherRun(name));
    else if (name.startsWith('areas/') && !fits(said, { id: zones?.dataset_id, sha256: zones?.cog?.sha256 }))
      faults.push(dossierFaults.otherDataset(name));
    else if (name.startsWith('uploads/')) {
      const input = inputs.find(({ group }) => name === `uploads/${group}.json`);
      if (!fits(said, { id: input?.dataset_id, sha256: undefined }))
        faults.push(dossierFaults.otherDataset(name));
    }
  }
  return faults;
}

const isAboutRun = /^(?:report\.html|record\.json|(?:areas|balance|uploads)\/[^/]+\.json)$/;

interface Named {
  readonly id: string | undefined;
  readonly sha256: string | undefined;
}

function fits({ dataset_id: id, digest }: z.infer<typeof Said>, named: Named): boolean {
  const isSame = (said: string | null | undefined, known: string | undefined): boolean =>
    said === undefined || said === null || known === undefined || said === known;
  return named.id !== undefined && isSame(id, named.id) && isSame(digest, named.sha256);
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
