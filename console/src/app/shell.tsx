import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Mark } from '../parts/signs.tsx';
import { type Language, languages, namesOfLanguages } from '../words/languages.ts';
import { chooseLanguage, language, words } from '../words/words.ts';
import { address, hrefOf } from '../address/address.ts';
import { StatusLine } from './status-line.tsx';

/** The frame around every page. */
export function Shell({ children }: { readonly children: ComponentChildren }) {
  const { shell } = words();
  const [section = 'datasets'] = address.value.path;
  return (
    <>
      <a class="skip" href="#main" onClick={skipToMain}>
        {shell.skip}
      </a>
      <StatusLine />
      <header class="masthead">
        <a class="brand" href={hrefOf([])}>
          <Mark />
          <span>Steppe</span>
        </a>
        <nav aria-label={shell.main}>
          <a href={hrefOf([])} aria-current={section === 'datasets' ? 'page' : undefined}>
            {shell.data}
          </a>
          <a href={hrefOf(['map'])} aria-current={section === 'map' ? 'page' : undefined}>
            {shell.map}
          </a>
          <a href={hrefOf(['landscape'])} aria-current={section === 'landscape' ? 'page' : undefined}>
            {shell.landscape}
          </a>
          <a href={hrefOf(['connect'])} aria-current={section === 'connect' ? 'page' : undefined}>
            {shell.connect}
          </a>
        </nav>
        <Languages />
      </header>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
    </>
  );
}

/** The fragment of the address names the page, so the link has to move the focus itself. */
function skipToMain(event: Event): void {
  event.preventDefault();
  document.querySelector('main')?.focus();
}

function Languages() {
  const isMissing = useSignal(false);
  const choose = async (wanted: Language): Promise<void> => {
    isMissing.value = await chooseLanguage(wanted).then(
      () => false,
      () => true,
    );
  };
  return (
    <div class="languages" role="group" aria-label={words().shell.language}>
      {isMissing.value && (
        <span class="small wrong" role="alert">
          {words().failure.script}{' '}
          <a href="./" onClick={reload}>
            {words().failure.reload}
          </a>
        </span>
      )}
      {languages.map((each) => (
        <button
          type="button"
          key={each}
          lang={each}
          aria-label={`${namesOfLanguages[each].short} · ${namesOfLanguages[each].long}`}
          aria-pressed={each === language()}
          onClick={() => void choose(each)}
        >
          {namesOfLanguages[each].short}
        </button>
      ))}
    </div>
  );
}

function reload(event: Event): void {
  event.preventDefault();
  location.reload();
}
