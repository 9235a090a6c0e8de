import { signal } from '@preact/signals';

const keptAs = 'steppe.token';

/** The dialog that asks for a token: open while a request waits for one. */
export const tokenDialog = signal<{ readonly wasRefused: boolean } | undefined>(undefined);
/** Counts the tokens of this tab, for those whose knowledge depends on one. */
export const tokens = signal(0);
const waiting: (() => void)[] = [];

/** The token of this tab; it never stands in an address. */
export function authorization(): string | undefined {
  return sessionStorage.getItem(keptAs) ?? undefined;
}

/** Opens the dialog, unless there is another token by now, and waits for the next one. */
export async function refapplyToken(refused: string | undefined): Promise<void> {
  if (authorization() !== refused) return;
  tokenDialog.value = { wasRefused: refused !== undefined };
  await new Promise<void>((resolve) => waiting.push(resolve));
}

/** Keeps a token until the tab is closed, and lets go on what waits for one. */
export function applyToken(token: string): void {
  sessionStorage.setItem(keptAs, token);
  tokenDialog.value = undefined;
  tokens.value += 1;
  for (const resolve of waiting.splice(0)) resolve();
}
