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

/** The sentences of the page, from which stories take the names of what they look for. */
export const wordsOf: Readonly<Record<Language, Words>> = { en, ru, kk };

const axePath = fileURLToPath(import.meta.resolve('axe-core/axe.min.js'));
/** Those that the operating system or Chromium itself does without being asked are switched off. */
const common = ['--disable-background-networking', '--no-first-run'];
/** Office computers and remote desktops often have no WebGL. */
const withoutGpu = ['--disable-gpu', '--disable-software-rasterizer'];

interface BrowserOptions {
  readonly gpu?: boolean;
  /** As people have it, for figures that are published. */
  readonly isWhole?: boolean;
  /** Arguments of Chromium beside those of every test. */
  readonly more?: readonly string[];
}

/** Starts Chromium. @throws {Error} with the one line to type when there is none. */
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

/** Every language, a desk and a phone, with and without WebGL, which no page needs. */
const settings: readonly Setting[] = [
  { language: 'ru', width: 1280, gpu: true },
  { language: 'kk', width: 360, gpu: false },
  { language: 'en', width: 1280, gpu: false },
];

/** The settings in which a story is told: all in the long tier, and one in the short one, where one browser is enough for all. */
export function settingsOf(turn: 0 | 1 | 2): readonly Setting[] {
  const chosen = allOrTurnOf(settings, turn);
  return isLongTier ? chosen : chosen.map((setting) => ({ ...setting, gpu: false }));
}

/** The title of a story in one of the settings. */
export function titleOf(story: string, { language, width, gpu }: Setting): string {
  return `${story} (${language}, ${width} px, ${gpu ? 'with' : 'without'} WebGL)`;
}

/** Runs in the page, whose globals this program does not have. */
const reportViolations = `document.addEventListener('securitypolicyviolation', (event) =>
  console.error('policy: ' + event.violatedDirective + ' ' + event.blockedURI))`;

interface Visit {
  readonly baseUrl: string;
  readonly language: Language;
  readonly width?: number;
  /** An error on the console that belongs to the story: Chromium notes each answer that refuses something. */
  readonly expected?: RegExp;
  /** Names on the page that users have given, beside those of datasets, groups and categories. */
  readonly given?: readonly string[];
  /** Prepares the page before it asks for anything. */
  readonly before?: (page: Page) => unknown;
  /** The context of an earlier visit, with all that its browser has kept. */
  readonly within?: BrowserContext;
}

/**
 * Opens the page in a new context. What no page may do is noted: requests to another origin, violations of the policy,
 * errors on the console or without a handler.
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
    // A busy service may be unready for a moment; the page says so, and asks again.
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
    /** Fails for what a page may not do. */
    checkFaults: (where: string): void => assert.deepEqual(faults, [], where),
    /**
     * Fails for what a page may not do, for what a screen reader cannot use, for sideways scrolling, and for words of another language.
     */
    async check(where: string): Promise<void> {
      assert.deepEqual(faults, [], where);
      assert.deepEqual(await findBarriers(page), [], where);
      const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      const beyond = overflow <= 0 ? '' : await page.evaluate<string>(elementsBeyond);
      assert.ok(overflow <= 0, `${where}: ${overflow} pixels lie beyond the right edge: ${beyond}`);
      if (language === 'en') return;
      // Names that the graph has given come a moment after the page.
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

/** Colours on their way from one to another are none that a person reads. */
const endTransitions = `Promise.allSettled(document.getAnimations()
  .filter((animation) => animation.effect?.getComputedTiming().iterations !== Infinity)
  .map((animation) => animation.finished)).then(() => undefined)`;

/** Findings of axe on the page as it is now. It runs by the debugger, so that the policy of the page stays in force. */
export async function findBarriers(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate<boolean>('"axe" in window')))
    await page.evaluate(await readFile(axePath, 'utf8'));
  await page.evaluate(endTransitions);
  const found: unknown = await page.evaluate(
    'axe.run(document, { resultTypes: ["violations"], preload: false })',
  );
  const { violations }: { violations: readonly { id: string; nodes: readonly { html: string }[] }[] } =
    Object(found);
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`,
  );
}

/** A program for a page: names the elements that reach beyond its right edge and lie in nothing that scrolls, the outermost first. */
const elementsBeyond = `{
  const scrolls = (element) => element !== null && element !== document.body &&
    (getComputedStyle(element).overflowX !== 'visible' || scrolls(element.parentElement));
  [...document.querySelectorAll('body *')]
    .filter((element) => element.getBoundingClientRect().right > innerWidth && !scrolls(element.parentElement))
    .map(({ localName, className }) => localName + '.' + className).slice(0, 12).join(', ');
}`;
