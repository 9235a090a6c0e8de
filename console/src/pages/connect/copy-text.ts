/**
 * Copies a text. Browsers have a clipboard for pages over https and on one's own machine alone; inside a network, where the service is often
 * http, the text is selected and copied as a person would.
 * @param shown where the text stands on the page @returns whether it was copied; if not, it is selected
 */
export async function copyText(text: string, shown: HTMLElement | null): Promise<boolean> {
  // oxlint-disable-next-line typescript/no-unnecessary-condition -- over http there is none
  if (navigator.clipboard !== undefined) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // The person or a policy has not allowed it.
    }
  }
  if (shown === null) return false;
  const range = document.createRange();
  range.selectNodeContents(shown);
  const selection = getSelection();
  selection?.removeAllRanges();
  selection?.addRange(range);
  // oxlint-disable-next-line typescript/no-deprecated -- nothing else copies over http
  return document.execCommand('copy');
}
