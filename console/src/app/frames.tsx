import './frames.css';
import type { ComponentChildren } from 'preact';
import { address, hrefOf } from '../address/address.ts';
import { useTitle } from '../parts/hooks.ts';
import { words } from '../words/words.ts';

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

/** The heading of the map, which screen readers alone see. */
export function MapHeading({ children }: { readonly children: ComponentChildren }) {
  const { map } = words().shell;
  useTitle(map);
  return (
    <>
      <h1 tabIndex={-1} class="visually-hidden">
        {map}
      </h1>
      {children}
    </>
  );
}
