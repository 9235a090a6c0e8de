/** Browser for `npm test`. Files that import this module are left out, with a notice, where Chromium is not installed. */
export { openBrowser, visit } from './browser.ts';
