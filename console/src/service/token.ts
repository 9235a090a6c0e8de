import { signal } from '@preact/signals';

const storageKey = 'steppe.token';

/** The dialog that asks for a token, open while a request waits for one. */
export const tokenDialog = signal<{ readonly wasRefused: boolean } | undefined>(undefined);
/** Counts the tokens of this tab; subscribers reload data that depends on the token. */
export const tokens = signal(0);
const waiting: ((isGiven: boolean) => void)[] = [];

/** The `Authorization` header of this tab; the token is never part of an address. */
export function authorization(): string | undefined {
  return sessionStorage.getItem(storageKey) ?? undefined;
}

/**
 * Opens the dialog unless the token has changed since, and waits for the next one. Returns false if none is given, so
 * that the refusal stands.
 */
export async function askForToken(refused: string | undefined): Promise<boolean> {
  if (authorization() !== refused) return true;
  tokenDialog.value = { wasRefused: refused !== undefined };
  return await new Promise<boolean>((resolve) => waiting.push(resolve));
}

/** Ends the wait of all requests for a token. */
export function declineToken(): void {
  tokenDialog.value = undefined;
  for (const resolve of waiting.splice(0)) resolve(false);
}

/** Keeps a token until the tab is closed, and resumes the requests that wait for one. */
export function applyToken(token: string): void {
  sessionStorage.setItem(storageKey, token);
  tokenDialog.value = undefined;
  tokens.value += 1;
  for (const resolve of waiting.splice(0)) resolve(true);
}
