import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { en } from '../../../console/src/words/en.ts';
import { kk } from '../../../console/src/words/kk.ts';
import { ru } from '../../../console/src/words/ru.ts';
import type { Language, Words } from '../../../console/src/words/languages.ts';
import { foreignWords, noteGivenNames } from './foreign-words.ts';
import { findChromium, headlessPackage } from './chromium.ts';
import { allOrTurnOf, isLongTier } from '../tier.ts';

/** The texts of the page by language; stories find elements by them. */
export const wordsOf: Readonly<Record<Language, Words>> = { en, ru, kk };

const axePath = fileURLToPath(import.meta.resolve('axe-core/axe.min.js'));
/** Prevents the requests that the operating system or Chromium makes on its own. */
const common = ['--disable-background-networking', '--no-first-run'];
/** Office computers and remote desktops often have no WebGL. */
const withoutGpu = ['--disable-gpu', '--disable-software-rasterizer'];

interface BrowserOptions {
  readonly gpu?: boolean;
  /** A Chromium with a window, for figures that are published. */
  readonly isWhole?: boolean;
  /** Further arguments of Chromium. */
  readonly more?: readonly string[];
}

/**
 * Starts Chromium.
 * @throws {Error} with the command that installs it
 */
export async function openBrowser({
  gpu = false,
  isWhole = false,
  more = [],
}: BrowserOptions = {}): Promise<Browser> {
  const executablePath = findChromium(isWhole ? 'whole' : 'headless');
  const name = isWhole ? 'chromium' : headlessPackage;
  if (executablePath === undefined) throw new Error(`there is no Chromium here: apt-get install ${name}`);
  const args = [...common, ...(gpu ? [] : withoutGpu), ...more];
  return await chromium.launch({ executablePath, chromiumSandbox: false, args });
}

interface Setting {
  readonly language: Language;
  readonly width: number;
  readonly gpu: boolean;
}

/** Every language on a desktop and on a phone, with and without WebGL, which no page requires. */
const settings: readonly Setting[] = [
  { language: 'ru', width: 1280, gpu: true },
  { language: 'kk', width: 360, gpu: false },
  { language: 'en', width: 1280, gpu: false },
];

/** Settings in which a story runs: all in the long tier, one in the short tier. */
export function settingsOf(turn: 0 | 1 | 2): readonly Setting[] {
  const chosen = allOrTurnOf(settings, turn);
  return isLongTier ? chosen : chosen.map((setting) => ({ ...setting, gpu: false }));
}

/** The title of a story in one of the settings. */
export function titleOf(story: string, { language, width, gpu }: Setting): string {
  return `${story} (${language}, ${width} px, ${gpu ? 'with' : 'without'} WebGL)`;
}

/** Runs in the page; this program does not have its globals. */
const reportViolations = `document.addEventListener('securitypolicyviolation', (event) =>
  console.error('policy: ' + event.violatedDirective + ' ' + event.blockedURI))`;

interface Visit {
  readonly baseUrl: string;
  readonly language: Language;
  readonly width?: number;
  /** Errors on the console that belong to the story: Chromium logs each refused request. */
  readonly expected?: RegExp;
  /** Names given by users that the page shows, beside those of datasets, groups and categories. */
  readonly given?: readonly string[];
  /** Prepares the page before its first request. */
  readonly before?: (page: Page) => unknown;
  /** Context of an earlier visit, with everything that its browser has stored. */
  readonly within?: BrowserContext;
}

/**
 * Opens the page in a new context. Records what no page may do: requests to another origin, violations of the
 * policy, errors on the console and errors without a handler.
 */
export async function visit(
  browser: Browser,
  { baseUrl, language, width = 1280, expected, given = [], before, within }: Visit,
) {
  const viewport = { width, height: 800 };
  const context = within ?? (await browser.newContext({ locale: language, viewport }));
  const faults: string[] = [];
  await context.addInitScript(reportViolations);
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  page.on('console', (message) => {
    // A busy service may briefly be unready; the page then says so and asks again.
    const { url } = message.location();
    if (message.type() !== 'error' || url.endsWith('/readyz')) return;
    if (expected?.test(message.text()) !== true) faults.push(`${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (!['data:', 'blob:'].includes(url.protocol) && url.origin !== new URL(baseUrl).origin)
      faults.push(`request to ${url.origin}`);
  });
  const givenNames = noteGivenNames(page);
  await before?.(page);
  await page.goto(baseUrl);
  return {
    page,
    words: wordsOf[language],
    /** Fails if the page has done something that no page may do. */
    checkFaults: (where: string): void => assert.deepEqual(faults, [], where),
    /** Fails for violations of accessibility, for sideways scrolling, for words of another language, and for what no page may do. */
    async check(where: string): Promise<void> {
      assert.deepEqual(faults, [], where);
      assert.deepEqual(await findBarriers(page), [], where);
      const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      const beyond = overflow <= 0 ? '' : await page.evaluate<string>(elementsBeyond);
      assert.ok(overflow <= 0, `${where}: ${overflow} pixels lie beyond the right edge: ${beyond}`);
      if (language === 'en') return;
      // Names from the graph arrive a moment after the page.
      let foreign = await foreignWords(page, [...given, ...(await givenNames())]);
      for (let tries = 1; foreign.length > 0 && tries <= 20; tries += 1) {
        await page.waitForTimeout(100);
        foreign = await foreignWords(page, [...given, ...(await givenNames())]);
      }
      assert.deepEqual(foreign, [], where);
    },
    close: async () => await context.close(),
  };
}

/** Animations that end by themselves, which would fail the check of contrast while they run. */
const endAnimations = `Promise.allSettled(document.getAnimations()
  .filter((animation) => animation.effect?.getComputedTiming().iterations !== Infinity)
  .map((animation) => animation.finished)).then(() => undefined)`;

/** Findings of axe on the current page. It runs through the debugger, so that the policy of the page stays in force. */
export async function findBarriers(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate<boolean>('"axe" in window')))
    await page.evaluate(await readFile(axePath, 'utf8'));
  // Without transitions: one could begin while axe runs, and colours between two states fail its check of contrast.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.evaluate(endAnimations);
  const found: unknown = await page.evaluate(
    'axe.run(document, { resultTypes: ["violations"], preload: false })',
  );
  await page.emulateMedia({ reducedMotion: null });
  const { violations }: { violations: readonly { id: string; nodes: readonly { html: string }[] }[] } =
    Object(found);
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`,
  );
}

/** A script for a page: lists the outermost elements that extend beyond the right edge and are not within a scrolling element. */
const elementsBeyond = `{
  const scrolls = (element) => element !== null && element !== document.body &&
    (getComputedStyle(element).overflowX !== 'visible' || scrolls(element.parentElement));
  [...document.querySelectorAll('body *')]
    .filter((element) => element.getBoundingClientRect().right > innerWidth && !scrolls(element.parentElement))
    .map(({ localName, className }) => localName + '.' + className).slice(0, 12).join(', ');
}`;
