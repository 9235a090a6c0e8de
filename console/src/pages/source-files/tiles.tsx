import { useSignal } from '@preact/signals';
import { formatValue } from '../../../../common/formats/numbers.ts';
import type { SourceDescription } from '../../service/types.ts';
import { language } from '../../words/words.ts';
import { CheckList } from './check-list.tsx';
import { sourceFilesWords } from './words/words.ts';

export type Tile = NonNullable<SourceDescription['tiles']>[number];

/** The size of its cells tells one grid from another. */
export const gridText = ({ name, grid }: Tile): string =>
  grid === null ? name : `${name} (${formatValue(grid.cell_width, language())})`;

/** The tiles of an archive, of which one raster is made. */
export function Tiles({
  tiles,
  chosen,
  onChange,
}: {
  readonly tiles: readonly Tile[];
  readonly chosen: ReadonlySet<string>;
  readonly onChange: (chosen: ReadonlySet<string>) => void;
}) {
  const text = sourceFilesWords();
  const sought = useSignal('');
  const shown = tiles.filter(({ name }) => name.toLowerCase().includes(sought.value.toLowerCase()));
  const good = shown.filter(({ refusal }) => refusal === null).map(({ name }) => name);
  return (
    <fieldset class="stack source-steps">
      <legend>{text.tiles}</legend>
      <p class="small muted">{text.tilesLead}</p>
      <p class="small muted">{text.chosen(chosen.size, tiles.length)}</p>
      <label class="field">
        <span>{text.seek}</span>
        <input
          type="search"
          value={sought.value}
          onInput={({ currentTarget: { value } }) => void (sought.value = value)}
        />
      </label>
      <div class="actions">
        <button type="button" class="button quiet" onClick={() => onChange(new Set(good))}>
          {text.onlyShown}
        </button>
        <button type="button" class="button quiet" onClick={() => onChange(new Set())}>
          {text.noneChosen}
        </button>
      </div>
      <CheckList
        items={shown.map(({ name, refusal }) => ({
          value: name,
          isDisabled: refusal !== null,
          label: (
            <>
              {name}
              {refusal !== null && <span class="wrong small"> {refusal}</span>}
            </>
          ),
        }))}
        chosen={chosen}
        onChange={onChange}
      />
    </fieldset>
  );
}
