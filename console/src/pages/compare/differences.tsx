import type { ComponentChildren } from 'preact';
import { hrefOf } from '../../address/address.ts';
import { valueText } from '../runs/facts/reasons.ts';
import type { CompareWords } from './words/words.ts';
import type { LandscapeGraph, RunComparison } from '../../service/types.ts';

interface DifferencesProps {
  readonly comparison: RunComparison;
  readonly graph: LandscapeGraph;
  readonly words: CompareWords;
}

/** The settings and the inputs that differ between the runs. */
export function Differences({ comparison, graph, words }: DifferencesProps) {
  const { differs, run } = words;
  const { graph_version: version, params, inputs } = comparison;
  const isSame = version === null && params.length + inputs.length === 0;
  return (
    <section class="sheet pad stack" aria-labelledby="compare-differs">
      <h2 id="compare-differs">{differs.title}</h2>
      {isSame && <p>{differs.nothing}</p>}
      {!isSame && (
        <table class="areas differences">
          <thead>
            <tr>
              <th scope="col">{differs.thing}</th>
              <th scope="col">{run.a}</th>
              <th scope="col">{run.b}</th>
            </tr>
          </thead>
          <tbody>
            {version !== null && (
              <Row title={differs.method} matters words={words}>
                <td>{version.a}</td>
                <td>{version.b}</td>
              </Row>
            )}
            {params.map(({ name, title, a, b, matters }) => (
              <Row key={name} title={title} matters={matters} words={words}>
                <td>{valueText(a, graph)}</td>
                <td>{valueText(b, graph)}</td>
              </Row>
            ))}
            {inputs.map(({ group, title, a, b, matters }) => (
              <Row key={group} title={title} matters={matters} words={words}>
                <td>
                  <Input raster={a} words={words} />
                </td>
                <td>
                  <Input raster={b} words={words} />
                </td>
              </Row>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

interface RowProps {
  readonly title: string;
  readonly matters: boolean;
  readonly words: CompareWords;
  readonly children: ComponentChildren;
}

function Row({ title, matters, words, children }: RowProps) {
  return (
    <tr class={matters ? undefined : 'is-absent'}>
      <th scope="row">
        <span>
          {title}
          {!matters && <span class="small muted idle">{words.differs.idle}</span>}
        </span>
      </th>
      {children}
    </tr>
  );
}

function Input({
  raster,
  words: { differs },
}: {
  readonly raster: RunComparison['inputs'][number]['a'];
  readonly words: CompareWords;
}) {
  if (raster === null) return <span class="muted">{differs.own}</span>;
  if (raster.name === null) return <span class="muted">{differs.deleted}</span>;
  return <a href={hrefOf(['datasets', raster.dataset_id])}>{raster.name}</a>;
}
