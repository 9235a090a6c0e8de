import { formatShare } from '../../../../common/formats/shares.ts';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { hrefOf } from '../../address/address.ts';
import { ChangeDialog } from '../../parts/dialogs.tsx';
import { Failure, Waiting } from '../../parts/loading.tsx';
import { may } from '../../service/capabilities.ts';
import { useResource } from '../../service/resource.ts';
import { language } from '../../words/words.ts';
import { SeriesDialog } from './series-dialog.tsx';
import './series.css';
import { seriesWords } from './words/words.ts';
import type { GroupZonal } from '../../service/types.ts';
import { get, remove } from '../../service/request.ts';

export interface SeriesProps {
  /** The id of a dataset group. */
  readonly group: string;
}

const pollMs = 2000;
const shownRasters = 10;
const signs = { off: '○', up_to_date: '✓', counting: '◐', failed: '✕' } as const;

/** The statistics of the rasters of a group by district over time: the progress of their table, links to it, and its settings. */
export function GroupSeries({ group }: SeriesProps) {
  const wanted = language();
  const opened = useSignal<'settings' | 'off' | undefined>(undefined);
  const { resource, reload } = useResource(
    `series ${group} ${wanted}`,
    async (signal) => await get('/dataset-groups/{id}/zonal', { path: { id: group }, signal }),
  );
  const { value, failure } = resource.value;
  useEffect(() => {
    const timer = value?.state === 'counting' ? setTimeout(reload, pollMs) : undefined;
    return () => clearTimeout(timer);
  }, [value]);
  const text = seriesWords();
  const close = (): void => void (opened.value = undefined);
  return (
    <section class="sheet pad stack series" aria-labelledby="series-title">
      <h2 id="series-title">{text.title}</h2>
      {failure !== undefined && <Failure failure={failure} retry={reload} title={text.failed} />}
      {value === undefined && failure === undefined && <Waiting />}
      {value !== undefined && (
        <>
          <p role="status">
            <span aria-hidden="true">{signs[value.state]}</span> <strong>{text.states[value.state]}</strong>
            {value.state !== 'off' && <span class="muted"> · {value.message}</span>}
          </p>
          {value.settings === null ? <p>{text.lead}</p> : <TableContents value={value} />}
          <div class="actions">
            <Places table={value.dataset_id} />
            {may('data:write') && (
              <button type="button" class="button" onClick={() => void (opened.value = 'settings')}>
                {value.settings === null ? text.switchOn : text.change}
              </button>
            )}
            {may('data:write') && value.settings !== null && (
              <button type="button" class="button quiet" onClick={() => void (opened.value = 'off')}>
                {text.switchOff}
              </button>
            )}
          </div>
          <LeftOut value={value} />
        </>
      )}
      {opened.value === 'settings' && (
        <SeriesDialog group={group} settings={value?.settings ?? null} onClose={close} onSaved={reload} />
      )}
      {opened.value === 'off' && (
        <ChangeDialog
          ids={[group]}
          title={text.switchOffTitle}
          action={text.switchOff}
          change={async (id) => await remove('/dataset-groups/{id}/zonal', { path: { id } })}
          onClose={close}
          onDone={reload}
        >
          <p>{text.switchOffText}</p>
        </ChangeDialog>
      )}
    </section>
  );
}

interface Part {
  readonly value: GroupZonal;
}

/** The contents of the table, in words. */
function TableContents({ value: { settings, districts_version: version } }: Part) {
  const text = seriesWords();
  if (settings === null) return undefined;
  const share = settings.min_valid_share;
  return (
    <p class="muted">
      {settings.stats.map((stat) => text.stats[stat]).join(' · ')}
      <br />
      {text.levels[settings.by]}
      {share > 0 && ` · ${text.atLeast(formatShare(share, language()))}`}
      {version !== null && ` · ${text.version(version)}`}
    </p>
  );
}

function Places({ table }: { readonly table: string | null }) {
  const text = seriesWords();
  if (table === null) return undefined;
  return (
    <>
      <a class="button primary" href={hrefOf(['map'], { l: table })}>
        {text.onMap}
      </a>
      <a class="button" href={hrefOf(['datasets', table])}>
        {text.table}
      </a>
    </>
  );
}

/** Rasters that are not in the table, each with its reason. */
function LeftOut({ value: { left_out: all } }: Part) {
  const text = seriesWords();
  if (all.length === 0) return undefined;
  const shown = all.slice(0, shownRasters);
  return (
    <details open={all.some(({ state }) => state === 'failed')}>
      <summary>{text.leftOut(all.length)}</summary>
      <ul>
        {shown.map(({ dataset_id: id, name, message }) => (
          <li key={id}>
            <a href={hrefOf(['datasets', id])}>{name}</a> <span class="muted">– {message}</span>
          </li>
        ))}
      </ul>
      {all.length > shown.length && <p class="muted">{text.more(all.length - shown.length)}</p>}
    </details>
  );
}
