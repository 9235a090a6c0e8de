import { formatHectares } from '../../../../common/formats/hectares.ts';
import type { Counted } from '../../service/counted.ts';
import { formatShare } from '../../../../common/formats/shares.ts';
import { language } from '../../words/words.ts';
import { formatDifference } from './difference.ts';
import { WhenLoaded } from './loaded.tsx';
import { type Effect, effectsOf } from './figures.ts';
import { InputsMoved } from './inputs-moved.tsx';
import type { JudgeWords } from './words/words.ts';
import type { LandscapeGraph, Sensitivity } from '../../service/types.ts';

type Params = Readonly<Record<string, number | readonly number[]>>;

interface MattersSectionProps {
  readonly runId: string;
  readonly graph: LandscapeGraph;
  readonly sensitivity: Counted<Sensitivity>;
  /** The chosen unit. */
  readonly unit: string | undefined;
  readonly onTry: (params: Params) => void;
  readonly words: JudgeWords;
}

/** The land that each change by one step moves, the largest first, and the changes without an effect. */
export function MattersSection({ runId, graph, sensitivity, unit, onTry, words }: MattersSectionProps) {
  return (
    <section class="sheet pad" aria-labelledby="matters-title">
      <h2 id="matters-title">{words.matters}</h2>
      <p class="small muted">{words.mattersLead}</p>
      <WhenLoaded loaded={sensitivity} title={words.noMatters} updating={words.updating}>
        {(value) => {
          const effects = effectsOf(value, unit);
          const active = effects.filter(({ hectares }) => hectares > 0);
          const inert = effects.filter(({ hectares }) => hectares === 0);
          const most = active[0]?.hectares ?? 1;
          return (
            <>
              <ol class="effects">
                {active.map((effect) => (
                  <Bar
                    key={titleOf(effect, graph, words)}
                    effect={effect}
                    most={most}
                    title={titleOf(effect, graph, words)}
                    onTry={onTry}
                    words={words}
                  />
                ))}
              </ol>
              {inert.length > 0 && (
                <>
                  <p class="small">{words.inert}</p>
                  <ul class="small inert">
                    {inert.map((effect) => (
                      <li key={titleOf(effect, graph, words)}>{titleOf(effect, graph, words)}</li>
                    ))}
                  </ul>
                </>
              )}
            </>
          );
        }}
      </WhenLoaded>
      <InputsMoved runId={runId} words={words} />
    </section>
  );
}

interface BarProps {
  readonly effect: Effect;
  /** Hectares of the longest bar. */
  readonly most: number;
  readonly title: string;
  readonly onTry: (params: Params) => void;
  readonly words: JudgeWords;
}

function Bar({ effect, most, title, onTry, words }: BarProps) {
  const { hectares, share, zones, params } = effect;
  const moves = zones.filter(({ difference }) => formatDifference(difference) !== '');
  return (
    <li>
      <span class="effect-title">{title}</span>
      <span class="effect-number">
        {words.ha(formatHectares(hectares, language()))}
        {share !== null && ` · ${formatShare(share, language())}`}
      </span>
      <span class="effect-bar" aria-hidden="true">
        <span style={{ width: `${(100 * hectares) / most}%` }} />
      </span>
      <span class="small muted effect-moves">
        {moves.length === 0
          ? words.orderMoves
          : moves.map(({ zone, difference }) => words.moves(zone, formatDifference(difference))).join(' · ')}
      </span>
      <button
        type="button"
        class="button quiet"
        aria-label={words.tryThis(title)}
        onClick={() => onTry(params)}
      >
        {words.tryIt}
      </button>
    </li>
  );
}

/** The title of a change, in the words of the graph. */
function titleOf(effect: Effect, graph: LandscapeGraph, words: JudgeWords): string {
  const { change } = effect;
  if (change.kind === 'order') {
    const [first, second] = change.sectors.map(
      (number) => graph.sectors.find((sector) => sector.number === number)?.title ?? String(number),
    );
    return words.order(first ?? '', second ?? '');
  }
  const title = graph.params.find(({ name }) => name === change.param)?.title ?? change.param;
  return words.threshold(title, change.from, change.to);
}
