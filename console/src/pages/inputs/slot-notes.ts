import type { LandscapeGaps, LandscapePlan, LandscapeSlot } from '../../service/types.ts';
import { isEnd } from '../../service/follow-status.ts';
import type { Upload } from '../../uploads/uploads.ts';

type Input = LandscapePlan['inputs'][number];
type Finding = NonNullable<Input['findings']>[number];

/** A note on an input, beside the dataset that a run uses. */
export type Note =
  | { readonly kind: 'sending'; readonly name: string }
  /** The upload is being processed; `isNext` if a run uses it when it is ready. */
  | { readonly kind: 'inWork'; readonly name: string; readonly isNext: boolean }
  | {
      readonly kind: 'failed';
      readonly name: string;
      readonly id: string;
      readonly reason: string | undefined;
    }
  /** The upload is ready, but a run uses another one. */
  | { readonly kind: 'passedOver'; readonly name: string; readonly id: string; readonly taken: string }
  /** A pin takes precedence over the upload. */
  | { readonly kind: 'otherwise'; readonly name: string }
  /** The dataset that a run uses does not fit the input, or may not fit it. */
  | {
      readonly kind: 'finding';
      readonly name: Finding['code'];
      readonly severity: Finding['severity'];
      readonly text: string;
    }
  /** The dataset has holes: the share of the grid that it covers, and the share that gets no zone because of this input alone. */
  | { readonly kind: 'holes'; readonly name: string; readonly covered: number; readonly alone: number };

/** Notes on an input, from its plan, its slot and the uploads of this visit. */
export function notesOn(input: Input, slot: LandscapeSlot, uploads: readonly Upload[]): readonly Note[] {
  const { dataset, waiting, because } = input;
  const notes: Note[] = [];
  if (waiting !== null) {
    const { id, name, status } = waiting;
    const upload = uploads.find((each) => each.state === 'sent' && each.datasetId === id);
    const reason = upload?.state === 'sent' ? (upload.parseError ?? undefined) : undefined;
    if (status === 'failed') notes.push({ kind: 'failed', id, name, reason });
    else if (!isEnd(status)) notes.push({ kind: 'inWork', name, isNext: because !== 'pinned' });
  }
  for (const upload of uploads) {
    if (upload.slot?.code !== slot.code) continue;
    const name = upload.file.name.replace(/\.[^.]+$/, '');
    if (upload.state === 'checking' || upload.state === 'queued' || upload.state === 'sending')
      notes.push({ kind: 'sending', name: upload.file.name });
    if (upload.state !== 'sent' || upload.datasetId === dataset?.id || upload.datasetId === waiting?.id)
      continue;
    const { datasetId: id, status, parseError } = upload;
    if (status === 'failed') notes.push({ kind: 'failed', id, name, reason: parseError ?? undefined });
    else if (!isEnd(status)) notes.push({ kind: 'inWork', name, isNext: false });
    else if (because === 'later_end_date' && dataset !== null)
      notes.push({ kind: 'passedOver', id, name, taken: dataset.name });
  }
  const { latest } = slot;
  if (because === 'pinned' && latest?.status === 'ready' && latest.id !== dataset?.id)
    notes.push({ kind: 'otherwise', name: latest.name });
  return notes;
}

/** The most severe finding about the dataset that a run uses; undefined without findings. */
export function severityOf({ findings = [] }: Input): Finding['severity'] | undefined {
  const severities = ['stops', 'warns', 'waits'] as const;
  return severities.find((severity) => findings.some((finding) => finding.severity === severity));
}

/** Returns true if a run can start with the dataset that it uses. */
export function isUsable(input: Input): boolean {
  return input.dataset !== null && severityOf(input) !== 'stops';
}

/** Notes on the findings about the dataset that a run uses; the note on holes is more precise about coverage. */
export function findingsOn(input: Input, gaps: LandscapeGaps | undefined): readonly Note[] {
  const hasHoles = holesOf(input, gaps).length > 0;
  return (input.findings ?? [])
    .filter(({ code }) => code !== 'little_overlap' || !hasHoles)
    .map(({ code, severity, message }) => ({ kind: 'finding', name: code, severity, text: message }));
}

/** The note on the holes of the dataset that a run uses; none if it covers the whole grid. */
export function holesOf(input: Input, gaps: LandscapeGaps | undefined): readonly Note[] {
  const hole = gaps?.inputs.find(({ group }) => group === input.group);
  if (gaps === undefined || hole === undefined || hole.missing_ha <= 0 || gaps.grid_ha <= 0) return [];
  // The estimate may be for a previous dataset.
  if (hole.dataset_id !== input.dataset?.id) return [];
  const [covered, alone] = [1 - hole.missing_ha / gaps.grid_ha, hole.alone_ha / gaps.grid_ha];
  return [{ kind: 'holes', name: input.group, covered, alone }];
}

type Dated = Pick<NonNullable<Input['dataset']>, 'id' | 'end_date' | 'status' | 'file_type'>;

/** The reason why a run does not use a dataset of a slot; undefined for the one that it uses, and without a plan. */
export function whyNot(
  dataset: Dated,
  input: Input | undefined,
): 'later' | 'newer' | 'pinned' | 'waiting' | 'failed' | 'type' | undefined {
  if (dataset.status === 'failed') return 'failed';
  if (dataset.file_type !== 'raster') return 'type';
  if (dataset.status !== 'ready') return 'waiting';
  const taken = input?.dataset ?? undefined;
  if (input === undefined || taken === undefined || taken.id === dataset.id) return undefined;
  if (input.because === 'pinned') return 'pinned';
  return taken.end_date === dataset.end_date ? 'newer' : 'later';
}
