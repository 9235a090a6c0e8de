import './make.css';
import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { address, hrefOf } from '../../address/address.ts';
import { useTitle } from '../../parts/hooks.ts';
import { Failure, Waiting } from '../../parts/loading.tsx';
import { may } from '../../service/capabilities.ts';
import { postCounted } from '../../service/counted.ts';
import { type Refused, refusedOf } from '../../service/fetch.ts';
import { datasetName } from '../../service/graph-words.ts';
import { get } from '../../service/request.ts';
import { useResource } from '../../service/resource.ts';
import type { InputRecipeInput } from '../../service/types.ts';
import { language } from '../../words/words.ts';
import { AttributeFields } from './attribute-fields.tsx';
import { type FieldsProps, OneOf } from './one-of.tsx';
import { MadeList } from './made-list.tsx';
import { MoreFields } from './more-fields.tsx';
import { RasterChoice } from './raster-choice.tsx';
import {
  conversions,
  type Draft,
  emptyDraft,
  isExtreme,
  methodsOf,
  recipeOf,
  type SlotFacts,
  usualName,
  withoutVector,
} from './recipe-draft.ts';
import { useDatasets } from './use-datasets.ts';
import { makeWords, type MakeWords } from './words/words.ts';

/** Makes an input of a slot from datasets of the service, and lists what was made in it. */
export function MakePage() {
  const words = makeWords();
  const slot = address.value.query.get('slot') ?? '';
  const { resource, reload } = useResource(`graph to make ${language()}`, async (signal) => {
    return await get('/landscape/graph', { signal });
  });
  const { value, failure } = resource.value;
  const facts = value?.slots.find(({ group }) => group === slot) ?? value?.slots[0];
  useTitle(facts === undefined ? words.heading : words.title(facts.title));
  return (
    <article class="stack make">
      <p class="small">
        <a href={hrefOf(['landscape'], { slot })}>‹ {words.back}</a>
      </p>
      <div class="page-head">
        <h1 tabIndex={-1}>{facts === undefined ? words.heading : words.title(facts.title)}</h1>
      </div>
      <p class="muted">{words.lead}</p>
      {failure !== undefined && <Failure failure={failure} retry={reload} />}
      {value === undefined && failure === undefined && <Waiting />}
      {facts !== undefined && <Making key={facts.group} facts={facts} words={words} />}
    </article>
  );
}

interface MakingProps {
  readonly facts: SlotFacts;
  readonly words: MakeWords;
}

/** The form and the list, which share what is being made. */
function Making({ facts, words }: MakingProps) {
  const round = useSignal(0);
  const state = useSignal<'making' | 'made' | undefined>(undefined);
  const failure = useSignal<Refused | undefined>(undefined);
  const ended = useMemo(() => new AbortController(), []);
  useEffect(() => () => ended.abort(), [ended]);

  async function send(json: InputRecipeInput): Promise<void> {
    state.value = 'making';
    failure.value = undefined;
    try {
      const path = { code: facts.group };
      const onCounting = () => void (round.value += 1);
      await postCounted('/landscape/slots/{code}/make', {
        path,
        body: json,
        onCounting,
        signal: ended.signal,
      });
      state.value = 'made';
    } catch (error) {
      if (ended.signal.aborted) return;
      state.value = undefined;
      failure.value = refusedOf(error);
    }
    round.value += 1;
  }

  return (
    <>
      {may('data:write') && (
        <RecipeForm facts={facts} words={words} isBusy={state.value === 'making'} onMake={send} />
      )}
      {failure.value !== undefined && <Failure failure={failure.value} title={words.failed} />}
      <p role="status">{state.value !== undefined && words[state.value]}</p>
      <MadeList slot={facts.group} version={round.value} words={words} onRepeat={send} />
    </>
  );
}

interface RecipeFormProps extends MakingProps {
  readonly isBusy: boolean;
  readonly onMake: (recipe: InputRecipeInput) => Promise<void>;
}

function RecipeForm({ facts, words, isBusy, onMake }: RecipeFormProps) {
  const methods = methodsOf(facts);
  const [first = 'rasterize'] = methods;
  const rule = facts.kind === 'classes' ? 'majority' : 'mean';
  const draft = useSignal<Draft>({ ...emptyDraft, method: first, rule });
  const { method } = draft.value;
  const recipe = recipeOf(draft.value);
  const isOfVector = method === 'rasterize' || method === 'distance';
  return (
    <form
      class="sheet pad stack make-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (recipe !== undefined)
          void onMake({ name: usualName(draft.value, facts.title, words), ...recipe });
      }}
    >
      <fieldset class="make-options">
        <legend>{words.method}</legend>
        {methods.map((each) => (
          <label key={each}>
            <input
              type="radio"
              name="method"
              checked={method === each}
              onChange={() => void (draft.value = { ...draft.value, method: each, grid: '' })}
            />
            {words.methods[each]}
          </label>
        ))}
      </fieldset>
      {isOfVector ? (
        <VectorFields facts={facts} draft={draft} words={words} />
      ) : (
        <RasterFields facts={facts} draft={draft} words={words} />
      )}
      <MoreFields key={method} facts={facts} draft={draft} words={words} />
      <div>
        <button type="submit" class="button primary" disabled={recipe === undefined || isBusy}>
          {words.make}
        </button>
      </div>
    </form>
  );
}

function VectorFields({ facts, draft, words }: FieldsProps) {
  const { resource, reload } = useDatasets('vector');
  const { value, failure } = resource.value;
  const { vector, method, limit, beyond } = draft.value;
  if (failure !== undefined) return <Failure failure={failure} retry={reload} />;
  if (value === undefined) return <Waiting />;
  if (value.data.length === 0) return <p class="needs-attention">{words.noVectors}</p>;
  return (
    <>
      <label class="field">
        <span>{words.vector}</span>
        <select
          value={vector}
          onChange={({ currentTarget }) => {
            draft.value = { ...draft.value, ...withoutVector, vector: currentTarget.value };
          }}
        >
          <option value="">{words.choose}</option>
          {value.data.map((dataset) => (
            <option key={dataset.id} value={dataset.id}>
              {datasetName(dataset)}
            </option>
          ))}
        </select>
      </label>
      {method === 'rasterize' && vector !== '' && (
        <AttributeFields key={vector} facts={facts} draft={draft} words={words} />
      )}
      {method === 'distance' && (
        <label class="field">
          <span>{words.limit}</span>
          <input
            inputMode="decimal"
            value={limit}
            onInput={({ currentTarget }) =>
              void (draft.value = { ...draft.value, limit: currentTarget.value })
            }
          />
          <span class="small muted">{words.limitHints[beyond]}</span>
        </label>
      )}
    </>
  );
}

function RasterFields({ facts, draft, words }: FieldsProps) {
  return (
    <>
      <RasterChoice draft={draft} words={words} />
      {draft.value.method === 'mosaic' ? (
        <OneOf
          label={words.order}
          names={words.orders}
          options={facts.kind === 'classes' ? ['first', 'newest'] : ['first', 'newest', 'minimum', 'mean']}
          value={draft.value.order}
          onChange={(order) => void (draft.value = { ...draft.value, order })}
        />
      ) : (
        <ArithmeticFields facts={facts} draft={draft} words={words} />
      )}
    </>
  );
}

function ArithmeticFields({ draft, words }: FieldsProps) {
  const { combine, byDays, conversion } = draft.value;
  const names = { '': words.none, ...words.conversions };
  return (
    <>
      <OneOf
        label={words.combine}
        names={words.combines}
        options={['mean', 'sum', 'minimum', 'maximum']}
        value={combine}
        onChange={(chosen) => void (draft.value = { ...draft.value, combine: chosen })}
      />
      {!isExtreme(combine) && (
        <fieldset class="make-options">
          <label>
            <input
              type="checkbox"
              checked={byDays}
              onChange={({ currentTarget }) =>
                void (draft.value = { ...draft.value, byDays: currentTarget.checked })
              }
            />
            {words.byDays}
          </label>
        </fieldset>
      )}
      <div class="make-pair">
        {(['scale', 'offset'] as const).map((name) => (
          <label key={name} class="field">
            <span>{words[name]}</span>
            <input
              inputMode="decimal"
              value={draft.value[name]}
              onInput={({ currentTarget }) =>
                void (draft.value = { ...draft.value, [name]: currentTarget.value })
              }
            />
          </label>
        ))}
      </div>
      <OneOf
        label={words.conversion}
        names={names}
        options={['', ...conversions]}
        value={conversion}
        onChange={(chosen) => void (draft.value = { ...draft.value, conversion: chosen })}
      />
      <label class="field">
        <span>{words.above}</span>
        <input
          inputMode="decimal"
          value={draft.value.above}
          onInput={({ currentTarget }) => void (draft.value = { ...draft.value, above: currentTarget.value })}
        />
        <span class="small muted">{words.aboveHint}</span>
      </label>
    </>
  );
}
