import { formatHectares } from '../../../../common/formats/hectares.ts';
import type { Counted } from '../../service/counted.ts';
import { formatShare } from '../../../../common/formats/shares.ts';
import { language } from '../../words/words.ts';
import { WhenLoaded } from './loaded.tsx';
import type { JudgeWords } from './words/words.ts';
import type { LandscapeGraph, Stability } from '../../service/types.ts';

interface StabilitySectionProps {
  readonly graph: LandscapeGraph;
  readonly stability: Counted<Stability>;
  /** The chosen unit. */
  readonly unit: string | undefined;
  readonly words: JudgeWords;
}

/** The land that keeps its zone and its leading sector when the parameters change: three figures, and one for each zone. */
export function StabilitySection({ graph, stability, unit, words }: StabilitySectionProps) {
  return (
    <section class="sheet pad" aria-labelledby="stability-title">
      <h2 id="stability-title">{words.stabilityTitle}</h2>
      <p class="small muted">{words.stabilityLead}</p>
      <WhenLoaded loaded={stability} title={words.noStability} updating={words.updating}>
        {(value) => {
          const { thresholds, order, both } = value.units.find(({ kato }) => kato === unit) ?? value;
          const { cases } = value;
          const share = (kept: { readonly share: number | null }): string =>
            kept.share === null ? '–' : formatShare(kept.share, language());
          return (
            <>
              <ul class="stable">
                <li>{words.stableThresholds(share(thresholds), cases.thresholds)}</li>
                <li>{words.stableOrder(share(order), cases.order)}</li>
                <li>
                  <strong>{words.stableBoth(share(both), cases.thresholds + cases.order)}</strong>
                </li>
              </ul>
              {unit === undefined && <ByCode value={value} graph={graph} words={words} />}
            </>
          );
        }}
      </WhenLoaded>
    </section>
  );
}

interface ByCodeProps {
  readonly value: Stability;
  readonly graph: LandscapeGraph;
  readonly words: JudgeWords;
}

function ByCode({ value, graph, words }: ByCodeProps) {
  const entries = graph.nodes.at(-1)?.legend.entries ?? [];
  return (
    <details>
      <summary>{words.stableCodes}</summary>
      <table class="areas">
        <thead>
          <tr>
            <th scope="col">{words.zone}</th>
            <th scope="col" class="number">
              {words.hectares}
            </th>
            <th scope="col" class="number">
              {words.keeps}
            </th>
          </tr>
        </thead>
        <tbody>
          {value.codes.map(({ code, zoned_ha: zoned, both }) => {
            const entry = entries.find((each) => each.value === code);
            return (
              <tr key={code}>
                <th scope="row">
                  <span class="swatch" style={{ background: entry?.color ?? 'none' }} aria-hidden="true" />
                  <span>{entry?.label ?? code}</span>
                </th>
                <td class="number">{formatHectares(zoned, language())}</td>
                <td class="number">{both.share === null ? '–' : formatShare(both.share, language())}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </details>
  );
}
