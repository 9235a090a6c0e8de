/** The name that a dataset gives to a file that is made of it; what no file system takes is a dash. */
export function fileNameOf(name: string, extension: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are among what is replaced
  const safe = name.replace(/[\u0000-\u001F\u007F<>:"/\\|?*]+/g, '-').replace(/^[\s.]+|[\s.]+$/g, '');
  const known = new RegExp(`\\.${extension}f?$`, 'i').test(safe);
  return `${(known ? safe.replace(/\.[^.]+$/, '') : safe).slice(0, 120) || 'dataset'}.${extension}`;
}
