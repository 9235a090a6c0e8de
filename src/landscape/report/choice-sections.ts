import { reportWords as words } from '../../messages/report/english.ts';
import { shareOf } from '../balance/land.ts';
import { leastContestedS } from '../../../common/landscape/cells.ts';
import type { ReportFacts } from './facts.ts';
import { type Content, markup } from './html.ts';
import { idOf, type Section, shown, type Locale, table } from './pieces.ts';
import { titleOfGroup } from './land-sections.ts';

/** The settings of the run, beside the defaults. */
export function settingsSection(facts: ReportFacts, locale: Locale): Section {
  const { run, graph } = facts;
  const { say } = locale;
  const titles = new Map(graph.sectors.map(({ number, title }) => [number, title]));
  const written = (value: number | readonly number[]): string =>
    typeof value === 'number'
      ? String(value)
      : value.map((number) => titles.get(number) ?? number).join(' › ');
  const values = new Map(Object.entries(run.params));
  const rows = graph.params.map(({ name, title, description, default: usual }): Content[] => {
    const value = values.get(name) ?? usual;
    const isOther = JSON.stringify(value) !== JSON.stringify(usual);
    return [
      markup`${title}<br><span class="note">${description}</span>`,
      markup`<span class="${isOther ? 'is-other' : 'is-usual'}">${written(value)}</span>`,
      written(usual),
      name === 'window_size' ? say(words.technical) : say(isOther ? words.isOther : words.isUsual),
    ];
  });
  const pinned = Object.entries(run.overrides);
  const { from_stage: stage } = run;
  return {
    id: 'settings',
    title: words.settings,
    body: markup`${table({
      kind: 'settings',
      caption: say(words.parameters),
      columns: [say(words.parameter), say(words.value), say(words.usual), say(words.comparison)],
      rows: rows.toSorted(byImportance),
    })}
    ${
      pinned.length === 0
        ? markup`<p>${say(words.pinnedNone)}</p>`
        : markup`<h3>${say(words.pinned)}</h3>
            <ul>
              ${pinned.map(([group, id]) => markup`<li>${titleOfGroup(group, facts) ?? group}: ${idOf(id, facts)}</li> `)}
            </ul>`
    }
    ${stage !== null && markup`<p>${say(words.fromStage(stage))}</p>`}`,
  };

  /** Sorts settings without an effect on figures last. */
  function byImportance(one: readonly Content[], other: readonly Content[]): number {
    const technical = say(words.technical);
    return Number(one[3] === technical) - Number(other[3] === technical);
  }
}

const mostSets = 8;

/** The section about land for which several sectors compete. */
export function orderSection({ judged, run, graph }: ReportFacts, locale: Locale): Section {
  const { say, ha, share } = locale;
  const order = run.params.tie_priority.map(
    (number) => graph.sectors.find((each) => each.number === number)?.title ?? String(number),
  );
  return {
    id: 'order',
    title: words.order,
    body: shown(judged, locale, ({ conflicts }) => {
      const { sentence } = conflicts.chosen_by_order;
      const sets = conflicts.sets.filter((set) => set.ha > 0).slice(0, mostSets + 1);
      return markup`<p class="sentence">${sentence}</p>
        <p>${say(words.orderNote)} ${say(words.orderIs(order.join(' › ')))}</p>
        ${
          sets.length > 0 &&
          table({
            caption: say(words.contested(String(leastContestedS))),
            columns: [say(words.competing), `#${say(words.hectares)}`, `#${say(words.ofAllocable)}`],
            rows: sets.map((set) => [set.title, ha(set.ha), share(shareOf(set.ha, conflicts.allocable_ha))]),
            foot: [[say(words.sum), ha(conflicts.contested_ha), share(conflicts.contested_share)]],
          })
        }`;
    }),
  };
}

/** The section about the stability of the zoning, in three figures. */
export function stabilitySection({ judged }: ReportFacts, locale: Locale): Section {
  const { say, share } = locale;
  return {
    id: 'stability',
    title: words.stability,
    body: shown(judged, locale, ({ stability: { thresholds, order, both, cases } }) => {
      const figures = [
        [thresholds.share, words.byThresholds(cases.thresholds)],
        [order.share, words.byOrder(cases.order)],
        [both.share, words.byBoth(cases.thresholds + cases.order)],
      ] as const;
      return markup`<ul class="figures">
          ${figures.map(([kept, what]) => markup`<li><b>${share(kept)}</b> ${say(what)}</li> `)}
        </ul>
        <p class="note">${say(words.stabilityNote)}</p>`;
    }),
  };
}

/** The section about the holes that each input leaves. */
export function gapsSection(facts: ReportFacts, locale: Locale): Section {
  const { say, ha } = locale;
  return {
    id: 'gaps',
    title: words.gaps,
    body: shown(facts.gaps, locale, ({ inputs }) => {
      const holed = inputs.filter(({ missing_ha: missing }) => missing > 0);
      if (holed.length === 0) return markup`<p>${say(words.complete)}</p>`;
      return markup`<p>${say(words.gapsNote)}</p>
        ${table({
          caption: say(words.holesByInput),
          columns: [say(words.input), `#${say(words.missing)}`, `#${say(words.alone)}`],
          rows: holed.map(({ group, missing_ha: missing, alone_ha: alone }) => [
            titleOfGroup(group, facts) ?? group,
            ha(missing),
            ha(alone),
          ]),
        })}`;
    }),
  };
}
