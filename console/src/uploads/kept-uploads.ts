/** Where the browser keeps the ids of uploads that are not at their end. */
const keptAs = 'steppe-uploads';
/** The service has given up by then what nothing was added to. */
const daysKept = 7;

type Kept = Readonly<Record<string, { readonly id: string; readonly day: number }>>;

/** What tells a file and where it goes from any other; a file that has changed has another time. */
export function fingerprintOf(
  { name, size, lastModified }: Pick<File, 'name' | 'size' | 'lastModified'>,
  fields: Readonly<Record<string, string>>,
): string {
  return JSON.stringify([name, size, lastModified, fields['slot'], fields['category_id'], fields['dg_id']]);
}

/** The id of the upload of a file that was begun and did not come to its end. */
export function keptUpload(fingerprint: string): string | undefined {
  return read()[fingerprint]?.id;
}

export function keepUpload(fingerprint: string, id: string): void {
  write({ ...read(), [fingerprint]: { id, day: today() } });
}

export function forgetUpload(fingerprint: string): void {
  const { [fingerprint]: _forgotten, ...others } = read();
  write(others);
}

const today = (): number => Math.floor(Date.now() / 86_400_000);

function read(): Kept {
  try {
    const kept: Kept = Object(JSON.parse(localStorage.getItem(keptAs) ?? '{}'));
    return Object.fromEntries(Object.entries(kept).filter(([, { day }]) => today() - day < daysKept));
  } catch {
    return {};
  }
}

function write(kept: Kept): void {
  try {
    localStorage.setItem(keptAs, JSON.stringify(kept));
  } catch {
    // A browser that keeps nothing begins again.
  }
}
