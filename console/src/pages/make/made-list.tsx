import { formatNumber } from '../../../../common/formats/numbers.ts';
import { hrefOf } from '../../address/address.ts';
import { Failure, Waiting } from '../../parts/loading.tsx';
import { may } from '../../service/capabilities.ts';
import { get } from '../../service/request.ts';
import { useResource } from '../../service/resource.ts';
import type { InputRecipeInput, MadeRaster } from '../../service/types.ts';
import { language } from '../../words/words.ts';
import { renewed } from './recipe-draft.ts';
import type { MakeWords } from './words/words.ts';

interface MadeListProps {
  readonly slot: string;
  /** Changes when the list has changed. */
  readonly version: number;
  readonly words: MakeWords;
  readonly onRepeat: (recipe: InputRecipeInput) => Promise<void>;
}

/** The rasters that were made in a slot, with their sources and figures. */
export function MadeList({ slot, version, words, onRepeat }: MadeListProps) {
  const { resource, reload } = useResource(
    `made in ${slot} ${language()}`,
    async (signal) => await get('/landscape/slots/{code}/make', { path: { code: slot }, signal }),
    version,
  );
  const { value, failure } = resource.value;
  return (
    <section class="stack">
      <h2>{words.list}</h2>
      {failure !== undefined && <Failure failure={failure} retry={reload} />}
      {value === undefined && failure === undefined && <Waiting />}
      {value?.length === 0 && <p class="muted">{words.noneMade}</p>}
      <ul class="made-list">
        {value?.map((made) => (
          <Made key={made.id} made={made} words={words} onRepeat={onRepeat} />
        ))}
      </ul>
    </section>
  );
}

interface MadeProps extends Pick<MadeListProps, 'words' | 'onRepeat'> {
  readonly made: MadeRaster;
}

function Made({ made, words, onRepeat }: MadeProps) {
  const { recipe, sources, state, figures, error, dataset_id: id } = made;
  const read = sources.filter(({ role }) => role !== 'grid');
  const newer = sources.flatMap((source) => (source.newer === null ? [] : [source.newer.name]));
  const shown = (value: number) => formatNumber(value, language(), 2);
  return (
    <li>
      <p>
        <b>{words.methods[recipe.method]}</b> · {words.state[state]}
        {id !== null && (
          <>
            {' · '}
            <a href={hrefOf(['datasets', id])}>{words.openDataset}</a>
          </>
        )}
      </p>
      <p class="small muted">{words.from(read.map(({ name }) => name).join(', '))}</p>
      {error !== null && <p class="small wrong">{error}</p>}
      {figures !== null && (
        <p class="small muted">
          {words.pixels(shown(figures.valid))}
          {recipe.method === 'mosaic' && figures.largest_difference !== null && (
            <> · {words.seam(shown(figures.overlap ?? 0), shown(figures.largest_difference))}</>
          )}
        </p>
      )}
      {figures !== null && figures.unmapped.length > 0 && (
        <p class="small needs-attention">
          {words.leftOut(figures.unmapped.map(({ value }) => value ?? words.without).join(', '))}
        </p>
      )}
      {newer.length > 0 && (
        <p class="small needs-attention">
          {words.newer(newer.join(', '))}{' '}
          {may('data:write') && (
            <button type="button" class="button quiet" onClick={() => void onRepeat(renewed(made))}>
              {words.repeat}
            </button>
          )}
        </p>
      )}
    </li>
  );
}
