import { hrefOf } from '../../../address/address.ts';
import { formatHectares } from '../../../../../common/formats/hectares.ts';
import { Failure, Waiting } from '../../../parts/loading.tsx';
import { useResource } from '../../../service/resource.ts';
import { formatShare } from '../../../../../common/formats/shares.ts';
import { language } from '../../../words/words.ts';
import { titleOfGroup } from '../facts/reasons.ts';
import { runsWords } from '../words/words.ts';
import type { LandscapeGraph } from '../../../service/types.ts';
import { get } from '../../../service/request.ts';

/** The area that inputs leave without a zone, of those that leave any: in all, and each of them alone. */
export function RunGaps({ id, graph }: { readonly id: string; readonly graph: LandscapeGraph }) {
  const { gaps: text } = runsWords();
  const { resource, reload } = useResource(
    `gaps ${id}`,
    async (signal) => await get('/landscape/runs/{id}/gaps', { path: { id }, signal }),
  );
  const { value, failure } = resource.value;
  if (failure !== undefined) return <Failure failure={failure} retry={reload} />;
  if (value === undefined || !('inputs' in value)) return <Waiting />;
  const holed = value.inputs.filter(({ missing_ha: missing }) => missing > 0);
  const shareOf = (area: number): string => formatShare(area / value.grid_ha, language());
  const withShare = (area: number): string => `${formatHectares(area, language())} (${shareOf(area)})`;
  if (value.without_zone_ha === 0 && holed.length === 0) return <p class="muted">{text.none}</p>;
  return (
    <>
      <p class="muted">
        {text.without(formatHectares(value.without_zone_ha, language()), shareOf(value.without_zone_ha))}
      </p>
      <table class="rows">
        <thead>
          <tr>
            <th scope="col">{text.input}</th>
            <th scope="col">{text.missing}</th>
            <th scope="col">{text.alone}</th>
          </tr>
        </thead>
        <tbody>
          {holed.map(({ group, missing_ha: missing, alone_ha: alone }) => (
            <tr key={group} class="row">
              <th scope="row">
                <a href={hrefOf(['landscape'], { slot: group })}>{titleOfGroup(group, graph)}</a>
              </th>
              <td>{withShare(missing)}</td>
              <td>{withShare(alone)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
