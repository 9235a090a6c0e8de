import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { hrefOf } from '../../address/address.ts';
import { Waiting } from '../../parts/loading.tsx';
import { landscapeWords, loadLandscapeWords } from './words/landscape-words.ts';
import type { LandscapeWords } from './words/words.ts';
import { language } from '../../words/words.ts';
import { ResultsPage } from '../results/results-page.tsx';
import { RunPage } from '../runs/run-page.tsx';
import { RunsPage } from '../runs/runs-page.tsx';
import { LazyCompare } from '../compare/lazy-compare.tsx';
import { LazyJudge } from '../judge/lazy-judge.tsx';
import { InputsPage } from '../inputs/inputs-page.tsx';
import './landscape.css';

interface Path {
  readonly path: readonly string[];
}

/** The page that the path names, below the links to all of them. */
export function LandscapePages({ path }: Path) {
  const wanted = language();
  useEffect(() => void loadLandscapeWords(wanted), [wanted]);
  const words = landscapeWords();
  if (words === undefined) return <Waiting />;
  const [section = 'inputs', id, part] = path;
  return (
    <>
      <nav class="sections" aria-label={words.sections.title}>
        <Section href={hrefOf(['landscape'])} isOpen={section === 'inputs'} name={words.sections.inputs} />
        <Section
          href={hrefOf(['landscape', 'runs'])}
          isOpen={section === 'runs' || section === 'compare'}
          name={words.sections.runs}
        />
        <Section
          href={hrefOf(['landscape', 'results'])}
          isOpen={section === 'results'}
          name={words.sections.results}
        />
      </nav>
      {pageOf({ section, id, part }, words)}
    </>
  );
}

function Section({
  href,
  isOpen,
  name,
}: {
  readonly href: string;
  readonly isOpen: boolean;
  readonly name: string;
}) {
  return (
    <a href={href} aria-current={isOpen ? 'page' : undefined}>
      {name}
    </a>
  );
}

interface Wanted {
  readonly section: string;
  /** Of a run. */
  readonly id: string | undefined;
  /** The page about the run that is not its own. */
  readonly part: string | undefined;
}

function pageOf({ section, id, part }: Wanted, words: LandscapeWords): ComponentChildren {
  if (section === 'compare') return <LazyCompare path={[id ?? '', part ?? '']} />;
  if (section === 'runs' && id !== undefined && part === 'judge')
    return <LazyJudge key={id} id={id} landscape={words} />;
  if (section === 'runs')
    return id === undefined ? <RunsPage words={words} /> : <RunPage key={id} id={id} words={words} />;
  return section === 'results' ? <ResultsPage words={words} /> : <InputsPage words={words} />;
}
