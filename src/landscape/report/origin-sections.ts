import type { LineageStep } from '../runs/lineage-schema.ts';
import { originPhrases } from '../../messages/datasets/english.ts';
import { reportWords as words } from '../../messages/report/english.ts';
import type { PlannedNode } from '../runs/plan-schema.ts';
import type { RecordContent } from '../runs/record-schema.ts';
import type { ReportFacts } from './facts.ts';
import { type Content, markup } from './html.ts';
import { titleOfUser } from '../../../common/landscape/lineage.ts';
import { formatMoment, formatPeriod } from '../../../common/formats/days.ts';
import { code, idOf, said, type Section, shown, type Locale, table } from './pieces.ts';

/** The input files with their digests, by which their use can be proved. */
export function filesSection(facts: ReportFacts, locale: Locale): Section {
  const { say } = locale;
  return {
    id: 'files',
    title: words.files,
    body: shown(facts.lineage, locale, ({ steps, is_complete: isComplete }) => {
      const files = steps.filter(({ node }) => node === null);
      return markup`<p>${say(words.filesNote)}</p>
        ${!isComplete && markup`<p>${say(words.incomplete)}</p>`}
        ${table({
          kind: 'origin',
          caption: say(words.filesOf(files.length)),
          columns: [say(words.input), say(words.file), `${say(words.dataset)}, ${say(words.digest)}`],
          rows: files.map((step) => fileRow(step, titleOfUser(step, steps), facts, locale)),
        })}`;
    }),
  };
}

const originOf = {
  measured: originPhrases.isMeasured,
  derived: originPhrases.isDerived,
  invented: originPhrases.isInvented,
} as const;

function fileRow(
  step: LineageStep,
  user: string | undefined,
  facts: ReportFacts,
  { say, moment, language }: Locale,
): readonly Content[] {
  const { group, title, filename, name, start_date: start, end_date: end, sha256 } = step;
  const role = title ?? (user === undefined ? (group ?? '–') : say(words.sourceOf(user)));
  const origin = step.origin === null ? '' : ` (${say(originOf[step.origin])})`;
  const head = `${role}${origin}`;
  const id = idOf(step.dataset_id, facts);
  if (step.is_deleted) return [head, say(words.deleted), id];
  return [
    head,
    markup`${said(filename ?? '')}${name !== filename && markup`<br>${said(name ?? '')}`} <br><span
        class="note"
        >${(start ?? end) !== null && `${say(words.period)}: ${formatPeriod(start, end, language) ?? '–'}. `}${say(words.uploaded)}:
        ${moment(step.created_at)}</span
      >`,
    markup`${id}<br>${sha256 === null ? say(words.noDigest) : code(sha256)}`,
  ];
}

/** Every node with the reason for its computation or reuse, and the digest of its map. */
export function nodesSection(facts: ReportFacts, locale: Locale): Section {
  const { run, plan, graph, digests } = facts;
  const { say, moment } = locale;
  const planned = new Map(plan.nodes.map((node) => [node.node_code, node]));
  const titles = new Map(graph.nodes.map(({ code: each, title }) => [each, title]));
  const rows = (run.nodes ?? []).map((node): readonly Content[] => {
    const id = node.outputs?.[0]?.dataset_id;
    const digest = id === undefined ? undefined : digests.get(id);
    return [
      markup`${node.node_code} ${titles.get(node.node_code)}`,
      markup`${howMade(planned.get(node.node_code), node.status, locale)}<br><span class="note"
          >${moment(node.finished_at)}</span
        >`,
      markup`${id !== undefined && idOf(id, facts)}<br>${digest === undefined ? say(words.noDigest) : code(digest)}`,
    ];
  });
  return {
    id: 'nodes',
    title: words.nodes,
    body: markup`<p>${say(words.nodesNote)}</p>
      ${table({
        kind: 'origin',
        caption: say(words.nodesOf(rows.length)),
        columns: [say(words.node), say(words.how), `${say(words.dataset)}, ${say(words.digest)}`],
        rows,
      })}`,
  };
}

function howMade(planned: PlannedNode | undefined, status: string, { say }: Locale): string {
  const reason = planned?.reason ?? null;
  if (status === 'skipped') return say(words.reused);
  return reason === null ? say(words.madePlain) : say(words.made(say(words[reason])));
}

/** Titles of the states. */
export const stateWords = {
  draft: words.stateDraft,
  proposed: words.stateProposed,
  adopted: words.stateAdopted,
  withdrawn: words.stateWithdrawn,
} as const satisfies Record<RecordContent['state'], object>;

/** The changes of the record, with author and time. */
export function historySection({ history }: ReportFacts, locale: Locale): Section {
  const { say, language } = locale;
  const { rows, total } = history;
  const text = (written: string | null): Content => (written === null ? '–' : said(written));
  return {
    id: 'history',
    title: words.history,
    body:
      total === 0
        ? markup`<p>${say(words.noHistory)}</p>`
        : markup`<p>
              ${say(words.historyNote)} ${total > rows.length && say(words.newest(rows.length, total))}
            </p>
            ${table({
              caption: say(words.changes),
              columns: [
                words.revision,
                words.when,
                words.who,
                words.state,
                words.name,
                words.basis,
                words.note,
              ].map(say),
              rows: rows.map(({ revision, changed_at: at, changed_by: by, to }) => [
                revision,
                formatMoment(at, language, 'utc'),
                by === null ? say(words.unknown) : said(by),
                say(stateWords[to.state]),
                text(to.name),
                text(to.basis),
                text(to.note),
              ]),
            })}`,
  };
}

export function methodSection({ say }: Locale): Section {
  const { methodArea, methodCadastre, methodRounding, methodZones, methodMaps } = words;
  return {
    id: 'method',
    title: words.method,
    body: markup`<ul>
        ${[methodArea, methodCadastre, methodRounding, methodZones, methodMaps].map((each) => markup`<li>${say(each)}</li> `)}
      </ul>
      <h3>${say(words.isNot)}</h3>
      <ul>
        ${[words.isNotPlan, words.isNotTruth, words.isNotPlot].map((each) => markup`<li>${say(each)}</li> `)}
      </ul>`,
  };
}
