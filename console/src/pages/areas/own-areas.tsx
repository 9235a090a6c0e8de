import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { formatHectares } from '../../../../common/formats/hectares.ts';
import { Failure } from '../../parts/loading.tsx';
import { type Refused, refusedOf } from '../../service/fetch.ts';
import { AreaTable } from './area-table.tsx';
import { type OwnPolygons, readPolygons, type Wrong } from './own-polygons.ts';
import { readSorting, type Sorting } from './table-rows.ts';
import { language } from '../../words/words.ts';
import { areasWords } from './words/words.ts';
import type { OwnAreas as Answer } from '../../service/types.ts';
import { postCounted } from '../../service/counted.ts';

type State =
  | { readonly kind: 'idle' }
  | { readonly kind: 'wrong'; readonly file: string; readonly wrong: Wrong }
  | { readonly kind: 'counting'; readonly file: string }
  | { readonly kind: 'refused'; readonly file: string; readonly refused: Refused }
  | {
      readonly kind: 'done';
      readonly file: string;
      readonly names: OwnPolygons['names'];
      readonly answer: Answer;
    };

/** Smaller overlaps, in hectares, are rounding errors. */
const leastOverlapHa = 0.001;

export interface OwnProps {
  readonly runId: string;
}

/** Counts the zones of a run in polygons that a person drops or chooses; the file is not stored. */
export function OwnAreas({ runId }: OwnProps) {
  const { own: text } = areasWords();
  const state = useSignal<State>({ kind: 'idle' });
  const isDraggedOver = useSignal(false);
  const input = useRef<HTMLInputElement>(null);
  const running = useRef<AbortController>(undefined);
  const last = useRef<File>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const count = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    last.current = file;
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    const { name } = file;
    state.value = { kind: 'counting', file: name };
    try {
      const read = await readPolygons(file);
      if (controller.signal.aborted) return;
      if ('kind' in read) {
        state.value = { kind: 'wrong', file: name, wrong: read };
        return;
      }
      const { signal } = controller;
      const answer = await postCounted('/landscape/runs/{id}/areas', {
        path: { id: runId },
        body: read.geojson,
        signal,
        onCounting: () => undefined,
      });
      state.value = { kind: 'done', file: name, names: read.names, answer };
    } catch (error) {
      if (controller.signal.aborted) return;
      state.value = { kind: 'refused', file: name, refused: refusedOf(error) };
    }
  };
  const { value } = state;
  return (
    <div class="stack">
      <p class="muted">{text.lead}</p>
      <div
        class={`own-drop ${isDraggedOver.value ? 'is-dragged-over' : ''}`}
        data-takes-files
        onDragOver={() => void (isDraggedOver.value = true)}
        onDragLeave={() => void (isDraggedOver.value = false)}
        onDrop={(event) => {
          event.preventDefault();
          isDraggedOver.value = false;
          void count(event.dataTransfer?.files[0]);
        }}
      >
        <button type="button" class="button" onClick={() => input.current?.click()}>
          ↑ {text.choose}
        </button>
        <span class="small muted">{text.drop}</span>
        <input
          ref={input}
          type="file"
          hidden
          tabIndex={-1}
          accept=".geojson,.json"
          onChange={({ currentTarget }) => {
            const file = currentTarget.files?.[0];
            void count(file);
            currentTarget.value = '';
          }}
        />
      </div>
      <p role="status" class="muted">
        {value.kind === 'counting' && text.counting}
      </p>
      {value.kind === 'wrong' && (
        <p class="wrong" role="alert">
          {sentenceOf(value.wrong, value.file)}
        </p>
      )}
      {value.kind === 'refused' && (
        <Failure
          failure={value.refused}
          title={text.failed(value.file)}
          retry={() => void count(last.current)}
        />
      )}
      {value.kind === 'done' && <Done {...value} />}
    </div>
  );
}

function sentenceOf(wrong: Wrong, file: string): string {
  const { wrong: text } = areasWords().own;
  return wrong.kind === 'many' ? text.many(file, wrong.count) : text[wrong.kind](file);
}

interface DoneProps {
  readonly file: string;
  readonly names: OwnPolygons['names'];
  readonly answer: Answer;
}

function Done({ file, names, answer: { rows, union, classes } }: DoneProps) {
  const { own: text } = areasWords();
  const sorting = useSignal<Sorting>(readSorting('area'));
  const named = rows.map((row) => ({
    ...row,
    key: String(row.index),
    name: names[row.index] ?? text.numbered(row.index + 1),
  }));
  const overlap = rows.reduce((sum, { area_ha: area }) => sum + area, 0) - union.area_ha;
  return (
    <>
      <AreaTable
        title={text.tableOf(file)}
        unit={text.polygon}
        rows={named}
        total={union}
        totalName={text.union}
        classes={classes}
        sorting={sorting.value}
        onSort={(next) => void (sorting.value = next)}
      />
      {overlap > leastOverlapHa && <p class="small">{text.overlap(formatHectares(overlap, language()))}</p>}
    </>
  );
}
