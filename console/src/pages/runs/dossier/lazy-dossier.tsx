import { lazy, useLoaded } from '../../../parts/lazy.tsx';
import type { DossierProps } from './run-dossier.tsx';

const dossier = lazy<DossierProps>(async () => (await import('./run-dossier.tsx')).RunDossier);

/** The dossier of a run, whose script comes when it is opened. */
export function LazyDossier(props: DossierProps) {
  return useLoaded(dossier, { ...props });
}
