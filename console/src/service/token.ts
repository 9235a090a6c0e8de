import { signal } from '@preact/signals';

const keptAs = 'steppe.token';

/** The dialog that asks for a token: open while a request waits for one. */
export const tokenDialog = signal<{ readonly wasRefused: boolean } | undefined>(undefined);
/** Counts the tokens of this tab, for those whose knowledge depends on one. */
export const tokens = signal(0);
const waiting: ((isGiven: boolean) => void)[] = [];

/** The token of this tab; it never stands in an address. */
export function authorization(): string | undefined {
  return sessionStorage.getItem(keptAs) ?? undefined;
}

/**
 * Opens the dialog, unless there is another token by now, and waits for the next one. Returns false when none is given:
 * the refusal of the service stands then.
 */
export async function askForToken(refused: string | undefined): Promise<boolean> {
  if (authorization() !== refused) return true;
  tokenDialog.value = { wasRefused: refused !== undefined };
  return await new Promise<boolean>((resolve) => waiting.push(resolve));
}

/** Ends the wait of all who wait for a token. */
export function declineToken(): void {
  tokenDialog.value = undefined;
  for (const resolve of waiting.splice(0)) resolve(false);
}

/** Keeps a token until the tab is closed, and lets go on what waits for one. */
export function applyToken(token: string): void {
  sessionStorage.setItem(keptAs, token);
  tokenDialog.value = undefined;
  tokens.value += 1;
  for (const resolve of waiting.splice(0)) resolve(true);
}
