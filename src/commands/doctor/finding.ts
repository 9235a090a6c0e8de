/** Result of one examination: one or more lines under a title. */
export interface Finding {
  readonly title: string;
  readonly lines: readonly string[];
  /** True if the service cannot work. */
  readonly isFault?: boolean;
}

/** Formats findings as a table with titles in the first column and a summary in the last line. */
export function tableOf(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ title }) => title.length)) + 2;
  const rows = findings.flatMap(({ title, lines }) =>
    lines.map((line, index) => `${(index === 0 ? title : '').padEnd(width)}${line}\n`),
  );
  const faults = findings.filter(({ isFault }) => isFault === true).map(({ title }) => title);
  const conclusion =
    faults.length === 0 ? 'Steppe can work here.' : `Steppe cannot work here; see ${faults.join(', ')}.`;
  return `${rows.join('')}\n${conclusion}\n`;
}

/** Formats a size, such as `31.4 GiB`. */
export function sizeOf(bytes: number): string {
  const units = ['KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
  const power = Math.min(units.length, Math.max(1, Math.floor(Math.log2(Math.max(1, bytes)) / 10)));
  return `${Number((bytes / 1024 ** power).toFixed(1))} ${units[power - 1]}`;
}
