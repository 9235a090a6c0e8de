import { Failure, Waiting } from '../../parts/loading.tsx';
import { slotPrefix } from '../../service/groups.ts';
import { get } from '../../service/request.ts';
import { useResource } from '../../service/resource.ts';
import { language, words } from '../../words/words.ts';

/** The origin of the values of each input of the demonstration, by its key; the READMEs beside the files give the reasons. */
const originsOfInputs: Readonly<Record<string, 'measured' | 'derived' | 'invented'>> = {
  dem: 'measured',
  'land-cover': 'measured',
};

/** All other inputs are invented. */
export const originOfInput = (key: string) => originsOfInputs[key] ?? 'invented';

/** Sources and licences of the files of the demonstration, as their licences require. */
const licensed = [
  { name: 'relief', from: 'SRTM 1″, hydrosolutions/exzeco-flood-risk-assessment', licence: 'MIT' },
  { name: 'districts', from: 'arodionoff/geokz', licence: 'CC BY 4.0' },
  { name: 'population', from: 'open-data-kazakhstan/population-projections-by-regions', licence: 'PDDL 1.0' },
] as const;
const sourcesOfInputs: Readonly<Record<string, string>> = {
  dem: 'SRTM 1″, hydrosolutions/exzeco-flood-risk-assessment · MIT',
  'land-cover': 'MODIS MCD12C1 006, 2019, 0.05° · NASA LP DAAC',
};

/** Lists the sources of the demonstration, input by input, and where real data are to be had in place of invented ones. */
export function DemonstrationSources() {
  const { welcome, origin } = words();
  const { resource, reload } = useResource(
    `graph ${language()}`,
    async (signal) => await get('/landscape/graph', { signal }),
  );
  const { value, failure } = resource.value;
  return (
    <>
      <ul>
        {licensed.map(({ name, from, licence }) => (
          <li key={name}>
            {welcome[name]}:{' '}
            <span lang="en">
              {from} · {licence}
            </span>
          </li>
        ))}
      </ul>
      {failure !== undefined && <Failure failure={failure} retry={reload} />}
      {value === undefined && failure === undefined && <Waiting />}
      {value !== undefined && (
        <ul>
          {value.slots.map(({ group, title, source, how }) => {
            const key = group.slice(slotPrefix.length);
            const own = sourcesOfInputs[key];
            return (
              <li key={group}>
                {title}: <strong>{origin[originOfInput(key)]}</strong>
                {own === undefined ? `. ${welcome.realData}: ${source}. ${how}` : '; '}
                {own !== undefined && <span lang="en">{own}</span>}
              </li>
            );
          })}
        </ul>
      )}
    </>
  );
}
