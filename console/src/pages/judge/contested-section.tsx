import { replaceQuery } from '../../address/address.ts';
import { formatHectares } from '../../../../common/formats/hectares.ts';
import type { Counted } from '../../service/counted.ts';
import { formatShare } from '../../../../common/formats/shares.ts';
import { language } from '../../words/words.ts';
import { contestedIn } from './figures.ts';
import { WhenLoaded } from './loaded.tsx';
import { titleOfSet } from './set-title.ts';
import type { JudgeWords } from './words/words.ts';
import type { Conflicts, LandscapeGraph } from '../../service/types.ts';

interface ContestedSectionProps {
  readonly graph: LandscapeGraph;
  readonly conflicts: Counted<Conflicts>;
  /** The chosen unit. */
  readonly unit: string | undefined;
  /** The set of sectors that the map shows alone. */
  readonly onlySet: string | undefined;
  readonly words: JudgeWords;
}

/** The land that the order decides: its area, and the competing sectors. */
export function ContestedSection({ graph, conflicts, unit, onlySet, words }: ContestedSectionProps) {
  return (
    <section class="sheet pad" aria-labelledby="contested-title">
      <h2 id="contested-title">{words.contestedTitle}</h2>
      <p class="small muted">{words.contestedLead}</p>
      <WhenLoaded loaded={conflicts} title={words.noConflicts} updating={words.updating}>
        {(value) => {
          const { hectares, share, contests, rows } = contestedIn(value, unit);
          const ofZones = unit === undefined ? value.contested_share_of_zones : null;
          return (
            <>
              <p>
                {hectares === 0 || share === null
                  ? words.contestedNone
                  : words.contestedShare(
                      formatHectares(hectares, language()),
                      formatShare(share, language()),
                    )}{' '}
                {ofZones !== null && words.contestedZones(formatShare(ofZones, language()))}
              </p>
              <ul class="chips" aria-label={words.sets}>
                {contests.map((contest) => {
                  const title = titleOfSet(contest.sectors, graph, words);
                  const isOn = onlySet === contest.key;
                  return (
                    <li key={contest.key}>
                      <button
                        type="button"
                        class="chip"
                        aria-pressed={isOn}
                        title={words.onlySet(title)}
                        onClick={() =>
                          replaceQuery({ set: isOn ? undefined : contest.key, view: 'contested' })
                        }
                      >
                        <span class="swatch" style={{ background: contest.color }} aria-hidden="true" />
                        <span>
                          {title}, {words.ha(formatHectares(contest.hectares, language()))}
                        </span>
                      </button>
                    </li>
                  );
                })}
              </ul>
              {rows.length > 0 && <Rows rows={rows} graph={graph} words={words} />}
            </>
          );
        }}
      </WhenLoaded>
    </section>
  );
}

interface RowsProps {
  readonly rows: Conflicts['rows'];
  readonly graph: LandscapeGraph;
  readonly words: JudgeWords;
}

function Rows({ rows, graph, words }: RowsProps) {
  return (
    <details>
      <summary>{words.allRows}</summary>
      <table class="areas">
        <thead>
          <tr>
            <th scope="col">{words.sectors}</th>
            <th scope="col" class="number">
              S
            </th>
            <th scope="col">{words.winner}</th>
            <th scope="col" class="number">
              {words.hectares}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ sectors, s, winner, ha }) => (
            <tr key={`${sectors.join('-')} ${s}`}>
              <th scope="row">{titleOfSet(sectors, graph, words)}</th>
              <td class="number">{s}</td>
              <td>{titleOfSet([winner], graph, words)}</td>
              <td class="number">{formatHectares(ha, language())}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
