/** For what `npm test` shows in a browser: a file that imports this is left out, with a notice, where there is no Chromium. */
export { openBrowser, visit } from './browser.ts';
