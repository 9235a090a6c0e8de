import { useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import { address, hrefOf } from '../../address/address.ts';
import { formatNumber } from '../../../../common/formats/numbers.ts';
import { Freshness } from '../../parts/freshness.tsx';
import { OriginOf } from '../../parts/origin.tsx';
import { Status } from '../../parts/signs.tsx';
import { may } from '../../service/capabilities.ts';
import type { LandscapeGraph, LandscapeSlot } from '../../service/types.ts';
import { useResource } from '../../service/resource.ts';
import { get } from '../../service/request.ts';
import { ChooseFiles, dragged } from '../../uploads/drop-zone.tsx';
import { uploads } from '../../uploads/uploads.ts';
import { language, words as shared } from '../../words/words.ts';
import { SlotDetails, type SlotProps } from './slot-details.tsx';
import { formatPeriod } from '../../../../common/formats/days.ts';
import { formatShare } from '../../../../common/formats/shares.ts';
import { findingsOn, holesOf, type Note, notesOn, severityOf } from './slot-notes.ts';

/** One input: the dataset that a run uses, notes on it, and the ways to fill it. A file can be dropped on it. */
export function SlotRow(props: SlotProps) {
  const { place, facts, slot, input, gaps, words } = props;
  // A link to the slot, such as that of a failed run, leads to its row.
  const isWanted = address.value.query.get('slot') === slot.code;
  const isOpen = useSignal(isWanted);
  const detailsId = useId();
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (!isWanted) return;
    isOpen.value = true;
    row.current?.scrollIntoView({ block: 'center' });
    row.current?.querySelector('button')?.focus({ preventScroll: true });
  }, [isWanted]);
  const { title } = facts;
  const isDraggedOver = dragged.value?.slot === slot.code;
  const notes =
    input === undefined
      ? []
      : [...findingsOn(input, gaps), ...notesOn(input, slot, uploads.value), ...holesOf(input, gaps)];
  return (
    <li
      ref={row}
      class={`slot ${isDraggedOver ? 'is-dragged-over' : ''} ${dragged.value === undefined ? '' : 'is-target'}`}
      data-slot={slot.code}
      data-slot-title={title}
    >
      <span class="slot-place muted" aria-hidden="true">
        {place}
      </span>
      <div class="slot-name">
        <h3>{title}</h3>
        <p class="small muted">{valuesOf(facts, words)}</p>
        {props.freshness !== undefined && <Freshness of={props.freshness} />}
      </div>
      <Taken {...props} />
      <span class="slot-actions">
        {may('data:write') && (
          <a
            class="button quiet"
            href={hrefOf(['landscape', 'make'], { slot: slot.code })}
            aria-label={`${words.make}: ${title}`}
          >
            {words.make}
          </a>
        )}
        <ChooseFiles label={words.upload} slot={{ code: slot.code, title }} />
        <button
          type="button"
          class="button quiet"
          aria-label={`${words.more}: ${title}`}
          aria-expanded={isOpen.value}
          aria-controls={detailsId}
          onClick={() => void (isOpen.value = !isOpen.value)}
        >
          <span aria-hidden="true">{isOpen.value ? '▴' : '▾'}</span>
        </button>
      </span>
      {notes.length > 0 && (
        <ul class="slot-notes small">
          {notes.map((note) => (
            <li key={`${note.kind} ${note.name}`} class={classOf(note)}>
              <NoteText note={note} words={words} />
            </li>
          ))}
        </ul>
      )}
      <div id={detailsId} class="slot-details" hidden={!isOpen.value}>
        {isOpen.value && <SlotDetails {...props} />}
      </div>
    </li>
  );
}

function classOf(note: Note): string | undefined {
  if (note.kind === 'finding') return note.severity === 'stops' ? 'wrong' : undefined;
  return note.kind === 'failed' ? 'wrong' : undefined;
}

/** The sign and the CSS class of each severity of a finding. */
const severities = {
  stops: { sign: '✕', status: 'failed' },
  warns: { sign: '!', status: 'awaiting_mapping' },
  waits: { sign: '◌', status: 'pending' },
} as const;

/** Unit and range, or the number of classes, in a line. */
function valuesOf(
  { kind, unit, range, classes }: LandscapeGraph['slots'][number],
  words: SlotProps['words'],
): string {
  if (kind === 'classes') return words.classes(classes?.length ?? 0);
  const [from, to] = (range ?? []).map((value) => formatNumber(value, language(), 2).replace('-', '−'));
  const limits = from === undefined || to === undefined ? words.numbers : words.range(from, to);
  return [unit, limits].filter((part) => part !== null).join(' · ');
}

/** The dataset that a run uses; without a plan, the newest one. */
function Taken({ slot, input, words }: SlotProps) {
  const dataset = input === undefined ? slot.latest : input.dataset;
  if (dataset === null)
    return (
      <p class="slot-taken needs-attention">
        <span aria-hidden="true">○</span> {words.empty}
      </p>
    );
  const { id, name, status, start_date: start, end_date: end } = dataset;
  const isLatest = id === slot.latest?.id;
  return (
    <div class="slot-taken">
      {status === 'ready' ? (
        <Judged input={input} />
      ) : (
        <>
          <Status status={status} />{' '}
        </>
      )}
      <a href={hrefOf(['datasets', id])}>{name}</a>
      <span class="slot-period small muted">
        {formatPeriod(start, end, language()) ?? words.noPeriod}
        {input?.because === 'pinned' && (
          <>
            {' · '}
            <strong>{words.pinned}</strong>
          </>
        )}
        {isLatest && slot.origin !== undefined && (
          <>
            {' · '}
            <Origin of={slot.origin} />
          </>
        )}
      </span>
      {!isLatest && <OriginOf id={id} />}
    </div>
  );
}

/** The origin of the values; invented ones stand out. */
function Origin({ of }: { readonly of: NonNullable<LandscapeSlot['origin']> }) {
  const text = shared().origin[of];
  if (of !== 'invented') return text;
  return (
    <strong class="slot-invented">
      <span aria-hidden="true">⚠ </span>
      {text}
    </strong>
  );
}

/** The sign of the findings about a ready dataset; none before it is judged. */
function Judged({ input }: Pick<SlotProps, 'input'>) {
  if (input === undefined) return undefined;
  const severity = severityOf(input);
  return <Sign of={severity === undefined ? { sign: '✓', status: 'ready' } : severities[severity]} />;
}

function Sign({ of: { sign, status } }: { readonly of: { readonly sign: string; readonly status: string } }) {
  return (
    <span class={`status slot-sign ${status}`} aria-hidden="true">
      {sign}{' '}
    </span>
  );
}

function NoteText({ note, words }: { readonly note: Note; readonly words: SlotProps['words'] }) {
  switch (note.kind) {
    case 'sending':
      return <>↑ {words.sending(note.name)}</>;
    case 'inWork':
      return <>◐ {note.isNext ? words.inWork(note.name) : words.reading(note.name)}</>;
    case 'failed':
      return <FailedNote note={note} words={words} />;
    case 'passedOver':
      return (
        <>
          ! {words.passedOver(note.name, note.taken)} <a href={hrefOf(['datasets', note.id])}>{words.why}</a>
        </>
      );
    case 'finding':
      return (
        <>
          <Sign of={severities[note.severity]} />
          {note.text}
        </>
      );
    case 'holes':
      return <span class="muted">▨ {holesInWords(note, words)}</span>;
    default:
      return <>{words.otherwise(note.name)}</>;
  }
}

function holesInWords(
  { covered, alone }: Extract<Note, { readonly kind: 'holes' }>,
  words: SlotProps['words'],
): string {
  const share = formatShare(covered, language());
  return alone > 0 ? words.coversAlone(share, formatShare(alone, language())) : words.covers(share);
}

/** The reason is known for an upload of this visit; otherwise it is requested. */
function FailedNote({
  note,
  words,
}: {
  readonly note: Extract<Note, { readonly kind: 'failed' }>;
  readonly words: SlotProps['words'];
}) {
  const { id, name, reason } = note;
  const { value } = useResource(id, async (signal) =>
    reason === undefined ? await get('/datasets/{id}/status', { path: { id }, signal }) : undefined,
  ).resource.value;
  return (
    <>
      ✕ {words.failed(name)} {reason ?? value?.parse_error} <a href={hrefOf(['datasets', id])}>{words.why}</a>
    </>
  );
}
