import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { isReached } from '../../../../../common/areas/reached.ts';
import { nameIn } from '../../../map/units/unit-names.ts';
import { fileNameOf } from '../../../parts/downloads.ts';
import { FileLink } from '../../../parts/file-link.tsx';
import { Failure } from '../../../parts/loading.tsx';
import { useCounted, getCounted } from '../../../service/counted.ts';
import { languages, namesOfLanguages } from '../../../words/languages.ts';
import { language } from '../../../words/words.ts';
import { runsWords } from '../words/words.ts';

interface RunAtlasProps {
  readonly id: string;
  /** The dataset with its zoning. */
  readonly zoningId: string;
  /** The name of the run. */
  readonly name: string;
}

/** The zoning of a run on paper in each language: a sheet for each district of a region, or for each region. */
export function RunAtlas({ id, zoningId, name }: RunAtlasProps) {
  const { atlas } = runsWords();
  const region = useSignal('');
  const { value, failure, isLoading, reload } = useCounted(
    zoningId,
    async (asking) =>
      await getCounted('/datasets/{id}/areas', {
        path: { id: zoningId },
        query: { by: 'region' },
        ...asking,
      }),
  );
  const regions = (value?.rows ?? []).filter((unit) =>
    isReached({ area: unit.area_ha, outside: unit.outside_raster_ha }),
  );
  useEffect(() => {
    if (!regions.some(({ kato }) => kato === region.peek())) region.value = '';
  }, [value]);
  const units = region.value === '' ? 'by=region' : `by=district&kato=${region.value}`;
  return (
    <>
      <p>{atlas.text}</p>
      {failure !== undefined && <Failure failure={failure} retry={reload} />}
      <label class="field">
        <span>{atlas.region}</span>
        <select
          value={region.value}
          aria-busy={isLoading}
          onChange={({ currentTarget }) => (region.value = currentTarget.value)}
        >
          <option value="">{atlas.all}</option>
          {regions.map((unit) => (
            <option key={unit.kato} value={unit.kato}>
              {nameIn(unit, language())}
            </option>
          ))}
        </select>
      </label>
      <div class="actions">
        {languages.map((each) => (
          <FileLink
            key={`${each} ${units}`}
            isMade
            of={atlas.title}
            file={{
              label: namesOfLanguages[each].long,
              lang: each,
              path: `./landscape/runs/${encodeURIComponent(id)}/atlas.pdf?${units}&lang=${each}&wait=10`,
              name: fileNameOf(`${name} (${each})`, 'pdf'),
            }}
          />
        ))}
      </div>
    </>
  );
}
