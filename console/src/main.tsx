import { render } from 'preact';
import { address, followAddress, parseAddress } from './address/address.ts';
import { App } from './app/app.tsx';
import { MapPage } from './app/pages.tsx';
import { prefetchMap } from './map/prefetch-map.ts';
import { readCapabilities } from './service/capabilities.ts';
import { tokens } from './service/token.ts';
import { languages } from './words/languages.ts';
import './stylesheets/base.css';
import './stylesheets/shell.css';
import './stylesheets/pages.css';
import { chooseLanguage, preferredLanguage } from './words/words.ts';

/** The longest time that the frame of the page waits for the script of a map. */
const frameAfterMs = 250;
// A request that fails here is repeated, and its failure shown, when the map opens.
const { path, query } = parseAddress(location.hash);
const isMap = path[0] === 'map';
if (isMap) void prefetchMap(query.toString()).catch(() => undefined);
const mapIsHere = isMap ? MapPage.load().catch(() => undefined) : undefined;
const hasWords = await chooseFirstLanguage();
// Drawing the page once, together with its map, costs half of drawing it twice; on a slow network the frame appears first.
await Promise.race([mapIsHere, new Promise((resolve) => setTimeout(resolve, frameAfterMs))]);
followAddress();
// The token decides which buttons are shown.
tokens.subscribe(() => void readCapabilities());
const target = document.getElementById('app');
if (target === null) throw new Error('the page has no place for the console');
// Without words nothing can be drawn: the static page explains what to do.
if (hasWords) {
  target.replaceChildren();
  render(<App />, target);
} else document.body.classList.add('is-broken');

// A new page scrolls to the top and moves the focus to its heading, for screen readers.
let shown = address.peek().path.join('/');
address.subscribe(({ path }) => {
  const next = path.join('/');
  if (next === shown) return;
  shown = next;
  requestAnimationFrame(() => {
    scrollTo(0, 0);
    document.querySelector('h1')?.focus();
  });
});

/** Tries the preferred language, then each of the others. */
async function chooseFirstLanguage(): Promise<boolean> {
  const preferred = preferredLanguage();
  for (const language of [preferred, ...languages.filter((each) => each !== preferred)]) {
    const isThere = await chooseLanguage(language).then(
      () => true,
      () => false,
    );
    if (isThere) return true;
  }
  return false;
}
