import { address, hrefOf } from '../address/address.ts';
import { words } from '../words/words.ts';

/** Returns the number of the page in the address, from 1; 1 if it is missing or invalid. */
export function pageInAddress(): number {
  return Math.max(1, Number.parseInt(address.value.query.get('page') ?? '1', 10) || 1);
}

/** Writes the number of a page for the query of an address, which omits the first page. */
export const pageParameter = (page: number): string | undefined => (page > 1 ? String(page) : undefined);

interface PageLinksProps {
  readonly path: readonly string[];
  /** From 1. */
  readonly page: number;
  readonly pages: number;
  readonly label: string;
}

/** Links to the pages of a list before and after the one that is shown; nothing if there is only one. */
export function PageLinks({ path, page, pages, label }: PageLinksProps) {
  const { datasets: text } = words();
  if (pages < 2) return undefined;
  const query = Object.fromEntries(address.value.query);
  const hrefFor = (to: number): string => hrefOf(path, { ...query, page: pageParameter(to) });
  return (
    <nav class="pages" aria-label={label}>
      {page > 1 && (
        <a class="button" href={hrefFor(page - 1)} rel="prev">
          ‹ {text.previous}
        </a>
      )}
      <span class="muted">{label}</span>
      {page < pages && (
        <a class="button" href={hrefFor(page + 1)} rel="next">
          {text.next} ›
        </a>
      )}
    </nav>
  );
}
