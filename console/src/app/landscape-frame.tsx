import type { ComponentChildren } from 'preact';
import { address, hrefOf } from '../address/address.ts';
import { words } from '../words/words.ts';
import './landscape-frame.css';

/** The links to all pages of the Landscape Program, above the one that is open. */
export function LandscapeFrame({ children }: { readonly children: ComponentChildren }) {
  const text = words().landscape;
  const [, section] = address.value.path;
  const sections = [
    { path: ['landscape'], name: text.inputs, isOpen: section === undefined },
    { path: ['landscape', 'runs'], name: text.runs, isOpen: section === 'runs' || section === 'compare' },
    { path: ['landscape', 'results'], name: text.results, isOpen: section === 'results' },
  ];
  return (
    <>
      <nav class="sections" aria-label={text.title}>
        {sections.map(({ path, name, isOpen }) => (
          <a key={name} href={hrefOf(path)} aria-current={isOpen ? 'page' : undefined}>
            {name}
          </a>
        ))}
      </nav>
      {children}
    </>
  );
}
